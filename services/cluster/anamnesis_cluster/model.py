"""The records of the cluster service, as plain values: no I/O, no clock, no protobuf."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
"""One vector; shape (dimension,)."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as memory keeps it; `centroid` is the mean of its members, not normalised.

    `scope` is who may see its members: "shared", "agent:<id>" or "user:<id>". `label_model` worded
    its label, empty where terms make it; `label_asked_of` members were there when a model was last
    asked for one, 0 where none was or a member has left since.
    """

    topic_id: str
    label: str
    scope: str
    member_count: int
    centroid: Vector
    label_model: str = ""
    label_asked_of: int = 0


@dataclass(frozen=True, slots=True)
class Label:
    """The label that a topic is to have; `model` and `asked_of` as in `Topic`."""

    text: str
    model: str = ""
    asked_of: int = 0


@dataclass(frozen=True, slots=True)
class Topics:
    """All topics of a namespace, as of the revision at which they last changed."""

    topics: Sequence[Topic]
    revision: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A LEARNING memory; `vector` is None while it has none, `model` is whose it is."""

    memory_id: str
    scope: str
    text: str
    title: str = ""
    vector: Vector | None = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The assignment of a lesson to a topic; the label is the topic's, new or known.

    A person's move says with `held` whether the lesson is held there.
    """

    memory_id: str
    topic_id: str
    label: str
    held: bool | None = None


@dataclass(slots=True)
class Labelled:
    """The outcome of asking a model for labels.

    `worded` were taken, `refused` not; `failed` got no answer, `left` were not asked about or
    changed meanwhile.
    """

    worded: int = 0
    refused: int = 0
    failed: int = 0
    left: int = 0
    tokens: int = 0

    @property
    def has_more(self) -> bool:
        """True if a run soon may word more."""
        return bool(self.failed or self.left)

    @property
    def counts(self) -> Mapping[str, int]:
        """The counts of a run."""
        told = {"labelled": self.worded, "label_refused": self.refused}
        return told | {"label_failed": self.failed, "labels_left": self.left}


@dataclass(frozen=True, slots=True)
class Progress:
    """So many lessons of `total` are done with in a stage of a clustering."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcome of a clustering; `waiting` are lessons that have no vectors yet."""

    lessons: int
    clusters_before: int
    clusters: int
    moved: int
    waiting: int


@dataclass(frozen=True, slots=True)
class LessonChange:
    """One item of a watch.

    A bookmark, which says that everything up to `revision` has been told, has no id.
    """

    revision: str
    memory_id: str = ""
    gone: bool = False

    @property
    def is_bookmark(self) -> bool:
        """True if the change names no memory and only tells how far the watch has come."""
        return not self.memory_id
