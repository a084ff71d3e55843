"""The settings of the hook, whose they are, and where a person's files are.

This file alone reads the environment. Nothing in a project's folder is read: where memories go is a
person's to decide, not a repository's.
"""

import os

from anamnesis_cli.agents.hook.objects import JsonObject, object_of, read_object

DEFAULTS = {
    "url": "http://127.0.0.1:50080",  # where the suite answers JSON over HTTP
    "namespace": "",  # empty: the name of the project's folder
    "user": "",  # empty: the login name
    "api_key_file": "",
    "tls_ca": "",
    "brief_tokens": "600",
    "context_tokens": "400",  # of the first prompt's context
    "later_tokens": "200",  # of a later one
    "later_max": "5",  # so many later ones in a session
    "timeout_s": "2",  # for a prompt, and twice that for a brief
    "keep": "True",  # hand transcripts over
    "off": "False",  # do nothing
}
"""Every setting: `--name` on the command line, else `ANAMNESIS_HOOKS_NAME`, else the file."""
PREFIX = "ANAMNESIS_HOOKS_"


def settings_of(arguments: list[str], root: str) -> dict[str, str]:
    """The settings: what is given, else of the environment, else of the file, else as usual.

    The file may say other things of single projects, by the paths of their folders.
    """
    file = read_object(os.path.join(home("CONFIG", ".config"), "hooks.json"))
    settings = {**DEFAULTS, **_known(file), **_known(object_of(object_of(file, "projects"), root))}
    for name in DEFAULTS:
        settings[name] = os.environ.get(PREFIX + name.upper(), settings[name])
    names = [name.removeprefix("--").replace("-", "_") for name in arguments[::2]]
    return settings | _known(dict(zip(names, arguments[1::2], strict=False)))


def is_true(value: str) -> bool:
    """True for a setting that is on."""
    return value.lower() in ("true", "yes", "on", "1")


def login_name() -> str:
    """The person at this machine, as the command line names them."""
    if "ANAMNESIS_USER" in os.environ:
        return os.environ["ANAMNESIS_USER"]
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        if os.environ.get(name):
            return os.environ[name]
    import pwd

    return pwd.getpwuid(os.getuid()).pw_name


def home(kind: str, usual: str) -> str:
    """Our folder in the person's folder of configuration or state, as the XDG rules name them."""
    base = os.environ.get(f"XDG_{kind}_HOME") or os.path.join(os.path.expanduser("~"), usual)
    return os.path.join(base, "anamnesis")


def _known(given: JsonObject) -> dict[str, str]:
    return {name: str(value) for name, value in given.items() if name in DEFAULTS}
