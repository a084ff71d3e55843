"""Every rpc that is served, with every kind of credential that must not open it."""

import asyncio
import base64
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from google.protobuf.message import Message
from grpc import StatusCode, aio
from grpc_reflection.v1alpha import reflection_pb2

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.admin_service_pb2 import ListNamespacesRequest
from anamnesis_libs.rpc.admission.key_files import digest_line
from anamnesis_libs.rpc.admission.rights import AGENT_RPCS, READING_RPCS, RIGHTS, Right
from tests.support.clients import clients_of, everywhere
from tests.support.every_rpc import Metadata, Rpc, every_rpc
from tests.support.printed_tables import Note, note_table
from tests.support.processes import start
from tests.support.web_tokens import AUDIENCE, ISSUER, claims, jwks, signed

RPCS = tuple(every_rpc())
PLAIN, DIGESTED = "operator-in-plain-01", "operator-as-digest-1"
NO_NAME = "No Name"
"""It breaks the rules of every request that names a namespace, which stand behind the door."""
MINE, OTHER = "team-a", "team-b"
ME, YOU = Caller(agent_id="coder", user_id="ada"), Caller(agent_id="other", user_id="bo")
EVERYTHING = ",".join(Right)
OPEN, SHUT, REFUSED = StatusCode.OK, StatusCode.UNAUTHENTICATED, StatusCode.PERMISSION_DENIED
PRIVATE = ec.generate_private_key(ec.SECP256R1())
STRANGER = ec.generate_private_key(ec.SECP256R1())

WITH_ONE_RIGHT = {right: f"{right}-alone-0123456789" for right in Right}
IN_ONE_NAMESPACE = f"in-{MINE}-0123456789"
PINNED = {
    "key of an agent": "coder-0123456789abc",
    "key of a user": "ada-0123456789abcdef",
    "key of both": "coder-ada-0123456789",
    "key of a user with every right": "keeper-ada-012345678",
}
AGENTS = {
    **{key: f"rights={right}" for right, key in WITH_ONE_RIGHT.items()},
    IN_ONE_NAMESPACE: f"namespaces={MINE} rights={EVERYTHING}",
    PINNED["key of an agent"]: "agent=coder",
    PINNED["key of a user"]: "user=ada",
    PINNED["key of both"]: "agent=coder user=ada",
    PINNED["key of a user with every right"]: f"agent=* user=ada rights={EVERYTHING}",
}


def bearer(key: str) -> Metadata:
    """A credential as it travels."""
    return (("authorization", f"Bearer {key}"),)


def headed(header: str) -> str:
    """A token of a header that nobody signed."""
    return f"{base64.urlsafe_b64encode(header.encode()).decode().rstrip('=')}.e30.YQ"


def strangers() -> Mapping[str, Metadata]:
    """Credentials that say nothing the suite believes, by what is wrong with them."""
    good = signed(PRIVATE)
    head, body, signature = good.split(".")
    other_body = signed(PRIVATE, sub="bo").split(".")[1]
    public = PRIVATE.public_key().public_numbers().x.to_bytes(32, "big")
    tokens = {
        "expired": signed(PRIVATE, exp=1),
        "without an end": signed(PRIVATE, exp=None),
        "not valid yet": signed(PRIVATE, nbf=99_999_999_999),
        "of another issuer": signed(PRIVATE, iss="https://other.example"),
        "for another audience": signed(PRIVATE, aud="another"),
        "for nobody": signed(PRIVATE, sub=None),
        "for anybody": signed(PRIVATE, sub="*"),
        "with a right that is none": signed(PRIVATE, rights=["everything"]),
        "of another key": signed(STRANGER),
        "of a key that is not published": signed(STRANGER, "k2"),
        "with another's claims": f"{head}.{other_body}.{signature}",
        "without its signature": f"{head}.{body}.",
        "of no algorithm": jwt.encode(claims(), "", algorithm="none", headers={"kid": "k1"}),
        "signed by the public key": jwt.encode(
            claims(), public, algorithm="HS256", headers={"kid": "k1"}
        ),
        "of a header without end": headed('{"kid":' + "[" * 4_000),
    }
    return {
        "no key": (),
        "a wrong key": bearer("operator-in-plain-02"),
        "a part of a key": bearer(PLAIN[:-1]),
        "no key behind the scheme": bearer(""),
        "a key's digest": bearer(digest_line(DIGESTED)),
        "a comment of the file": bearer("# an-old-operators-key"),
        "another scheme": (("authorization", f"Basic {PLAIN}"),),
        "no scheme": (("authorization", PLAIN),),
        "another header": (("x-api-key", PLAIN), ("cookie", f"authorization=Bearer {PLAIN}")),
        **{f"a token {name}": bearer(token) for name, token in tokens.items()},
    }


