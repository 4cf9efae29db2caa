"""Why a run ends, as exit codes (the names of sysexits.h) and the words for people that go with them."""

from __future__ import annotations

import errno
from typing import Any

SUCCEEDED = 0
USAGE = 64
DATA = 65
UNAVAILABLE = 69
SOFTWARE = 70
RANK_LOST = 71
CANNOT_CREATE = 73
PREEMPTED = 75
SUPERSEDED = 76
CANCELED = 130

STATES = {SUCCEEDED: "succeeded", PREEMPTED: "preempted", CANCELED: "canceled"}


class Failure(Exception):
    """An end with a reason. `details` is for machines: step, image ids, the batch size that would fit."""

    def __init__(self, code: int, kind: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.kind = kind
        self.details = details


class Stopped(Exception):
    """Someone asked the run to leave; what is on disk is enough to go on from."""


def is_disk_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return True
    # torch.save wraps what the file system says in a RuntimeError of its own.
    return isinstance(error, RuntimeError) and ("No space left" in str(error) or "file write failed" in str(error))


def is_rank_lost(error: BaseException) -> bool:
    """What gloo and NCCL say when a process they talk to is gone."""
    words = ("closed by peer", "reset by peer", "broken pipe", "gloo/transport", "nccl")
    return isinstance(error, RuntimeError) and any(word in str(error).lower() for word in words)


def is_out_of_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError):
        return True
    words = ("out of memory", "can't allocate memory", "not enough memory", "cannot allocate memory")
    return isinstance(error, RuntimeError) and any(word in str(error).lower() for word in words)
