"""Tests of rpc/enums.py: nothing is left over, and both ways agree."""

from enum import Enum, StrEnum

import pytest

from anamnesis.memory.v1.event_pb2 import ROLE_UNSPECIFIED, ROLE_USER, Role
from anamnesis_ingestion.convert import enums as ingestion
from anamnesis_libs.rpc.enums import EnumCodec, enum_value, enum_word, enum_words
from anamnesis_memory.api.convert import enums as memory
from anamnesis_retrieval.convert import context as retrieval

_WORDS = ["user", "assistant", "system", "tool", "file"]
_CODECS = [
    pytest.param(codec, id=f"{module.__name__.split('.')[0]}-{name}")
    for module in (memory, ingestion, retrieval)
    for name, codec in vars(module).items()
    if isinstance(codec, EnumCodec)
]


class _Speaker(StrEnum):
    USER = "u"
    ASSISTANT = "a"
    SYSTEM = "s"
    TOOL = "t"
    FILE = "f"


class _Known(StrEnum):
    USER = "u"
    NOBODY = "n"


_OTHERS = {"ASSISTANT", "SYSTEM", "TOOL", "FILE"}


@pytest.mark.parametrize("codec", _CODECS)
def test_every_member_comes_back_as_it_was_written(codec: EnumCodec[int, Enum]) -> None:
    for member in codec.members():
        assert codec.from_pb(codec.to_pb(member)) is member


def test_members_are_paired_by_name() -> None:
    codec = EnumCodec(Role, _Speaker)
    assert codec.to_pb(_Speaker.USER) == ROLE_USER
    assert codec.from_pb(ROLE_USER) is _Speaker.USER


def test_what_has_no_counterpart_is_named_where_the_codec_is_made() -> None:
    with pytest.raises(TypeError, match=r"Role and _Known: ASSISTANT, FILE, NOBODY, SYSTEM, TOOL$"):
        EnumCodec(Role, _Known)


def test_an_exception_that_is_none_is_named_too() -> None:
    with pytest.raises(TypeError, match=r"Role and _Speaker: NARRATOR, USER$"):
        EnumCodec(Role, _Speaker, wire_only={"NARRATOR"}, ours_only={_Speaker.USER})


def test_a_default_is_what_unspecified_reads_as() -> None:
    codec = EnumCodec(Role, _Known, default=_Known.NOBODY, wire_only=_OTHERS)
    assert codec.from_pb(ROLE_UNSPECIFIED) is _Known.NOBODY
    assert codec.to_pb(_Known.NOBODY) == ROLE_UNSPECIFIED
    assert EnumCodec(Role, _Speaker, default=_Speaker.TOOL).to_pb(_Speaker.TOOL) == Role.ROLE_TOOL


def test_unspecified_is_refused_where_it_stands_for_nothing() -> None:
    codec = EnumCodec(Role, _Speaker)
    assert not codec.knows(ROLE_UNSPECIFIED)
    with pytest.raises(ValueError, match="stands for nothing"):
        codec.from_pb(ROLE_UNSPECIFIED)


def test_a_member_without_a_value_is_refused() -> None:
    codec = EnumCodec(Role, _Known, wire_only=_OTHERS, ours_only={_Known.NOBODY})
    with pytest.raises(ValueError, match="has no value for n"):
        codec.to_pb(_Known.NOBODY)


def test_words_and_values() -> None:
    assert sorted(enum_words(Role)) == sorted(_WORDS)
    assert [enum_word(Role, enum_value(Role, word)) for word in _WORDS] == _WORDS
    assert enum_value(Role, "") == ROLE_UNSPECIFIED
