"""Scopes: who may see a memory, as one word that all members of a topic share.

    "shared"       everybody
    "agent:coder"  one agent
    "user:ada"     one user, or several together (see participants.py)

The stores keep these words and compare with them, so they never change.
"""

from anamnesis_libs.participants import among, participants

SHARED_SCOPE = "shared"


def agent_scope(agent_id: str) -> str:
    """The scope of what is private to an agent."""
    return f"agent:{agent_id}"


def user_scope(owner: str) -> str:
    """The scope of what is private to a user, or to several of them together."""
    return f"user:{owner}"


def caller_in(scope: str) -> tuple[str, str]:
    """An agent and a user, at most one of them named, who see what is in a scope."""
    kind, _, owner = scope.partition(":")
    if kind == "agent":
        return owner, ""
    return "", next(iter(participants(owner)), "")


def scopes_seen(agent_id: str, user_id: str) -> list[str]:
    """The scopes that a caller sees; what begins with a mark is in those of several users."""
    scopes = [SHARED_SCOPE]
    if agent_id:
        scopes.append(agent_scope(agent_id))
    if user_id:
        scopes += [user_scope(user_id), among(user_id)]
    return scopes
