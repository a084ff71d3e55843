"""Reads the console blocks of a page, runs them as they are written, and compares what is printed.

A line that begins with `$ ` is a command, which goes on while its quotes are open or it ends in a
backslash; what stands below it is what it prints, if anything. In that `...` stands for anything
within a line, a line of it alone for any lines. Ids, and the moments of the day on which the page
was written, are not compared but remembered: where a later command names one, it gets its own.
"""

import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.support.page_json import is_json, is_so

_BLOCK = re.compile(r"(?ms)^```\n(\$ .*?)^```$")
_BEFORE = re.compile(r"(?m)^Before `(.+)`:$")
_WRITTEN = r"20\d\d-\d\d-\d\d"
"""The day on which a sample was written, where one of the moments below stands."""
_OWN = (
    r"(?P<id>\b[0-9a-f]{32}\b)",
    r"(?P<revision>\b[0-9a-f]{20}-\d+\b)",
    r"(?P<short>\b01a[0-9a-f]{5,28}(?=\.\.\.|…))",
    rf"(?P<moment>(?<=--known-at ){_WRITTEN}T\d\d:\d\d:\d\d|^{_WRITTEN}T\d\d:\d\d:\d\d$)",
    rf"(?P<now>\b{_WRITTEN}T\d\d:\d\d:\d\d\.\d+Z)",
    r"(?P<today>\b2026-11-\d\d(?: ?\d\d:\d\d(?: ?UTC)?)?)",
    r"(?P<etag>\b[0-9a-f]{6}-[0-9a-f]+\b)",
    r"(?P<score>(?<=^)\d\.\s\s?-?\d+\.\d{3}(?=\s))",
    r"(?P<rest>\.\.\.)",
)
_KINDS = re.compile("|".join(_OWN), re.MULTILINE)
_FORMS = {
    "id": r"[0-9a-f]{32}",
    "revision": r"[0-9a-f]{20}-\d+",
    "short": r"[0-9a-f]+",
    "moment": rf"{_WRITTEN}T\d\d:\d\d:\d\d",
    "now": rf"{_WRITTEN}T\d\d:\d\d:\d\d\.\d+Z",
    "today": rf"{_WRITTEN}(?: ?\d\d:\d\d(?: ?UTC)?)?",
    "etag": r"[0-9a-f]{6}-[0-9a-f]+",
    "score": r"\d\. +-?\d+\.\d{3}",
    "rest": r"[^\n]*?",
}
_REMEMBERED = ("id", "revision", "moment")


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a page, and what the page says it prints; empty where it says nothing."""

    command: str
    sample: str
    line: int

    @property
    def may_fail(self) -> bool:
        """The sample is an error."""
        return self.sample.lower().startswith("error:")


def steps_of(text: str) -> Iterator[Step]:
    """The commands of a page's blocks, in its order."""
    for block in _BLOCK.finditer(text):
        yield from _steps(block[1].splitlines(), text[: block.start(1)].count("\n") + 1)


def prepared(page: str, before: str) -> Iterator[Step]:
    """The commands of a page, before some of them what they take for granted."""
    parts = _BEFORE.split(before)
    waiting = dict(zip(parts[1::2], parts[2::2], strict=True))
    for step in steps_of(page):
        for begin in [each for each in waiting if each in step.command]:
            yield from steps_of(waiting.pop(begin))
        yield step
    assert not waiting, f"the page has no more: {list(waiting)}"


def _steps(lines: list[str], first: int) -> Iterator[Step]:
    at = 0
    while at < len(lines):
        begin, command = at, lines[at].removeprefix("$ ")
        while _goes_on(command):
            at += 1
            command += f"\n{lines[at]}"
        at += 1
        printed = at
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        yield Step(
            command, "\n".join(map(str.rstrip, lines[printed:at])).strip("\n"), first + begin
        )


def _goes_on(command: str) -> bool:
    """A quote is open, or the line ends in a backslash."""
    escaped = re.sub(r"\\.", "", command, flags=re.DOTALL)
    plain = re.sub(r"'[^']*'|\"[^\"]*\"|(?<= )#.*", "", escaped)
    return command.endswith("\\") or "'" in plain or '"' in plain


