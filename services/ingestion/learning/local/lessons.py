"""Lessons."""
from services.ingestion.learning.knowledge import LearnedLesson


def lessons_of(events):
    return []
