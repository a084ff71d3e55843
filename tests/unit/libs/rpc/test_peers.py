"""Tests of rpc/peers.py and channels.py: deadlines, errors, retries, keys and TLS."""

import asyncio
from pathlib import Path

import pytest

from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis_libs import errors
from anamnesis_libs.errors import not_found
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import call, receive
from anamnesis_libs.settings import Peers, Security
from tests.unit.libs.rpc.certificates import Certificates, make_certificates
from tests.unit.libs.rpc.echo import BYTES_MAX, KEY, Echo, EchoStub, calling, serving

GOOD = MemoryFilter(agent_id="good")


class Failing:
    """Raises what it is given, as often as it is told, then lets requests pass."""

    def __init__(self, error: errors.AnamnesisError, times: int) -> None:
        self.error = error
        self.times = times
        self.calls = 0

    async def __call__(self, _: MemoryFilter) -> None:
        self.calls += 1
        if self.calls <= self.times:
            raise self.error


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def keys_file(tmp_path: Path) -> Path:
    file = tmp_path / "keys"
    file.write_text(KEY)
    return file


async def test_call_gives_the_answer() -> None:
    async with serving(Echo()) as address, calling(address) as stub:
        assert await call(stub.one_one, GOOD, timeout_s=5) == GOOD


async def test_call_sends_a_stream_too() -> None:
    async with serving(Echo()) as address, calling(address) as stub:
        assert await call(stub.many_one, iter([GOOD]), timeout_s=5) == GOOD


async def test_call_raises_our_error() -> None:
    failing = Failing(not_found.SessionNotFound("s-1"), times=1)
    async with serving(Echo(before=failing)) as address, calling(address) as stub:
        with pytest.raises(not_found.SessionNotFound, match="s-1"):
            await call(stub.one_one, GOOD, timeout_s=5)


async def test_receive_gives_what_came_and_then_our_error() -> None:
    failing = Failing(errors.CursorExpired(120), times=1)
    async with serving(Echo(before=failing)) as address, calling(address) as stub:
        responses = receive(stub.one_many, GOOD, timeout_s=5)
        assert await anext(responses) == GOOD
        with pytest.raises(errors.CursorExpired):
            await anext(responses)


async def test_unavailable_is_tried_again() -> None:
    failing = Failing(errors.StoreUnavailable("busy"), times=2)
    async with serving(Echo(before=failing)) as address, calling(address) as stub:
        assert await call(stub.one_one, GOOD, timeout_s=5) == GOOD
    assert failing.calls == 3


async def test_nothing_else_is_tried_again() -> None:
    failing = Failing(errors.Conflict("changed"), times=1)
    async with serving(Echo(before=failing)) as address, calling(address) as stub:
        with pytest.raises(errors.Conflict):
            await call(stub.one_one, GOOD, timeout_s=5)
    assert failing.calls == 1


async def test_a_peer_that_is_not_there_is_unavailable_by_name() -> None:
    async with calling("127.0.0.1:1") as stub:
        with pytest.raises(errors.PeerUnavailable, match="memory does not answer"):
            await call(stub.one_one, GOOD, timeout_s=5)


async def test_the_deadline_is_kept() -> None:
    async def sleep(_: MemoryFilter) -> None:
        await asyncio.Event().wait()

    async with serving(Echo(before=sleep)) as address, calling(address) as stub:
        with pytest.raises(errors.DeadlineExceeded):
            await call(stub.one_one, GOOD, timeout_s=0.1)


async def test_a_message_over_the_limit_is_too_large() -> None:
    big = MemoryFilter(tags=["t" * 250] * 99 * 3)
    async with serving(Echo()) as address, calling(address) as stub:
        with pytest.raises(errors.ResourceExhausted) as refused:
            await call(stub.one_one, big, timeout_s=5)
    assert refused.value.reason == "TOO_LARGE"


async def test_a_peer_that_refuses_our_key_is_our_fault(keys_file: Path) -> None:
    security = Security(api_keys_file=keys_file)
    async with serving(Echo(), security) as address, calling(address) as stub:
        with pytest.raises(errors.PeerUnavailable, match=r"peers\.api_key_file"):
            await call(stub.one_one, GOOD, timeout_s=5)


async def test_what_is_somebody_elses_stays_denied_through_a_peer() -> None:
    async def refuse(_: MemoryFilter) -> None:
        raise errors.PermissionDenied("it is hers", metadata={"session_id": "s"})

    async with serving(Echo(before=refuse)) as address, calling(address) as stub:
        with pytest.raises(errors.PermissionDenied, match="hers") as refused:
            await call(stub.one_one, GOOD, timeout_s=5)
    assert refused.value.metadata == {"session_id": "s"}


async def test_channels_show_the_key_to_a_peer(keys_file: Path) -> None:
    security = Security(api_keys_file=keys_file)
    async with serving(Echo(), security) as address:
        channels = Channels(Peers(memory=address), security, BYTES_MAX)
        assert await call(EchoStub(channels.to("memory")).one_one, GOOD, timeout_s=5) == GOOD
        assert channels.to("memory") is channels.to("memory")
        await channels.close()


async def test_channels_prefer_the_private_address() -> None:
    async with serving(Echo()) as address:
        channels = Channels(Peers(memory="127.0.0.1:1"), Security(), BYTES_MAX, {"memory": address})
        assert await call(EchoStub(channels.to("memory")).one_one, GOOD, timeout_s=5) == GOOD
        await channels.close()


async def test_tls_from_end_to_end(certificates: Certificates, keys_file: Path) -> None:
    security = Security(
        tls_cert_file=certificates.cert_file,
        tls_key_file=certificates.key_file,
        tls_ca_file=certificates.ca_file,
        api_keys_file=keys_file,
    )
    async with serving(Echo(), security) as address:
        memory = address.replace("127.0.0.1", "localhost")
        channels = Channels(Peers(memory=memory, tls=True), security, BYTES_MAX)
        assert await call(EchoStub(channels.to("memory")).one_one, GOOD, timeout_s=5) == GOOD
        await channels.close()
        async with calling(address, KEY) as plain:
            with pytest.raises(errors.PeerUnavailable):
                await call(plain.one_one, GOOD, timeout_s=5)
