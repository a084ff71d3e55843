"""Tests of rpc/tls.py: where plain text may be spoken, and files that are no certificates."""

from pathlib import Path

import pytest

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.rpc.tls import (
    is_loopback,
    refuse_open_door,
    refuse_plain_peers,
    server_credentials,
)
from anamnesis_libs.settings import Peers, Security


@pytest.mark.parametrize(
    ("listen", "loopback"),
    [
        ("127.0.0.1:50051", True),
        ("127.8.8.8:0", True),
        ("[::1]:50051", True),
        ("localhost:50051", True),
        ("unix:/run/a.sock", True),
        ("0.0.0.0:50051", False),
        ("[::]:50051", False),
        ("10.0.0.1:50051", False),
        ("example.org:50051", False),
    ],
)
def test_what_counts_as_loopback(listen: str, *, loopback: bool) -> None:
    assert is_loopback(listen) is loopback


@pytest.mark.parametrize(
    "listen", ["50051", ":50051", "127.0.0.1", "127.0.0.1:port", "127.0.0.1:99999", ""]
)
def test_an_address_must_be_host_and_port(listen: str) -> None:
    with pytest.raises(SetupInvalid, match="is not host:port"):
        is_loopback(listen)


def test_beyond_loopback_what_is_missing_is_named() -> None:
    security = Security(tls_cert_file=Path("c"), tls_key_file=Path("k"))
    with pytest.raises(SetupInvalid, match=r"needs TLS and API keys: set security.api_keys_file,"):
        refuse_open_door("0.0.0.0:50051", security)


def test_beyond_loopback_with_all_three_is_let_through() -> None:
    files = Security(tls_cert_file=Path("c"), tls_key_file=Path("k"), api_keys_file=Path("a"))
    refuse_open_door("0.0.0.0:50051", files)


def test_a_peer_on_another_machine_needs_tls() -> None:
    plain = Peers(memory="memory.example:50051")
    with pytest.raises(SetupInvalid, match=r"peers\.memory: .*set peers\.tls"):
        refuse_plain_peers(plain, {"memory"})
    refuse_plain_peers(plain, {"cluster"})
    refuse_plain_peers(Peers(memory="memory.example:50051", tls=True), {"memory"})
    with pytest.raises(SetupInvalid, match=r"peers\.memory: .* is not host:port"):
        refuse_plain_peers(Peers(memory="nowhere"), {"memory"})


def test_half_of_a_certificate_is_refused() -> None:
    with pytest.raises(SetupInvalid, match="set the missing one"):
        server_credentials(Security(tls_cert_file=Path("c")))


def test_a_file_that_is_no_pem_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    file.write_text("hello")
    with pytest.raises(SetupInvalid, match=r"security\.tls_key_file: .* is not a PEM file"):
        server_credentials(Security(tls_cert_file=file, tls_key_file=file))
