"""The events of an agent, and what the hook does at each.

    anamnesis-hook claude-code|codex|cursor [--namespace NAME ...]  < the event, as JSON

| event | does |
|---|---|
| session start | tells one brief: see `brief` |
| prompt | tells the first one context, later ones what was not shown and answers by itself |
| stop, before a compaction | hands over the transcript, of which the suite adds what is new |

It ends with 0 and says nothing where nothing is relevant or nobody answers; what went wrong is a
line in a small log. No process of its own outlives it.
"""

import json
import os
import sys
import time

from anamnesis_cli.agents.hook.objects import JsonObject, as_object, number_of, text_of
from anamnesis_cli.agents.hook.project import namespace_of, project_root
from anamnesis_cli.agents.hook.settings import is_true, login_name, settings_of
from anamnesis_cli.agents.hook.states import (
    first_notice,
    forget_old_states,
    note,
    read_state,
    write_state,
)

BUILD_CONTEXT = "/anamnesis.retrieval.v1.RetrievalService/BuildContext"
PROMPT_CHARS_MAX = 8000
INPUT_BYTES_MAX = 8 * 1024 * 1024
LATER_MEMORIES_MAX = 5
EVENTS = {
    "sessionstart": "brief",
    "userpromptsubmit": "prompt",
    "stop": "stop",
    "precompact": "compact",
}


def main() -> int:
    """Serve one event of an agent; 0 whatever happens."""
    event: JsonObject = {}
    try:
        event = as_object(json.loads(sys.stdin.buffer.read(INPUT_BYTES_MAX)))
        root = project_root(_folder(event))
        answer = Hook(sys.argv[1], settings_of(sys.argv[2:], root), event, root).serve()
        if answer:
            sys.stdout.write(json.dumps(answer) + "\n")
    except Exception as error:
        note(f"{text_of(event, 'hook_event_name')}: {type(error).__name__}: {error}")
    return 0


class Hook:
    """One event of one agent."""

    def __init__(self, agent: str, settings: dict[str, str], event: JsonObject, root: str) -> None:
        self.agent = agent
        self.settings = settings
        self.event = event
        self.session = text_of(event, "session_id") or text_of(event, "conversation_id")
        self.root = root
        self.namespace = settings["namespace"] or namespace_of(root)
        self.user = settings["user"] or login_name()
        self.state = read_state(self.session)
        self.by_s = time.monotonic() + float(settings["timeout_s"])

    def serve(self) -> JsonObject:
        """The answer to the agent; empty where there is nothing to say."""
        kind = EVENTS.get(text_of(self.event, "hook_event_name").lower(), "")
        if not self.session or not kind or is_true(self.settings["off"]):
            return {}
        if kind == "brief":
            return self._start()
        if kind == "prompt":
            return self._said(self._prompt())
        if is_true(self.settings["keep"]):
            self._hand_over(at_once=kind == "compact")
        return {}

    def _start(self) -> JsonObject:
        """The brief, and on a project's first session a notice to its person."""
        self.by_s += float(self.settings["timeout_s"])
        source = text_of(self.event, "source")
        if source == "compact":  # what was shown before is gone from the agent's sight
            self.state["compacted"] = number_of(self.state, "compacted") + 1
        forget_old_states()
        has_it = source == "resume" and self.state.get("briefed")
        answer = self._said("" if has_it else self._brief())
        self.state["briefed"] = bool(has_it or answer)
        self._save()
        if self.agent != "cursor" and is_true(self.settings["keep"]):
            answer.update(first_notice(self.namespace, self.settings["url"]))
        return answer

    def _said(self, text: str) -> JsonObject:
        if not text:
            return {}
        if self.agent == "cursor":
            return {"additional_context": text}
        name = text_of(self.event, "hook_event_name")
        return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}

    def _brief(self) -> str:
        from anamnesis_cli.agents.hook.brief import brief_of

        return brief_of(self._ask, int(self.settings["brief_tokens"]))

    def _prompt(self) -> str:
        """The context of a prompt; "" where it says nothing new, or enough was told already."""
        prompt = text_of(self.event, "prompt").strip()[:PROMPT_CHARS_MAX]
        if not prompt or prompt.startswith("/"):
            return ""
        first = not self.state.get("prompted")
        told = number_of(self.state, "told")
        if not first and told >= int(self.settings["later_max"]):
            return ""
        tokens = int(self.settings["context_tokens" if first else "later_tokens"])
        more: JsonObject = {} if first else {"limit": LATER_MEMORIES_MAX}
        text = text_of(self._ask(prompt, tokens, more), "text")
        self.state.update(prompted=True, told=told + bool(text and not first))
        self._save()
        return text

    def _ask(self, query: str, tokens: int, more: JsonObject) -> JsonObject:
        """The answer of a context; empty where there is no such namespace, or no room to tell."""
        from anamnesis_cli.agents.hook.exchange import call, from_here

        if tokens <= 0:
            return {}
        seen = number_of(self.state, "compacted")
        session = f"{self.session}/{seen}" if seen else self.session
        request: JsonObject = {
            "namespace": self.namespace,
            "query": query,
            "tokenBudget": tokens,
            "caller": {"agentId": self.agent, "userId": self.user, "sessionId": session},
            "excludeShown": True,
            "excludeOwnSession": True,
            **more,
        }
        return from_here(
            lambda clock: call(BUILD_CONTEXT, {**request, **clock}, self.settings, self.by_s)
        )

    def _hand_over(self, *, at_once: bool) -> None:
        """Hand the transcript over, and those that were left behind."""
        from anamnesis_cli.agents.hook import transcripts

        name = f"{transcripts.TAKEN}{self.session}"
        taken: JsonObject = read_state(name) | {
            "path": text_of(self.event, "transcript_path"),
            "agent": self.agent,
            "project": os.path.basename(self.root),
            "namespace": self.namespace,
            "user": self.user,
            # Cursor's transcripts name no session themselves
            "session": self.session if self.agent == "cursor" else "",
        }
        due = [(name, taken)] if transcripts.is_due(taken, at_once=at_once) else []
        write_state(name, taken)
        for each, state in [*due, *transcripts.left_behind(name)]:
            transcripts.hand_over(state, self.settings)
            write_state(each, state)

    def _save(self) -> None:
        write_state(self.session, self.state)


def _folder(event: JsonObject) -> str:
    roots = event.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return text_of(event, "cwd") or str(first) or "."
