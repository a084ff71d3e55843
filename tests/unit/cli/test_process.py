"""What a server says when it is ready."""

from anamnesis_cli.process import readiness


def test_a_service_apart_says_where_it_looks_for_memory() -> None:
    said = list(readiness("127.0.0.1:7", ["retrieval"], "http://h", "memory.example:50051"))
    assert said == [
        "anamnesis is ready on 127.0.0.1:7: retrieval",
        "it calls memory at memory.example:50051; --peer-memory names another place",
        "it answers HTTP on http://h",
    ]
    assert len(list(readiness("127.0.0.1:7", ["memory", "retrieval"], "", "m:1"))) == 1
