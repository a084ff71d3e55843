"""An identity provider for tests: its public keys as published, and tokens that it signs."""

import json
import time

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

ISSUER, AUDIENCE = "https://id.example", "anamnesis"
Claims = dict[str, object]


def jwks(private: EllipticCurvePrivateKey, kid: str = "k1") -> str:
    """The public half, as a provider publishes it."""
    public = jwt.algorithms.ECAlgorithm.to_jwk(private.public_key(), as_dict=True)
    return json.dumps({"keys": [{**public, "kid": kid, "alg": "ES256", "use": "sig"}]})


def claims(**changed: object) -> Claims:
    """The claims of a good token with some changed; None takes one away."""
    said: Claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": time.time() + 300}
    return {name: value for name, value in (said | changed).items() if value is not None}


def signed(private: EllipticCurvePrivateKey, kid: str = "k1", **changed: object) -> str:
    """A token of these claims."""
    return jwt.encode(claims(**changed), private, algorithm="ES256", headers={"kid": kid})