@dataclass(frozen=True, slots=True)
class Suite:
    """A running suite, and what was answered to whom."""

    address: str
    channel: aio.Channel
    answered: list[tuple[str, Counter[str]]]

    async def ask(
        self, who: str, credential: Metadata, asked: Iterable[tuple[Rpc, Message]]
    ) -> dict[str, StatusCode]:
        """The codes of these calls by their rpcs."""
        calls = list(asked)
        codes = await asyncio.gather(
            *(rpc.code(self.channel, request, credential) for rpc, request in calls)
        )
        self.answered.append((who, Counter(code.name for code in codes)))
        return {rpc.name: code for (rpc, _), code in zip(calls, codes, strict=True)}

    def note(self, note: Note, title: str) -> None:
        """Keep the counts of calls by their codes for the end of the run."""
        rows = [
            (who, codes.total(), ", ".join(f"{n} {code}" for code, n in codes.items()))
            for who, codes in self.answered
        ]
        note_table(note, title, [("credential", "calls", "codes"), *rows])


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A suite with keys in plain and as digests, agents' keys and tokens, where nothing is."""
    folder: Path = tmp_path_factory.mktemp("shut")
    files = {
        "api_keys": f"# an-old-operators-key\n{PLAIN}\n{digest_line(DIGESTED)}\n",
        "agent_keys": "".join(f"{key} {line}\n" for key, line in AGENTS.items()),
        "jwt_jwks": jwks(PRIVATE),
    }
    settings = {
        "ANAMNESIS_MODELS__EMBEDDER": "static",
        "ANAMNESIS_SECURITY__JWT_ISSUER": ISSUER,
        "ANAMNESIS_SECURITY__JWT_AUDIENCE": AUDIENCE,
    }
    for name, held in files.items():
        (folder / name).write_text(held)
        settings[f"ANAMNESIS_SECURITY__{name.upper()}_FILE"] = str(folder / name)
    process = start(folder / "data", settings=settings)
    yield process.address
    assert process.stop() == 0, "".join(process.output)
    assert "rpc.incident" not in "".join(process.output)


@pytest.fixture
async def suite(address: str) -> AsyncIterator[Suite]:
    """A channel to it; nothing that a test asks makes a namespace."""
    async with aio.insecure_channel(address) as channel, clients_of(everywhere(address)) as clients:
        yield Suite(address, channel, [])
        listed = ListNamespacesRequest()
        assert not (await clients.admin.ListNamespaces(listed, metadata=bearer(PLAIN))).namespaces


async def test_what_is_tried_is_all_that_is_served(suite: Suite) -> None:
    reflect = suite.channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )
    ask = reflection_pb2.ServerReflectionRequest(list_services="")
    async for answer in reflect(iter([ask]), metadata=bearer(DIGESTED)):
        served = {each.name for each in answer.list_services_response.service}
    standard = {name for name in served if name.startswith("grpc.")}
    assert served - standard == {rpc.method.containing_service.full_name for rpc in RPCS}
    assert {rpc.name for rpc in RPCS} == RIGHTS.keys()
    with pytest.raises(aio.AioRpcError) as refused:
        await reflect(iter([ask])).read()
    assert refused.value.code() is SHUT


