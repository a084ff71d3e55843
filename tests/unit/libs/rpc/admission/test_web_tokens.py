"""Tests of rpc/admission/web_tokens.py, with keys of a provider's made here."""

from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

from anamnesis_libs.errors import SetupInvalid, Unauthenticated
from anamnesis_libs.rpc.admission.principal import Principal
from anamnesis_libs.rpc.admission.rights import Right
from anamnesis_libs.rpc.admission.web_tokens import WebTokens, read_tokens
from tests.support.web_tokens import AUDIENCE, ISSUER, Claims, claims, jwks, signed


@pytest.fixture(scope="module")
def private() -> EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture
def tokens(private: EllipticCurvePrivateKey, tmp_path: Path) -> WebTokens:
    file = tmp_path / "jwks.json"
    file.write_text(jwks(private))
    return read_tokens(ISSUER, AUDIENCE, file)


def test_a_token_names_whom_it_acts_for_and_what_they_may(
    tokens: WebTokens, private: EllipticCurvePrivateKey
) -> None:
    assert tokens.principal(signed(private)) == Principal("", "ada")
    given = signed(private, agent="coder", user="*", namespaces=["a", "b"], rights=["read"])
    assert tokens.principal(given) == Principal(
        "coder", "*", frozenset({"a", "b"}), frozenset({Right.READ})
    )
    names = {tokens.principal(signed(private, sub=sub)).name for sub in ("ada", "bo")}
    assert len(names) == 2
    assert "ada" not in names


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"exp": 1}, "expired"),
        ({"exp": None}, "MissingRequiredClaim"),
        ({"exp": float("inf")}, "not accepted"),
        ({"exp": "soon"}, "not accepted"),
        ({"sub": None}, "MissingRequiredClaim"),
        ({"sub": ""}, "sub"),
        ({"sub": "*"}, "for anybody"),
        ({"sub": "\ud800"}, "must be a text"),
        ({"user": "\ud800"}, "must be a text"),
        ({"namespaces": ["\ud800"]}, "list of texts"),
        ({"iss": "https://other.example"}, "InvalidIssuer"),
        ({"aud": "another"}, "InvalidAudience"),
        ({"nbf": 99999999999}, "ImmatureSignature"),
        ({"kid": "k2"}, "names no key"),
        ({"rights": ["everything"]}, "rights"),
        ({"rights": []}, "rights"),
        ({"rights": "read"}, "list of texts"),
        ({"namespaces": []}, "name none"),
        ({"agent": 7}, "must be a text"),
    ],
)
def test_what_is_not_as_it_should_be_is_refused(
    changed: Claims, why: str, tokens: WebTokens, private: EllipticCurvePrivateKey
) -> None:
    kid = str(changed.pop("kid", "k1"))
    with pytest.raises(Unauthenticated, match=why):
        tokens.principal(signed(private, kid, **changed))


def test_another_signature_or_none_is_refused(
    tokens: WebTokens, private: EllipticCurvePrivateKey
) -> None:
    stranger = ec.generate_private_key(ec.SECP256R1())
    public = private.public_key().public_numbers().x.to_bytes(32, "big")
    for token in (
        signed(stranger),
        jwt.encode(claims(), "", algorithm="none", headers={"kid": "k1"}),
        jwt.encode(claims(), public, algorithm="HS256", headers={"kid": "k1"}),
        "a.b.c",
        "..",
    ):
        with pytest.raises(Unauthenticated, match="not accepted"):
            tokens.principal(token)


def test_settings_of_tokens_are_whole_and_hold_public_keys(tmp_path: Path) -> None:
    file = tmp_path / "jwks.json"
    with pytest.raises(SetupInvalid, match="set what is missing"):
        read_tokens(ISSUER, "", file)
    with pytest.raises(SetupInvalid, match="no file of JWKS"):
        read_tokens(ISSUER, AUDIENCE, file)
    for held in (
        '{"keys": []}',
        "[]",
        '{"keys": [{"kty": "oct", "k": "c2VjcmV0LXNlY3JldA", "alg": "HS256", "kid": "k1"}]}',
    ):
        file.write_text(held)
        with pytest.raises(SetupInvalid, match=r"security\.jwt_jwks_file"):
            read_tokens(ISSUER, AUDIENCE, file)
