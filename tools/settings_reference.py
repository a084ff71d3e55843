"""Writes docs/settings.md: every setting, from libs/anamnesis_libs/settings/__init__.py.

python -m tools.settings_reference           write the page
python -m tools.settings_reference --check   exit 1 when the page is not what would be written
"""

import json
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from anamnesis_libs.environment import CONFIG_VARIABLE
from anamnesis_libs.settings.config import Setting, known_settings

PAGE = Path(__file__).resolve().parent.parent / "docs" / "settings.md"

_INTRODUCTION = f"""\
# Settings

Written by `make settings` from `libs/anamnesis_libs/settings/__init__.py`; do not edit it by hand.

A setting has a group and a name. In the TOML file it stands in the table of its group:

```toml
[server]
listen = "127.0.0.1:6000"
```

As a variable it is `ANAMNESIS_GROUP__NAME`, with two underscores between group and name:

```
ANAMNESIS_SERVER__LISTEN=127.0.0.1:6000
```

Later sources win: default, file (`--config FILE`, or the file that `{CONFIG_VARIABLE}` names),
variable, option of the command line. A name that is not on this page is refused at the start.
A default of "none" means that the setting is unset. [Run](run.md) says which ones you need first.
"""


def main() -> int:
    """Runs the tool; the exit code says whether the page is fresh."""
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(known_settings()), encoding="utf-8")
        return 0
    if is_fresh():
        return 0
    sys.stderr.write(f"docs/{PAGE.name} is stale; run `make settings`\n")
    return 1


def is_fresh() -> bool:
    """True if the page says what the code says."""
    return PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page(known_settings())


def page(settings: tuple[Setting, ...]) -> str:
    """The whole page: an introduction, then one table a group, in the order of the code."""
    groups = groupby(settings, key=_group)
    return "\n".join([_INTRODUCTION, *(_table(group, members) for group, members in groups)])


def _table(group: str, members: Iterator[Setting]) -> str:
    lines = [f"## {group}", "", "| setting | default | meaning |", "|---|---|---|"]
    lines += [
        f"| `{each.name}` | {_default(each)} | {_cell(each.description)} |" for each in members
    ]
    return "\n".join([*lines, ""])


def _group(setting: Setting) -> str:
    return setting.name.partition(".")[0]


def _default(setting: Setting) -> str:
    """The default as TOML has it."""
    value = str(setting.default) if isinstance(setting.default, Path) else setting.default
    return "none" if value is None else f"`{json.dumps(value)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    raise SystemExit(main())
