"""The HTTP server: addresses that cannot be opened."""

import pytest

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.http.server import HttpServer
from anamnesis_libs.settings import Security, Server


@pytest.mark.parametrize("listen", ["unix:/tmp/anamnesis.sock", "127.0.0.1:99999"])
async def test_what_is_no_address_is_refused_with_the_remedy(listen: str) -> None:
    opened = HttpServer(Server(http_listen=listen), Security(), [], "127.0.0.1:1")
    with pytest.raises(SetupInvalid, match="choose another with --http"):
        await opened.start()
    await opened.stop()
