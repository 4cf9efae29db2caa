"""Reads one export per format with the field's own libraries and compares it with the truth beside it.

    python -m venv v && v/bin/pip install numpy scipy Pillow pycocotools pyyaml pyarrow
    npx tsx test/verify/write-exports.ts exports && v/bin/python test/verify/verify_formats.py exports

Prints a line per format. What public loaders need is put in own words here: nothing is taken from their code.
"""
import io
import os
import sys

import general_formats
import loaders
import open_layouts
import own_layouts
import street_cuts
from truth import ROOT, path

CHECKS = {**own_layouts.CHECKS, **open_layouts.CHECKS, **street_cuts.CHECKS, **general_formats.CHECKS}


def checks_of(name):
    return [(name, CHECKS.get(name))] + [(f"{name} ({package})", check) for (fmt, package), check in loaders.CHECKS.items() if fmt == name]


def main():
    failed = False
    for name in sorted(d for d in os.listdir(ROOT) if os.path.isdir(path(d))):
        for title, check in checks_of(name):
            if check is None:
                print(f"{title}: no check")
                continue
            stdout, sys.stdout = sys.stdout, io.StringIO()  # pycocotools prints to stdout
            try:
                line = f"ok, {check()}"
            except ModuleNotFoundError as error:
                line = f"not run, {error.name} is not installed"
            except Exception as error:  # every format gets its line
                failed = True
                line = f"WRONG: {type(error).__name__} {error}"
            finally:
                sys.stdout = stdout
            print(f"{title}: {line}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
