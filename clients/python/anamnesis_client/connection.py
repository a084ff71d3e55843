"""Where the server is and how it is spoken to: address, certificate, key."""

import ipaddress
from dataclasses import dataclass
from pathlib import Path

import grpc
from google.protobuf.message import Message

from anamnesis_client.errors import FieldViolation, InvalidArgument

OPTIONS = (
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # a server that is started again is found again soon
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)


@dataclass(frozen=True, slots=True)
class Connection:
    """The address, the roots of its certificate, and the key that is shown."""

    server: str
    api_key: str = ""
    tls_ca: str = ""

    def __post_init__(self) -> None:
        """Refuses to send a key where others could read it."""
        if self.api_key and not self.tls_ca and not _is_loopback(self.server):
            told = f"the key would go to {self.server} unencrypted: speak TLS, with tls_ca=FILE"
            violation = FieldViolation("api_key", told)
            raise InvalidArgument("", reason="FIELD_INVALID", violations=(violation,))

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The headers of each call."""
        return (("authorization", f"Bearer {self.api_key}"),) if self.api_key else ()

    @property
    def credentials(self) -> grpc.ChannelCredentials | None:
        """TLS with the roots of the file; None for plain text."""
        if not self.tls_ca:
            return None
        try:
            roots = Path(self.tls_ca).read_bytes()
        except OSError as error:
            told = FieldViolation("tls_ca", f"{self.tls_ca} cannot be read: {error.strerror}")
            raise InvalidArgument("", reason="FIELD_INVALID", violations=(told,)) from error
        return grpc.ssl_channel_credentials(root_certificates=roots)


def key_in(file: str) -> str:
    """The first line of a file; no key where no file is named."""
    if not file:
        return ""
    try:
        return Path(file).read_text(encoding="utf-8").split("\n", 1)[0].strip()
    except OSError as error:
        told = FieldViolation("ANAMNESIS_API_KEY_FILE", f"{file} cannot be read: {error.strerror}")
        raise InvalidArgument("", reason="FIELD_INVALID", violations=(told,)) from error


def to_bytes(message: Message) -> bytes:
    """The bytes of a request."""
    return message.SerializeToString()


def _is_loopback(server: str) -> bool:
    """True if only this machine can be reached at the address; of names only localhost counts."""
    host = server.rpartition(":")[0].strip("[]")
    if server.startswith("unix:") or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
