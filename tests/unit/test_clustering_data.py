"""The labelled lessons hold to their own page: `benchmarks/clustering/README.md`."""

import json
from collections import Counter

from anamnesis_libs.index.analysis import has_cjk
from benchmarks.clustering.lessons import FILE

HALVES = json.loads(FILE.read_text(encoding="utf-8"))
TOPICS = [topic for half in HALVES.values() for topic in half]


def test_the_page_counts_topics_and_lessons() -> None:
    assert {half: len(topics) for half, topics in HALVES.items()} == {"dev": 20, "held": 21}
    assert {len(topic["lessons"]) for topic in TOPICS} == {16}
    kinds = Counter(topic["topic"].partition("-")[0] for topic in TOPICS)
    assert (kinds["zh"], kinds["mixed"]) == (5, 3)
    page = FILE.with_name("README.md").read_text(encoding="utf-8")
    assert "656 lessons" in page
    assert "41 topics" in page


def test_no_lesson_and_no_topic_is_there_twice() -> None:
    names = [topic["topic"] for topic in TOPICS]
    texts = [text for topic in TOPICS for text in topic["lessons"]]
    assert len(set(names)) == len(names)
    assert len(set(texts)) == len(texts)


def test_languages_are_as_the_names_of_topics_say() -> None:
    for topic in TOPICS:
        chinese = sum(map(has_cjk, topic["lessons"]))
        wanted = {"zh": 16, "mixed": 8}.get(topic["topic"].partition("-")[0], 0)
        assert chinese == wanted, topic["topic"]
