"""`anamnesis fact`: a fact is stated, or taken back."""

import click
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1.knowledge_service_pb2 import (
    AssertFactRequest,
    AssertFactResponse,
    RetractFactRequest,
)
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from anamnesis.memory.v1.memory_pb2 import FactKind
from anamnesis.memory.v1.memory_service_pb2 import CREATE_OUTCOME_MERGED
from anamnesis_cli.call import run
from anamnesis_cli.dates import WrittenDate, expires_option
from anamnesis_cli.fact_times import told
from anamnesis_cli.output import console, note, one_line, print_json
from anamnesis_cli.params import words
from anamnesis_cli.scope import caller_of, caller_options, to_visibility, visibility_option
from anamnesis_cli.target import (
    ClientCommand,
    Target,
    pass_target,
    target_options,
    user_option,
    usual_agent,
)
from anamnesis_libs.rpc.enums import enum_value

_EPILOG = """\
\b
Examples:
  anamnesis fact add Mara lives_in Utrecht --from 2026-03-01
  anamnesis fact retract 01a20ba8cc9996c755095c4104514e6a
"""
_ADD_EPILOG = """\
\b
Examples:
  anamnesis fact add Mara lives_in Utrecht --from 2026-03-01 --single-valued
  anamnesis fact add me allergic_to peanuts
  anamnesis fact add Mara works_at "Halden Labs" --from 2019 --until 2023-06-01
  anamnesis fact add "the office" closes_at 18:00 --visibility shared --source handbook
"""
_RETRACT_EPILOG = """\
\b
Examples:
  anamnesis facts --subject Mara
  anamnesis fact retract 01a20ba8cc9996c755095c4104514e6a
"""
_ME = frozenset({"me", "i", "myself", "我"})
"""Subjects that mean who states the fact."""
_REQUEST_ID = click.option(
    "--request-id", default="", metavar="ID", help="Sent twice, it is done once (24 hours)."
)


@click.group(epilog=_EPILOG)
@user_option
@target_options
def fact() -> None:
    """State a fact, or take one back; `anamnesis facts` lists them."""


@fact.command(cls=ClientCommand, epilog=_ADD_EPILOG, short_help="State a fact.")
@click.argument("subject")
@click.argument("predicate")
@click.argument("object_", metavar="OBJECT")
@click.option("--from", "begin", type=WrittenDate(), metavar="TIME", help="It holds from TIME on.")
@click.option(
    "--until", "end", type=WrittenDate(), metavar="TIME", help="It holds no more from TIME on."
)
@click.option("--kind", type=words(FactKind), help="The kind of fact (default: other).")
@click.option(
    "--single-valued", is_flag=True, help="There is one OBJECT at a time: the old fact ends."
)
@click.option("--statement", default="", metavar="TEXT", help="The sentence that says it.")
@click.option("--source", default="", metavar="NAME", help="Who or what says so.")
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1),
    metavar="0..1",
    help="How sure it is (default 0.8).",
)
@click.option("--agent", default=usual_agent, metavar="ID", help="The agent it belongs to.")
@_REQUEST_ID
@expires_option
@visibility_option
@user_option
@target_options
@pass_target
def add(
    target: Target,
    subject: str,
    predicate: str,
    object_: str,
    begin: Timestamp | None,
    end: Timestamp | None,
    kind: str | None,
    single_valued: bool,
    statement: str,
    source: str,
    confidence: float | None,
    agent: str,
    visibility: str | None,
    expires: Timestamp | None,
    request_id: str,
) -> None:
    """State that SUBJECT PREDICATE OBJECT: `Mara lives_in Utrecht`.

    `me` is --user: so "where do I live?" finds it, asked by the same user.

    A date means its first instant. What is known already becomes surer. Of a predicate with one
    value at a time, such as lives_in, the fact that held before ends where the new one begins, and
    is kept as what held until then.
    """
    request = AssertFactRequest(
        namespace=target.working_namespace,
        subject=_meant(subject, target),
        predicate=predicate,
        object=object_,
        valid_from=begin,
        valid_to=end,
        fact_kind=enum_value(FactKind, kind),
        single_valued=single_valued,
        statement=statement,
        source=source,
        confidence=confidence,
        agent_id=agent,
        user_id=target.user_id,
        visibility=to_visibility(visibility),
        expire_time=expires,
        request_id=request_id,
    )
    answer = run(
        target,
        lambda channel: KnowledgeServiceStub(channel).AssertFact(request, timeout=target.timeout_s),
    )
    if target.as_json:
        print_json(answer)
    else:
        _print_added(answer)


def _meant(subject: str, target: Target) -> str:
    """The subject; of "me" the user who states it.

    Raises:
        click.UsageError: nobody is named as the user.
    """
    if subject.casefold() not in _ME:
        return subject
    if not target.user_id:
        raise click.UsageError(f"'{subject}' is nobody without --user; name the subject, or --user")
    return target.user_id


@fact.command(cls=ClientCommand, epilog=_RETRACT_EPILOG, short_help="Take back a fact.")
@click.argument("memory_id", metavar="ID")
@_REQUEST_ID
@caller_options
@target_options
@pass_target
def retract(
    target: Target, memory_id: str, request_id: str, as_agent: str, as_session: str
) -> None:
    """Take back the fact ID, which should never have been stated.

    It is archived, and can still be read as what was known once (`anamnesis facts --known-at`).
    What it had ended goes on, and what was derived from it is marked for review. A fact that held
    and holds no more is not taken back: state what holds now.
    """
    request = RetractFactRequest(
        namespace=target.working_namespace,
        memory_id=memory_id,
        caller=caller_of(target, as_agent, as_session),
        request_id=request_id,
    )
    answer = run(
        target,
        lambda channel: KnowledgeServiceStub(channel).RetractFact(
            request, timeout=target.timeout_s
        ),
    )
    if target.as_json:
        print_json(answer)
        return
    said = answer.memory.content or answer.memory.summary
    console().print(f"taken back: {one_line(said)}", soft_wrap=True)
    for reopened in answer.reopened_ids:
        note(f"goes on: {reopened}")


def _print_added(answer: AssertFactResponse) -> None:
    memory = answer.fact.memory
    done = "known already, surer now" if answer.outcome == CREATE_OUTCOME_MERGED else "known"
    said = memory.content or f"{memory.fact.subject} {memory.fact.predicate} {memory.fact.object}"
    held = told(memory)
    console().print(
        f"{done}: {one_line(said)}{f' ({held})' if held else ''}, "
        f"memory [cyan]{one_line(memory.memory_id)}[/]",
        soft_wrap=True,
    )
    for closed in answer.closed_ids:
        note(f"ended by it: {closed}")
    note(f"revision {answer.revision} (search --at-least-revision waits for it)")
