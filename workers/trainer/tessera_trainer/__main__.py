import os
import sys

from .worker import main

code = main(sys.argv[1:])
sys.stdout.flush()
sys.stderr.flush()
# Without the interpreter's own farewell: after a lost rank it would wait for threads that never end.
os._exit(code)
