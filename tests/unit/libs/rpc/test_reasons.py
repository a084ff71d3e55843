"""docs/grpc.md against the protos: each reason is in the table, with the code that it says."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[4]


def in_the_protos() -> dict[str, set[str]]:
    """The codes of each reason, as the comment of its value begins with them."""
    lines = (ROOT / "protos/anamnesis/common/v1/error_reason.proto").read_text().splitlines()
    codes: dict[str, set[str]] = {}
    comment: list[str] = []
    for line in map(str.strip, lines):
        if line.startswith("//"):
            comment.append(line.removeprefix("//").strip())
            continue
        if value := re.match(r"ERROR_REASON_([A-Z_]+) = [1-9]", line):
            told = re.match(r"[A-Z_]+(?:(?: or |, )[A-Z_]+)*", " ".join(comment))
            codes[value[1]] = set(re.split(" or |, ", told[0])) if told else set()
        comment = []
    return codes


def in_the_table() -> dict[str, set[str]]:
    """The codes of each reason of the table."""
    rows = re.findall(
        r"^\| (`[A-Z_`, ]+`) \| ([A-Z_]+(?: or [A-Z_]+)*) \|",
        (ROOT / "docs/grpc.md").read_text(),
        re.MULTILINE,
    )
    return {
        name: set(codes.split(" or "))
        for names, codes in rows
        for name in re.findall("[A-Z_]+", names)
    }


def test_the_table_has_every_reason_with_its_code() -> None:
    assert in_the_table() == in_the_protos()
