"""A text that stands for another in short: it may leave out, and may not make up."""

import pytest

from anamnesis_memory.dedup.merged_text import fault_of_summary

PRINTER = (
    "Mara: I spent the whole morning with the printer. It never prints when the tray is empty, and "
    "Omar doesn't want to buy another one before June 12. The invoice from Halden Labs is 1,240 "
    "euros; we must not pay it twice. If the red lamp blinks, call Derek at extension 4471."
)
OFFICE = (
    "林悦：我上周五把办公室从上海搬到了杭州，一共花了三万两千元。新办公室离地铁两站路。"
    "王强还没有签合同，他不想周末加班。我对花生过敏，所以聚餐不要点宫保鸡丁。评审改到5月12日。"
)


@pytest.mark.parametrize(
    ("summary", "text"),
    [
        (
            "Mara spent the morning with the printer, which never prints with an empty tray.",
            PRINTER,
        ),
        ("Omar doesn't want to buy another printer before June 12.", PRINTER),
        ("The invoice from Halden Labs is 1,240 euros and must not be paid twice.", PRINTER),
        ("林悦上周五把办公室从上海搬到杭州，花了三万两千元。", OFFICE),
        ("王强没有签合同，不想周末加班。评审改到5月12日。", OFFICE),
    ],
)
def test_what_the_text_bears_is_good(summary: str, text: str) -> None:
    assert fault_of_summary(summary, text) == ""


@pytest.mark.parametrize(
    ("summary", "text", "fault"),
    [
        ("Call Derek at extension 4477.", PRINTER, "number"),
        ("Nadia spent the morning with the printer.", PRINTER, "word"),
        ("The printer of Nadia never prints.", PRINTER, "name"),
        ("Omar wants to buy another printer before June 12.", PRINTER, "is denied"),
        ("The printer prints when the tray is empty.", PRINTER, "is denied"),
        ("Mara never spent the morning with the printer.", PRINTER, "denies"),
        ("Mara asks for a new printer to be leased next year.", PRINTER, "neither says"),
        ("林悦把办公室搬到了北京。", OFFICE, "word"),
        ("王强已签合同。", OFFICE, "is denied"),
        ("评审改到5月13日。", OFFICE, "number"),
        ("聚餐点宫保鸡丁。", OFFICE, "is denied"),
        ("A" * 10_001, PRINTER, "too long"),
    ],
)
def test_what_is_made_up_is_told(summary: str, text: str, fault: str) -> None:
    assert fault in fault_of_summary(summary, text)
