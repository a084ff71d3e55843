"""The channels of one process: to each service, by its name, as the settings say."""

from collections.abc import Mapping
from typing import cast

import grpc
from grpc import aio

from anamnesis_libs.rpc.admission.key_files import plain_key
from anamnesis_libs.rpc.direct import DirectChannel, DirectHandlers
from anamnesis_libs.rpc.peers import connect
from anamnesis_libs.rpc.tls import read_pem
from anamnesis_libs.settings import Peers, Security


class Channels:
    """One channel a service, opened at first use and closed together."""

    def __init__(
        self,
        peers: Peers,
        security: Security,
        message_bytes_max: int,
        local: Mapping[str, str] | None = None,
        own_key: str = "",
        direct: Mapping[str, DirectHandlers] | None = None,
    ) -> None:
        """`local` has private addresses of this process's services, called with `own_key`.

        `direct` has their handlers once they have started, for what needs no socket.
        """
        self._direct = {} if direct is None else direct
        self._peers = peers
        self._local = local or {}
        self._credentials = channel_credentials(peers, security)
        self._security = security
        self._own_key = own_key
        self._message_bytes_max = message_bytes_max
        self._open: dict[str, aio.Channel] = {}

    def to(self, service: str) -> aio.Channel:
        """The channel to "memory", "ingestion", "cluster" or "retrieval"."""
        if service not in self._open:
            self._open[service] = self._connect(service)
        return self._open[service]

    async def close(self) -> None:
        """Ends what is running and closes every channel."""
        for channel in self._open.values():
            await channel.close()
        self._open.clear()

    def _connect(self, service: str) -> aio.Channel:
        private = self._local.get(service)
        socket = connect(
            private or getattr(self._peers, service),
            message_bytes_max=self._message_bytes_max,
            credentials=None if private else self._credentials,
            key=self._own_key if private else outgoing_key(self._peers, self._security),
            by_namespace=service == "memory" and self._peers.memory_spread == "namespaces",
        )
        if service not in self._direct:
            return socket
        return cast("aio.Channel", DirectChannel(self._direct[service], socket))


def channel_credentials(peers: Peers, security: Security) -> grpc.ChannelCredentials | None:
    """TLS towards peers with the configured roots, or none."""
    if not peers.tls:
        return None
    if security.tls_ca_file is None:
        return grpc.ssl_channel_credentials()
    return grpc.ssl_channel_credentials(read_pem(security.tls_ca_file, "security.tls_ca_file"))


def outgoing_key(peers: Peers, security: Security) -> str:
    """The key shown to peers; empty when there is none.

    Raises:
        SetupInvalid: its file cannot be read, or holds digests, which cannot be sent.
    """
    if peers.api_key_file is not None:
        return plain_key(peers.api_key_file, "peers.api_key_file")
    if security.api_keys_file is not None:
        return plain_key(security.api_keys_file, "security.api_keys_file")
    return ""
