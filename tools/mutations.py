"""Small changes to a syntax tree, each of which makes a program wrong somewhere.

A change is a word for it and a function that makes it, in place. Docstrings, annotations,
imports, messages of errors and log lines are left alone: no test should hang on them.
"""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import unified_diff

Change = tuple[str, Callable[[], None]]
Function = ast.FunctionDef | ast.AsyncFunctionDef

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_SUMS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}
_QUIET = ("_LOG", "Protocol")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed module."""

    module: str
    line: int
    what: str
    before: str
    after: str

    @property
    def diff(self) -> str:
        """The difference that a mutant makes, as lines of a diff."""
        lines = unified_diff(self.before.splitlines(), self.after.splitlines(), lineterm="", n=1)
        return "\n".join(line for line in lines if not line.startswith(("---", "+++")))


def mutants_of(module: str, source: str) -> Iterator[Mutant]:
    """Every mutant of a module."""
    tree = _bare(source)
    before = ast.unparse(tree)
    for position, node in enumerate(_inner(tree)):
        for number, (what, _) in enumerate(changes_of(node)):
            twin_tree = copy.deepcopy(tree)
            twin = list(_inner(twin_tree))[position]
            list(changes_of(twin))[number][1]()
            after = ast.unparse(ast.fix_missing_locations(twin_tree))
            if after != before:
                yield Mutant(module, getattr(node, "lineno", 0), what, before, after)


def changes_of(node: ast.AST) -> Iterator[Change]:
    """The changes that can be made to one node."""
    match node:
        case ast.If() | ast.While() | ast.IfExp():
            yield "condition negated", lambda: _negate(node)
        case ast.Compare():
            yield "comparison turned", lambda: _turn(node)
        case ast.BoolOp():
            yield "and for or", lambda: _swap_bool(node)
        case ast.BinOp() if type(node.op) in _SUMS:
            yield "sum turned", lambda: setattr(node, "op", _SUMS[type(node.op)]())
        case ast.Constant():
            yield from _constants(node)
        case ast.Call():
            yield from _calls(node)
    yield from _statements(node)


def _constants(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield "constant turned", lambda: setattr(node, "value", not value)
    elif isinstance(value, int | float):
        yield "off by one", lambda: setattr(node, "value", value + 1)


def _calls(node: ast.Call) -> Iterator[Change]:
    if len(node.args) > 1 and not any(isinstance(one, ast.Starred) for one in node.args[:2]):
        yield "arguments swapped", lambda: _swap_arguments(node)
    for position, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            yield f"{keyword.arg} dropped", lambda at=position: node.keywords.pop(at)  # type: ignore[misc]


def _statements(node: ast.AST) -> Iterator[Change]:
    """Leave out a statement of a block; one that only waits is dropped as well."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if not isinstance(block, list) or isinstance(node, ast.Module | ast.ClassDef):
            continue
        for position, statement in enumerate(block):
            if _can_go(statement):
                what = f"{type(statement).__name__.lower()} dropped"
                yield what, lambda block=block, at=position: _drop(block, at)  # type: ignore[misc]


def _can_go(statement: ast.stmt) -> bool:
    kinds = ast.Expr | ast.Assign | ast.AugAssign | ast.Delete | ast.Raise | ast.Return
    if not isinstance(statement, kinds | ast.If | ast.For | ast.Continue):
        return False
    return not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))


def _drop(block: list[ast.stmt], position: int) -> None:
    block[position] = ast.copy_location(ast.Pass(), block[position])


def _negate(node: ast.If | ast.While | ast.IfExp) -> None:
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _turn(node: ast.Compare) -> None:
    node.ops[0] = _COMPARISONS[type(node.ops[0])]()


def _swap_bool(node: ast.BoolOp) -> None:
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


def _swap_arguments(node: ast.Call) -> None:
    node.args[0], node.args[1] = node.args[1], node.args[0]


def _bare(source: str) -> ast.Module:
    """The code without its docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    tree.body = tree.body[1:]
    return tree


def _inner(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes in order, but for what is no behaviour."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_quiet(child):
                yield from _inner(child)


def _is_quiet(node: ast.AST) -> bool:
    """Imports, log lines, f-strings, type variables and assertions tell, they do nothing."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr | ast.Assert):
        return True
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
        called = node.value.func
        return isinstance(called, ast.Name) and called.id in ("TypeVar", "logger")
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    called = node.value.func
    owner = called.value if isinstance(called, ast.Attribute) else called
    return isinstance(owner, ast.Name) and owner.id in _QUIET