async def test_who_may_comes_through_the_door(suite: Suite, record_property: Note) -> None:
    """What is behind the door refuses these requests: that is how far they come."""
    admitted = {OPEN, StatusCode.INVALID_ARGUMENT}
    for who, key in (("operator", PLAIN), ("operator's digest", DIGESTED)):
        codes = await suite.ask(who, bearer(key), ((rpc, rpc.empty()) for rpc in RPCS))
        assert set(codes.values()) <= admitted, codes
    for right, key in WITH_ONE_RIGHT.items():
        own = [rpc for rpc in RPCS if RIGHTS[rpc.name] is right and rpc.name not in READING_RPCS]
        mine = [(rpc, rpc.asking(NO_NAME, ME)) for rpc in own]
        token = signed(PRIVATE, agent="coder", user="ada", rights=[right])
        for who, credential in (("key", key), ("token", token)):
            codes = await suite.ask(f"{who} to {right}", bearer(credential), mine)
            assert set(codes.values()) <= admitted, codes
    suite.note(record_property, "credentials that open")


@pytest.mark.parametrize("filled", [False, True], ids=["empty", "filled"])
async def test_no_rpc_answers_a_stranger(
    suite: Suite, record_property: Note, *, filled: bool
) -> None:
    for who, credential in strangers().items():
        asked = ((rpc, rpc.asking(MINE, ME) if filled else rpc.empty()) for rpc in RPCS)
        codes = await suite.ask(who, credential, asked)
        assert set(codes.values()) == {SHUT}, (who, codes)
        assert len(codes) == len(RPCS)
    suite.note(record_property, f"strangers, {'filled' if filled else 'empty'} requests")


async def test_no_rpc_answers_a_key_without_its_right(suite: Suite, record_property: Note) -> None:
    for right, key in WITH_ONE_RIGHT.items():
        others = [rpc for rpc in RPCS if RIGHTS[rpc.name] is not right]
        token = signed(PRIVATE, agent="coder", user="ada", rights=[right])
        for who, credential in (("key", key), ("token", token)):
            empty = ((rpc, rpc.empty()) for rpc in others)
            filled = ((rpc, rpc.asking(MINE, ME)) for rpc in others)
            for asked in (empty, filled):
                codes = await suite.ask(f"{who} to {right} alone", bearer(credential), asked)
                assert set(codes.values()) == {REFUSED}, (who, right, codes)
                assert len(codes) == len(others)
    suite.note(record_property, "keys without the right")


async def test_no_rpc_answers_a_key_of_another_namespace(
    suite: Suite, record_property: Note
) -> None:
    token = signed(PRIVATE, agent="coder", user="ada", namespaces=[MINE], rights=list(Right))
    for who, credential in (("key", IN_ONE_NAMESPACE), ("token", token)):
        for namespace in (OTHER, MINE + "-", MINE.upper(), f" {MINE}", ""):
            asked = [(rpc, rpc.asking(namespace, ME)) for rpc in RPCS]
            codes = await suite.ask(f"{who} about {namespace!r}", bearer(credential), asked)
            assert set(codes.values()) == {REFUSED}, (who, namespace, codes)
    suite.note(record_property, "keys of another namespace")


async def test_no_rpc_answers_a_key_of_somebody_else(suite: Suite, record_property: Note) -> None:
    naming = [rpc for rpc in RPCS if AGENT_RPCS.get(rpc.name)]
    nameless = {rpc for rpc, paths in AGENT_RPCS.items() if not paths}
    assert nameless == {"/anamnesis.memory.v1.MemoryService/Embed"}
    tokens = {
        "token of a user": signed(PRIVATE),
        "token of an agent": signed(PRIVATE, agent="coder"),
    }
    for who, credential in (PINNED | tokens).items():
        asked = [(rpc, rpc.asking(MINE, YOU)) for rpc in naming]
        codes = await suite.ask(who, bearer(credential), asked)
        assert set(codes.values()) == {REFUSED}, (who, codes)
    suite.note(record_property, "keys of somebody else")
