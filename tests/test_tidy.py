"""Style as a test: what every file of the suite holds to, read from its syntax tree."""

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.each_row import over

ROOT = Path(__file__).parent.parent
GENERATED = ROOT / "libs" / "pb"
CODE = sorted(
    file
    for folder in ("cli", "clients/python", "libs", "services")
    for file in (ROOT / folder).rglob("*.py")
    if GENERATED not in file.parents
)
TOOLS = sorted(file for folder in ("benchmarks", "tools") for file in (ROOT / folder).rglob("*.py"))
EVERYTHING = sorted(
    {*CODE, *(file for folder in ("tests", "tools") for file in (ROOT / folder).rglob("*.py"))}
)

FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 60
FUNCTION_LINES_MEDIAN_MAX = 9
BARE_DICT_SHARE_MAX = 0.02
HOOK = "cli/anamnesis_cli/agents/hook"
"""A program of its own, which reads nothing of the suite."""
CATCH_ALL_FILES = {
    "libs/anamnesis_libs/http/edge.py",
    "libs/anamnesis_libs/rpc/interceptors.py",
    "libs/anamnesis_libs/run/loop.py",
    f"{HOOK}/events.py",
}
ENVIRONMENT_FILES = {
    "clients/python/anamnesis_client/defaults.py",
    "libs/anamnesis_libs/environment.py",
    f"{HOOK}/settings.py",
}
PROTO_FILES = re.compile(
    r"services/\w+/\w+/((api|convert|peers)/.*|(servicer|convert|peers|wiring)\w*\.py)"
    r"|libs/anamnesis_libs/(http|rpc|run)/.*|cli/.*|clients/python/.*"
)
FORBIDDEN = re.compile(
    r"\b(TODO|FIXME|XXX|HACK|coming soon|not yet implemented|placeholder value)\b"
)

SAYS_NOTHING = {tokenize.ENCODING, tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE}
OPENINGS = re.compile(r"(What|Whether|How)\b")

pytestmark = pytest.mark.slow  # every file of the project is parsed

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _name(file: Path) -> str:
    return str(file.relative_to(ROOT))


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), filename=str(file))


@cache
def _nodes(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(_tree(file)))


@pytest.fixture(scope="module", autouse=True)
def _let_go() -> Iterator[None]:
    """Trees are kept for all rules, and not for tests of other modules."""
    yield
    _nodes.cache_clear()
    _tree.cache_clear()


def _first_token(file: Path) -> int:
    """The kind of the first token that says something; no tree is made of the whole for it."""
    with file.open("rb") as opened:
        tokens = tokenize.tokenize(opened.readline)
        return next(token.type for token in tokens if token.type not in SAYS_NOTHING)


def _functions(file: Path) -> Iterator[Function]:
    return (node for node in _nodes(file) if isinstance(node, Function))


def _lines(function: Function) -> int:
    """Lines of the body; a signature is as long as its parameters need."""
    return (function.end_lineno or 0) - function.body[0].lineno + 1


def _all_functions() -> list[tuple[Path, Function]]:
    return [(file, function) for file in CODE for function in _functions(file)]


@over(EVERYTHING, _name)
def test_a_file_says_what_it_is_for(file: Path) -> None:
    assert _first_token(file) == tokenize.STRING, "open the file with a docstring"


@over([*CODE, *TOOLS], _name)
def test_a_docstring_names_its_thing(file: Path) -> None:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    said = (ast.get_docstring(node) or "" for node in _nodes(file) if isinstance(node, kinds))
    assert not [text for text in said if OPENINGS.match(text)], "say what it returns or does"


@over(CODE, _name)
def test_a_file_is_short(file: Path) -> None:
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert lines <= FILE_LINES_MAX, f"{lines} lines: split it by verb"


@over(CODE, _name)
def test_a_function_is_short(file: Path) -> None:
    long = [each.name for each in _functions(file) if _lines(each) > FUNCTION_LINES_MAX]
    assert long == [], f"over {FUNCTION_LINES_MAX} lines"


def test_functions_are_short_as_a_rule() -> None:
    lengths = sorted(_lines(function) for _, function in _all_functions())
    assert lengths[len(lengths) // 2] <= FUNCTION_LINES_MEDIAN_MAX


@over(CODE, _name)
def test_only_three_places_catch_everything(file: Path) -> None:
    broad = [
        handler.lineno
        for handler in _nodes(file)
        if isinstance(handler, ast.ExceptHandler) and _catches_everything(handler)
    ]
    assert broad == [] or _name(file) in CATCH_ALL_FILES, f"lines {broad}: name the exceptions"


def _catches_everything(handler: ast.ExceptHandler) -> bool:
    """Cleaning up and raising again is no swallowing."""
    if any(isinstance(node, ast.Raise) and node.exc is None for node in ast.walk(handler)):
        return False
    named = ast.walk(handler.type) if handler.type else iter(())
    broad = {"Exception", "BaseException"}
    return handler.type is None or any(isinstance(n, ast.Name) and n.id in broad for n in named)


@over(CODE, _name)
def test_only_one_file_reads_the_environment(file: Path) -> None:
    reads = [
        node.lineno
        for node in _nodes(file)
        if isinstance(node, ast.Attribute)
        and node.attr in {"environ", "environb", "getenv", "getenvb"}
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
    ]
    assert reads == [] or _name(file) in ENVIRONMENT_FILES, f"lines {reads}: add a setting"


@over(CODE, _name)
def test_generated_code_stays_at_the_edge(file: Path) -> None:
    imported = [
        module
        for node in _nodes(file)
        for module in _imports(node)
        if module.split(".")[0] == "anamnesis"
    ]
    assert imported == [] or PROTO_FILES.fullmatch(_name(file)), f"{imported}: use convert.py"


def _imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [each.name for each in node.names] if isinstance(node, ast.Import) else []


def test_signatures_rarely_have_a_bare_dict() -> None:
    functions = _all_functions()
    bare = [
        f"{_name(file)}:{function.lineno} {function.name}"
        for file, function in functions
        if any(_is_bare_dict(annotation) for annotation in _annotations(function))
    ]
    assert len(bare) <= BARE_DICT_SHARE_MAX * len(functions), f"use a dataclass: {bare}"


def _annotations(function: Function) -> list[ast.expr]:
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    found = [each.annotation for each in given] + [function.returns]
    return [annotation for annotation in found if annotation is not None]


def _is_bare_dict(annotation: ast.expr) -> bool:
    text = ast.unparse(annotation)
    return text in {"dict", "Dict"} or "dict[str, Any]" in text or "dict[str, object]" in text


@over(CODE, _name)
def test_nothing_is_left_for_later(file: Path) -> None:
    found = [
        f"{number}: {line.strip()}"
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if FORBIDDEN.search(line)
    ]
    assert found == []


@over(CODE, _name)
def test_any_is_not_a_type(file: Path) -> None:
    used = [node.lineno for node in _nodes(file) if isinstance(node, ast.Name) and node.id == "Any"]
    assert used == [], f"lines {used}: name the type, or object"
