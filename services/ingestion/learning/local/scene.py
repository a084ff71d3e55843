"""Who speaks, and who was spoken of last: what words such as `I`, `she` and `他` stand for."""

from dataclasses import dataclass, field

UNNAMED = "user"
"""The subject where neither the event nor the task names the speaker."""


@dataclass(slots=True)
class Scene:
    """The speaker of a message, the third persons named so far, and the last subject.

    `carried` is the subject that an elliptical clause goes on with; it is kept for one sentence.
    """

    speaker: str
    persons: list[str] = field(default_factory=list)
    carried: str = ""
    things: list[str] = field(default_factory=list)

    def mention(self, person: str) -> None:
        """Remember a third person; the latest is who `she` is."""
        if person and person != self.speaker:
            self.persons = [each for each in self.persons if each != person] + [person]

    @property
    def third(self) -> str:
        """The person spoken of last, "" where none was."""
        return self.persons[-1] if self.persons else ""

    @property
    def written(self) -> str:
        """The speaker at the head of a statement."""
        return "The user" if self.speaker == UNNAMED else self.speaker
