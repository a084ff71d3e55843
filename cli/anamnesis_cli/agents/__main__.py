"""The hook as agents start it, `python -I -S FOLDER AGENT`: of a folder it is read compiled."""

import sys

import hook  # type: ignore[import-not-found]  # beside this file, where Python looks then

sys.exit(hook.main())
