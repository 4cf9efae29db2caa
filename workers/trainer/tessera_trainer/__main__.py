import os
import sys
from contextlib import suppress

from .worker import main

code = main(sys.argv[1:])
with suppress(OSError):  # A log on a full disk.
    sys.stdout.flush()
    sys.stderr.flush()
# Without the interpreter's own farewell: after a lost rank it would wait for threads that never end.
os._exit(code)
