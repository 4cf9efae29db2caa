"""How the process keeps its memory and lets its threads wait. To be called before torch is loaded."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD = -1, -2, -3  # As in malloc.h.


def prepare() -> None:
    # Threads that wait for each other by turning in circles make a busy machine crawl: beside other work two threads
    # trained at less than 7 images a second with the default, at 27 with this, at 35 without any turning.
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    # OpenBLAS takes the kernels of a Pentium 4 for a processor that is newer than itself: a fifth of the speed.
    if {"avx2", "fma"} <= processor_flags():
        os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
    # A tensor's memory given back to the system comes back as pages to be cleared: a fifth of a small net's time.
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # Only where the C library is GNU's.
    if mallopt:
        mallopt(MMAP_THRESHOLD, 32 << 20)
        mallopt(TRIM_THRESHOLD, 1 << 30)
        mallopt(TOP_PAD, 64 << 20)


def processor_flags() -> set[str]:
    with suppress(OSError), open("/proc/cpuinfo") as lines:
        for line in lines:
            if line.startswith("flags"):
                return set(line.split())
    return set()


def use_threads(count: int) -> None:
    """Of torch, and of OpenBLAS, which torch does not tell: it would start as many as there are processors in every
    process, and two runs side by side would spend a third of their time waiting for each other's."""
    import torch

    torch.set_num_threads(count)
    for name in ("libopenblas.so.0", "libopenblasp.so.0"):
        with suppress(OSError, AttributeError):
            # Only where it is loaded already: another copy would have threads of its own.
            ctypes.CDLL(name, mode=getattr(os, "RTLD_NOLOAD", 4)).openblas_set_num_threads(count)
