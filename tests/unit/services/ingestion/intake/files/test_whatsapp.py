"""Chats exported as text: who said what and when, in the forms of both telephones."""

from collections.abc import AsyncIterator
from datetime import datetime

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileHeader
from anamnesis_ingestion.intake.files.session_reader import SessionReader
from anamnesis_ingestion.model import Shape, SourceEvent
from anamnesis_libs import errors
from anamnesis_libs.settings import Ingestion
from tests.support.ingestion_suite import IngestionSuite, ingestion_suite

IOS = (
    "[14/03/2024, 09:26:53] The orchard: \u200eMessages and calls are end-to-end encrypted.\r\n"
    "[14/03/2024, 09:27:01] Mara: The gate is open.\r\nSo is the barn: look\r\n\r\n"
    "\u200e[14/03/2024, 09:28:00] Tomas: \u200eimage omitted\r\n"
    "[15/03/2024, 10:00:00] ~\u202fLena: Closed: both\r\n"
)
ANDROID = (
    '3/4/24, 9:26\u202fAM - Mara created group "Orchard"\n'
    "3/4/24, 9:27\u202fPM - Mara: The gate is open\n"
    "3/5/24, 12:05\u202fAM - Tomas: <Media omitted>\n"
)


def read(text: str, chunk_bytes: int = 7) -> list[SourceEvent]:
    reader = SessionReader(Shape.AUTO, line_bytes_max=1 << 20, document_bytes_max=1 << 20)
    content = text.encode()
    chunks = [content[at : at + chunk_bytes] for at in range(0, len(content), chunk_bytes)]
    events = [event for chunk in chunks for event in reader.feed(chunk)]
    events.extend(reader.close())
    assert reader.report().shape is Shape.WHATSAPP
    return events


def at(day: int, hour: int, minute: int, second: int = 0) -> datetime:
    return datetime(2024, 3, day, hour, minute, second)  # noqa: DTZ001 of a telephone


def test_an_export_of_ios() -> None:
    assert [(e.role, e.name, e.content, e.source_line, e.event_time) for e in read(IOS)] == [
        (
            "system",
            "The orchard",
            "Messages and calls are end-to-end encrypted.",
            1,
            at(14, 9, 26, 53),
        ),
        ("user", "Mara", "The gate is open.\nSo is the barn: look", 2, at(14, 9, 27, 1)),
        ("system", "Tomas", "image omitted", 5, at(14, 9, 28)),
        ("user", "Lena", "Closed: both", 6, at(15, 10, 0)),
    ]


def test_an_export_of_android() -> None:
    assert [(e.role, e.name, e.content, e.event_time) for e in read(ANDROID)] == [
        ("system", "", 'Mara created group "Orchard"', at(4, 9, 26)),
        ("user", "Mara", "The gate is open", at(4, 21, 27)),
        ("system", "Tomas", "<Media omitted>", at(5, 0, 5)),
    ]


@pytest.mark.parametrize(
    ("stamps", "first"),
    [
        (["[2024-03-04 09:26:53]"], at(4, 9, 26, 53)),
        (["[2024/3/4 下午9:26:53]"], at(4, 21, 26, 53)),
        (["[4.3.2024 klo 9.26.53]"], at(4, 9, 26, 53)),
        (["04.03.24, 09:26 -"], at(4, 9, 26)),
        (["04/03/2024 09:26 -"], at(4, 9, 26)),
        (["04/03/2024, 9:26 p. m. -"], at(4, 21, 26)),
        (["03/04/2024, 09:26 -", "03/14/2024, 09:26 -"], at(4, 9, 26)),
        (["04/03/2024, 09:26 -", "14/03/2024, 09:26 -"], at(4, 9, 26)),
        # neither tells by itself; only with the month first does time run on
        (["03/04/2024, 09:26 -", "03/05/2024, 09:26 -", "04/01/2024, 09:26 -"], at(4, 9, 26)),
    ],
)
def test_the_order_of_a_date_is_found_out(stamps: list[str], first: datetime) -> None:
    events = read("".join(f"{stamp} Mara: hi\n" for stamp in stamps))
    if stamps == ["04/03/2024, 9:26 p. m. -"]:
        first = at(3, 21, 26).replace(month=4)
    assert events[0].event_time == first


async def test_a_chat_comes_in_once(suite: IngestionSuite) -> None:
    header = IngestFileHeader(namespace="team", label="_chat.txt", session_id="orchard")
    first = await suite.ingest(IOS.encode(), header)
    again = await suite.ingest(IOS.encode(), header)
    assert (first.appended, again.appended, again.unchanged) == (4, 0, 4)
    assert [event.name for event in suite.ledger.events("orchard")][1:3] == ["Mara", "Tomas"]


async def test_a_chat_that_is_too_large_is_refused_and_nothing_is_stored(
    suite: IngestionSuite,
) -> None:
    with pytest.raises(errors.TooLarge if hasattr(errors, "TooLarge") else errors.AnamnesisError):
        await suite.ingest(IOS.encode() * 100, IngestFileHeader(namespace="team", label="c"))
    assert not suite.ledger.texts("c")


@pytest.fixture
async def suite() -> AsyncIterator[IngestionSuite]:
    async with ingestion_suite(ingestion=Ingestion(document_bytes_max=4096)) as running:
        yield running
