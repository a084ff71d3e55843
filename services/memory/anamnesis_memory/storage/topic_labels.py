"""Labels of topics as stores keep them: who worded one, and of how many members."""

from dataclasses import replace

from anamnesis_memory.model.memory import Topic
from anamnesis_memory.ports import TopicLabel


def relabelled(topic: Topic, label: TopicLabel) -> Topic:
    """The topic with another label."""
    return replace(
        topic, label=label.text, label_model=label.model, label_member_count=label.member_count
    )


def left_behind(topic: Topic) -> Topic:
    """A topic that a member has left: no model has worded a label for those that stay."""
    return replace(topic, label_member_count=0)
