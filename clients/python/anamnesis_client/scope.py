"""Whose memory a client speaks for, and from where."""

from dataclasses import dataclass

from anamnesis.common.v1.caller_pb2 import Caller


@dataclass(frozen=True, slots=True)
class Scope:
    """The namespace, the person, the agent and the session of a client's calls."""

    namespace: str
    user: str
    agent: str
    session: str
    time_zone: str = ""
    """Where its people are: Asia/Shanghai, or +08:00; empty is what the namespace's policy says."""

    @property
    def caller(self) -> Caller:
        """The caller that requests name."""
        return Caller(agent_id=self.agent, user_id=self.user, session_id=self.session)
