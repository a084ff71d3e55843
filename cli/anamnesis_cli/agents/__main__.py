"""The hook as agents start it, `python -I -S FOLDER AGENT`: with no package but its own."""

import os
import sys

del sys.path[0]  # this folder, whose names are none to import
sys.path.append(os.path.abspath(os.path.join(__file__, "../../..")))

from anamnesis_cli.agents.hook import main

sys.exit(main())
