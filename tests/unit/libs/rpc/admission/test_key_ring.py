"""Tests of rpc/admission/key_ring.py."""

import pytest

from anamnesis_libs.errors import Unauthenticated
from anamnesis_libs.rpc.admission.key_files import digest_of
from anamnesis_libs.rpc.admission.key_ring import KeyRing
from anamnesis_libs.rpc.admission.principal import Principal

KEY = "0123456789abcdef"
ANOTHER = digest_of("another-key-0000")


def test_an_empty_ring_lets_everybody_in() -> None:
    ring = KeyRing()
    ring.add_own(KEY)
    assert ring.check(()) is None


@pytest.mark.parametrize("value", [f"Bearer {KEY}", f"bearer {KEY}", f"BEARER  {KEY} "])
def test_a_known_key_is_let_in(value: str) -> None:
    metadata = (("authorization", value),)
    assert KeyRing([ANOTHER, digest_of(KEY)]).check(metadata) is None
    agent = Principal("coder")
    assert KeyRing([ANOTHER], {digest_of(KEY): agent}).check(metadata) is agent


def test_the_services_own_key_outlives_what_is_read_anew() -> None:
    ring = KeyRing([ANOTHER])
    ring.add_own(KEY)
    ring.renew(KeyRing([digest_of("a-third-key-0000")]))
    assert ring.check((("authorization", f"Bearer {KEY}"),)) is None
    with pytest.raises(Unauthenticated):
        ring.check((("authorization", "Bearer another-key-0000"),))


@pytest.mark.parametrize(
    "metadata",
    [
        (),
        (("authorization", KEY),),
        (("authorization", "Bearer "),),
        (("authorization", f"Bearer {KEY}x"),),
        (("authorization", f"Bearer sha256:{digest_of(KEY).hex()}"),),
        (("authorization", f"Basic {KEY}"),),
        (("x-api-key", KEY),),
    ],
)
def test_anything_else_is_refused(metadata: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(Unauthenticated, match="Bearer KEY"):
        KeyRing([digest_of(KEY)]).check(metadata)
