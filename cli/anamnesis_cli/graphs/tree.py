"""The neighbourhood of an entity as a tree of lines."""

from collections.abc import Iterable

from rich.tree import Tree

from anamnesis_cli.graphs.neighbourhood import VALUE, Neighbourhood, StatedFact, Thing
from anamnesis_cli.output import one_line

TOGETHER_MAX = 20


def tree(around: Neighbourhood) -> Tree:
    """The entity with its own facts, the facts of others, and the entities mentioned beside."""
    centre = around.centre
    root = Tree(f"[bold]{_named(centre)}[/], mentioned {centre.mentions:,} times")
    own = [one for one in around.claims if one.subject == centre.key]
    _facts(root, "what is known of it", own, around)
    others = [one for one in around.claims if one.subject != centre.key]
    _facts(root, "what is known of others", others, around)
    if around.together:
        branch = root.add("[bold]mentioned together with[/]")
        for key in around.together[:TOGETHER_MAX]:
            branch.add(_named(around.things[key]))
        if len(around.together) > TOGETHER_MAX:
            branch.add(f"[dim]and {len(around.together) - TOGETHER_MAX:,} more[/]")
    if around.counts:
        root.add(counted(around.counts.items()))
    return root


def counted(counts: Iterable[tuple[str, int]]) -> str:
    """The counts with their words, as in "2 facts, 1 lesson"."""
    return ", ".join(f"{count:,} {word}{'s' if count > 1 else ''}" for word, count in counts)


def _facts(root: Tree, title: str, claims: list[StatedFact], around: Neighbourhood) -> None:
    if not claims:
        return
    branch = root.add(f"[bold]{title}[/]")
    for claim in claims:
        branch.add(_line(claim, around))


def _line(claim: StatedFact, around: Neighbourhood) -> str:
    subject, said = around.things[claim.subject], around.things[claim.object]
    head = "" if claim.subject == around.centre.key else f"{_named(subject)} "
    text = f"{head}[italic]{one_line(claim.predicate)}[/] → {_named(said)}"
    if claim.when:
        text += f"  [cyan]{claim.when}[/]"
    for word in filter(None, ["over" if claim.over else "", claim.caveat]):
        text += f"  [yellow]{word}[/]"
    return f"[dim]{text}[/]" if claim.over else text


def _named(thing: Thing) -> str:
    kind = "" if thing.kind in ("", VALUE) else f" [dim]({thing.kind})[/]"
    return f"{one_line(thing.name)}{kind}"
