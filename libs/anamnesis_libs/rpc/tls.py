"""Certificates and keys out of files, and the rule on where plain text may be spoken."""

import ipaddress
from collections.abc import Iterable
from pathlib import Path

import grpc

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.settings import Peers, Security

_PORT_MAX = 65_535


def server_credentials(security: Security) -> grpc.ServerCredentials | None:
    """The server's certificate; none when TLS is not configured."""
    if security.tls_cert_file is None and security.tls_key_file is None:
        return None
    if security.tls_cert_file is None or security.tls_key_file is None:
        raise SetupInvalid(
            "security: TLS needs both tls_cert_file and tls_key_file; set the missing one"
        )
    key = read_pem(security.tls_key_file, "security.tls_key_file")
    certificate = read_pem(security.tls_cert_file, "security.tls_cert_file")
    return grpc.ssl_server_credentials([(key, certificate)])


def read_pem(path: Path, setting: str) -> bytes:
    """The bytes of a PEM file, or an error that names the setting."""
    try:
        pem = path.read_bytes()
    except OSError as error:
        raise SetupInvalid(f"{setting}: {path} cannot be read: {error.strerror}") from error
    if b"-----BEGIN" not in pem:
        raise SetupInvalid(f"{setting}: {path} is not a PEM file")
    return pem


def refuse_open_door(listen: str, security: Security, setting: str = "server.listen") -> None:
    """Beyond loopback, nothing is served without both TLS and API keys."""
    if is_loopback(listen, setting):
        return
    wanted = {
        "security.tls_cert_file": security.tls_cert_file,
        "security.tls_key_file": security.tls_key_file,
        "security.api_keys_file": security.api_keys_file,
    }
    missing = [name for name, value in wanted.items() if value is None]
    if missing:
        raise SetupInvalid(
            f"{setting}: {listen} can be reached from other machines, which needs TLS and API "
            f"keys: set {', '.join(missing)}, or listen on 127.0.0.1"
        )


def refuse_plain_peers(peers: Peers, needed: Iterable[str]) -> None:
    """Texts and keys go to another machine through TLS only."""
    for name in sorted(needed):
        address = getattr(peers, name)
        near = (is_loopback(each, f"peers.{name}") for each in address.split(","))
        if not all(near) and not peers.tls:
            raise SetupInvalid(
                f"peers.{name}: {address} is on another machine, where texts and keys would go in "
                "plain text: set peers.tls = true (and security.tls_ca_file for roots of your own)"
            )


def is_loopback(address: str, setting: str = "server.listen") -> bool:
    """True if only this machine can reach an address; of names only localhost counts.

    Raises:
        SetupInvalid: it is no address.
    """
    if address.startswith("unix:"):
        return True
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdigit() and int(port) <= _PORT_MAX):
        raise SetupInvalid(f"{setting}: {address!r} is not host:port, such as 127.0.0.1:50051")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
