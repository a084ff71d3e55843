"""The hook that coding agents run; `events` says what it does at each moment of a session.

Rules of these files: the standard library alone and as little of it as will do, since an agent
waits for the start; each file is read by the events that need it.
"""

from anamnesis_cli.agents.hook.events import main as main