@dataclass(slots=True)
class Shell:
    """One bash in which the commands of a page run in turn."""

    process: "subprocess.Popen[str]"
    directory: Path
    server: str
    known: dict[str, str] = field(default_factory=dict)

    def run(self, step: Step) -> str:
        """Runs the command of a step with the ids that are known by now.

        Returns:
            What is wrong with the sample; empty if it is true.
        """
        code = self._ended(_with_own(step.command, self.known, self.server))
        answer, notes = (self._file(each).read_text("utf-8") for each in ("answer", "notes"))
        both, answer = (self._plain(each) for each in (answer + notes, answer))
        if code and not step.may_fail:
            return f"line {step.line}: $ {step.command}\nended with {code}:\n{both}"
        if not step.sample or any(self._is_so(step.sample, told) for told in (both, answer)):
            return ""
        return f"line {step.line}: $ {step.command}\nprints\n{both}\nnot\n{step.sample}"

    def _plain(self, printed: str) -> str:
        """Without this server's address, and the blanks at the ends of lines and of it all."""
        lines = printed.replace(f" --server {self.server}", "").split("\n")
        return "\n".join(map(str.rstrip, lines)).strip("\n")

    def _file(self, name: str) -> Path:
        return self.directory.parent / name

    def _ended(self, command: str) -> int:
        """The exit code of a command; what it printed is in two files."""
        into = f">{self._file('answer')} 2>{self._file('notes')}"
        writes, reads = _pipes(self.process)
        writes.write(f"{{ {command}\n}} </dev/null {into}; echo $?\n")
        writes.flush()
        return int(reads.readline())

    def _is_so(self, sample: str, printed: str) -> bool:
        if is_json(sample):
            return is_so(sample, printed, self._same)
        return self._same(sample, printed)

    def _same(self, sample: str, printed: str) -> bool:
        """It is the sample, with ids of its own, which are remembered."""
        pattern, names = _pattern(sample, self.known)
        found = re.fullmatch(pattern, printed)
        if found is None:
            return False
        self.known.update((written, found[group]) for written, group in names.items())
        return True


def open_shell(directory: Path, environment: Mapping[str, str], server: str) -> Shell:
    """A shell in a directory, whose commands call the server."""
    process = subprocess.Popen(
        ["bash", "--noprofile", "--norc"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=dict(environment),
        cwd=directory,
    )
    return Shell(process, directory, server)


def _pipes(process: "subprocess.Popen[str]") -> tuple[IO[str], IO[str]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def _with_own(command: str, known: Mapping[str, str], server: str) -> str:
    for written, own in known.items():
        command = command.replace(written, own)
    return command.replace("127.0.0.1:50051", server)


def _pattern(sample: str, known: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """A regular expression of the sample, and the group of each id that is new."""
    groups: dict[str, str] = {}
    parts: list[str] = []
    at = 0
    for found in _KINDS.finditer(sample):
        parts.append(re.escape(sample[at : found.start()]))
        parts.append(_of(found, sample, known, groups))
        at = found.end()
    return "".join((*parts, re.escape(sample[at:]))), groups


def _of(found: re.Match[str], sample: str, known: Mapping[str, str], groups: dict[str, str]) -> str:
    """What may stand for one id, moment or gap."""
    kind, written = found.lastgroup or "", found[0]
    if kind == "rest" and _alone(sample, found):
        return r"(?s:.*)"
    if kind not in _REMEMBERED:
        return _FORMS[kind]
    if written in known:
        return re.escape(known[written])
    if written in groups:
        return f"(?P={groups[written]})"
    groups[written] = f"own{len(groups)}"
    return f"(?P<{groups[written]}>{_FORMS[kind]})"


def _alone(sample: str, found: re.Match[str]) -> bool:
    before, after = sample[: found.start()].rstrip(" "), sample[found.end() :]
    return (not before or before.endswith("\n")) and (not after or after.startswith("\n"))
