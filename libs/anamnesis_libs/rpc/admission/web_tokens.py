"""JSON Web Tokens (RFC 7519) of an identity provider, beside keys of our own.

A token is signed by one of the provider's keys (a file of JWKS, RFC 7517), names the issuer and the
audience that the settings name, and has not expired. Its claims say what a line of the agents' keys
says: `agent`, `user`, `namespaces` and `rights`. One that names neither agent nor user acts for the
user that its `sub` is.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import jwt

from anamnesis_libs.errors import SetupInvalid, Unauthenticated
from anamnesis_libs.rpc.admission.principal import ANYBODY, Principal
from anamnesis_libs.rpc.admission.rights import AGENT_RIGHTS, KEY_RIGHTS, Right

ALGORITHMS = ("EdDSA", "ES256", "ES384", "PS256", "RS256", "RS384", "RS512")
"""Signatures by a private key alone: who checks a token cannot make one."""
LEEWAY_S = 30.0
"""Clocks of the provider and of this machine may differ by so much."""
_REQUIRED = ("exp", "iss", "aud", "sub")
_NAME_CHARS = 12
_SETTING = "security.jwt_jwks_file"

Claims = Mapping[str, object]


class WebTokens:
    """The issuer of tokens, its keys, and the audience."""

    def __init__(self, issuer: str, audience: str, keys: Mapping[str, jwt.PyJWK]) -> None:
        self._issuer = issuer
        self._audience = audience
        self._keys = keys

    def principal(self, token: str) -> Principal:
        """Whom a token names, and what it lets them do.

        Raises:
            Unauthenticated: it is not of the issuer, for another audience, expired, or no token.
        """
        try:
            key = self._keys[jwt.get_unverified_header(token).get("kid", "")]
            claims = jwt.decode(
                token,
                key,
                algorithms=[key.algorithm_name],
                issuer=self._issuer,
                audience=self._audience,
                leeway=LEEWAY_S,
                options={"require": list(_REQUIRED), "strict_aud": False},
            )
        except KeyError as error:
            raise _refused("it names no key of the issuer's (kid)") from error
        except jwt.ExpiredSignatureError as error:
            raise _refused("it has expired; get a new one") from error
        except jwt.PyJWTError as error:
            raise _refused(type(error).__name__) from error
        return _principal(claims)


def read_tokens(issuer: str, audience: str, jwks: Path | None) -> WebTokens:
    """The check of signed tokens that the settings ask for.

    Raises:
        SetupInvalid: only a part is set, the file is no JWKS, or it holds no key that signs.
    """
    if not (issuer and audience and jwks):
        raise SetupInvalid(
            "security: tokens need jwt_issuer, jwt_audience and jwt_jwks_file; set what is missing"
        )
    try:
        said = json.loads(jwks.read_text(encoding="utf-8"))
        read = jwt.PyJWKSet.from_dict(said if isinstance(said, dict) else {}).keys
    except (OSError, ValueError, jwt.PyJWTError) as error:
        raise SetupInvalid(f"{_SETTING}: {jwks} is no file of JWKS: {error}") from error
    keys = {key.key_id or "": key for key in read if key.algorithm_name in ALGORITHMS}
    if not keys or len(keys) < len(read):
        raise SetupInvalid(
            f"{_SETTING}: {jwks} must hold public keys alone, each with a `kid` of its own and an "
            f"`alg` of {', '.join(ALGORITHMS)}"
        )
    return WebTokens(issuer, audience, keys)


def _principal(claims: Claims) -> Principal:
    """The principal that the claims of an accepted token name; malformed claims are refused."""
    agent, user = _text(claims, "agent"), _text(claims, "user")
    if not (agent or user):
        user = _text(claims, "sub")
        if user == ANYBODY:  # a name that its bearer may have chosen
            raise _refused(f"its `sub` is {ANYBODY}; only `agent` and `user` say that for anybody")
    rights = _texts(claims, "rights", AGENT_RIGHTS)
    namespaces = _texts(claims, "namespaces", frozenset())
    if not user and not agent:
        raise _refused("its `sub` is empty, and it names no agent and no user")
    if not rights or not rights <= KEY_RIGHTS:
        raise _refused(f"its `rights` must be of {', '.join(sorted(KEY_RIGHTS))}")
    if "namespaces" in claims and not namespaces:
        raise _refused("its `namespaces` name none")
    who = f"{claims['iss']} {_text(claims, 'sub')}".encode()
    return Principal(
        agent_id=agent,
        user_id=user,
        namespaces=namespaces,
        rights=frozenset(map(Right, rights)),
        name=hashlib.sha256(who).hexdigest()[:_NAME_CHARS],
    )


def _text(claims: Claims, name: str) -> str:
    value = claims.get(name, "")
    if not _is_text(value):
        raise _refused(f"its `{name}` must be a text")
    return str(value)


def _texts(claims: Claims, name: str, default: frozenset[str]) -> frozenset[str]:
    value = claims.get(name, default)
    if name not in claims:
        return default
    texts = cast(list[object], value) if isinstance(value, list) else [None]
    if not all(text and _is_text(text) for text in texts):
        raise _refused(f"its `{name}` must be a list of texts")
    return frozenset(map(str, texts))


def _is_text(value: object) -> bool:
    """JSON may hold halves of a character (surrogates), which no name is of."""
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def _refused(why: str) -> Unauthenticated:
    return Unauthenticated(f"the token is not accepted: {why}")
