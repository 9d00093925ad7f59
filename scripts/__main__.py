#!/usr/bin/env python3
"""The door: `python3 scripts audit …` imports the auditor, so that Python keeps its bytecode."""
import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)        # until main answers it: no traceback

from post_summary_faithfulness_auditor import main

sys.exit(main())
