"""Has lessons that say the same made one, telling each decision as it comes.

With `--json` each decision is a line, and the run the last.
"""

import grpc

from anamnesis.cluster.v1.cluster_service_pb2 import ConsolidateRequest, ConsolidationDecision
from anamnesis.cluster.v1.cluster_service_pb2_grpc import ClusterServiceStub
from anamnesis.memory.v1.duplicate_pb2 import DuplicateOutcome
from anamnesis.memory.v1.sleep_pb2 import Run
from anamnesis_cli.output import as_dict, console, note, one_line, print_json
from anamnesis_cli.sleeping import counted, ended_of, ended_well
from anamnesis_cli.target import Target
from anamnesis_cli.work_bar import WorkBar
from anamnesis_libs.rpc.enums import enum_word

MERGES_MAX = 50
_WORDS = {
    "merged": "one",
    "kept_apart": "two",
    "contradicts": "two that contradict each other",
    "refused": "refused",
    "waiting": "waits",
}


def consolidated(channel: grpc.Channel, target: Target, merges_max: int, *, dry_run: bool) -> Run:
    """Run, printing each decision as it comes; the run as it ended."""
    request = ConsolidateRequest(
        namespace=target.working_namespace, dry_run=dry_run, merges_max=merges_max
    )
    run = Run()
    with WorkBar("consolidate", hidden=target.as_json) as bar:
        for told in ClusterServiceStub(channel).Consolidate(request):
            match told.WhichOneof("told"):
                case "decision":
                    _print(told.decision, target)
                case "progress":
                    done = told.progress.lessons
                    bar.move(f"{told.progress.decisions} decisions, lessons", done, done)
                case _:
                    run = told.run
    return run


def print_run(run: Run, target: Target, *, dry_run: bool) -> bool:
    """Tell what the run came to; True if it ended well."""
    if target.as_json:
        print_json(as_dict(run), indent=None)
    ended = ended_of(run)
    if ended.reason:
        note(f"it failed: {ended.reason}; what was decided stays")
    elif ended.state == "held_elsewhere":
        note("the server or somebody else is at it just now; try again in a minute")
    else:
        would = "would have come to" if dry_run else "came to"
        told = counted(ended.counts)
        note(f"it {would}: {'nothing to decide' if told == '-' else told}")
    return ended_well(ended)


def _print(decision: ConsolidationDecision, target: Target) -> None:
    if target.as_json:
        print_json(as_dict(decision), indent=None)
        return
    word = _WORDS[enum_word(DuplicateOutcome, decision.outcome)]
    kind = "contribution" if decision.contribution else "lesson"
    to = console()
    to.print(f"[bold]{word}[/]  ({decision.similarity:.2f})  {decision.known_id}", soft_wrap=True)
    to.print(f"  lesson        {one_line(decision.known_content)}", soft_wrap=True)
    to.print(f"  {kind:12}  {one_line(decision.other_content)}", soft_wrap=True)
    if decision.content:
        to.print(f"  text for both {one_line(decision.content)}", soft_wrap=True)
    if decision.reason:
        to.print(f"  why           {one_line(decision.reason)}", soft_wrap=True)
