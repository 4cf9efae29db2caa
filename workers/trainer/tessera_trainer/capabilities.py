"""`python3 -m tessera_trainer.capabilities`: what this Python can train with, as one line of JSON."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import sys
from typing import Any


def processors() -> int:
    """Those this process may use: a container or a batch system may give fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def capabilities() -> dict[str, Any]:
    found: dict[str, Any] = {
        "python": platform.python_version(), "executable": sys.executable, "host": platform.node(),
        "processors": processors(), "torch": None, "numpy": None, "gpus": [], "exports": False,
    }  # fmt: skip
    try:
        import numpy
        import torch
    except ImportError as error:
        return {**found, "error": str(error)}
    newer = int(torch.__version__.split(".")[0]) >= 2
    found |= {
        "torch": torch.__version__,
        "numpy": numpy.__version__,
        # From torch 2 on the exporter asks for the onnx package.
        "exports": not newer or importlib.util.find_spec("onnx") is not None,
    }
    if torch.cuda.is_available():
        for index in range(torch.cuda.device_count()):
            about = torch.cuda.get_device_properties(index)
            found["gpus"].append({"name": about.name, "memory": about.total_memory})
    return found


if __name__ == "__main__":
    print(json.dumps(capabilities()))
