"""The next batch is made while the net works on this one: on a small net reading, cropping and mirroring would otherwise
take a sixth of the time. A batch is a function of its place, so that who makes it, and when, changes nothing."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor

import torch

from .batches import Batch, Loader

Place = tuple[int, int, int]  # stage, epoch, step


def one_thread_when_idle() -> None:
    """The threads belong to the net: more of them than processors, and OpenMP lets all of them sleep at every wait, which
    costs a small net a third of its speed. A thread takes the number of the whole process over when it first asks."""
    torch.get_num_threads()
    torch.set_num_threads(1)
    if sys.platform == "linux":  # Where a thread has a priority of its own.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)


class Ahead:
    def __init__(self, loader: Loader, rank: int, world: int) -> None:
        self.loader, self.rank, self.world = loader, rank, world
        self._pool = ThreadPoolExecutor(1, "batches")
        self._made: tuple[Place, Future[Batch]] | None = None
        threads = torch.get_num_threads()
        self._pool.submit(one_thread_when_idle).result()
        # Torch remembers the last number anyone set as that of new threads.
        torch.set_num_threads(threads)

    def batch(self, stage: int, epoch: int, step: int) -> Batch:
        made, self._made = self._made, None
        place = (stage, epoch, step)
        future = made[1] if made and made[0] == place else self._begin(place)
        batch = future.result()
        # After the last step of a stage, one batch is prepared unnecessarily.
        following = (stage, epoch, step + 1) if step + 1 < self.loader.steps else (stage, epoch + 1, 0)
        self._made = (following, self._begin(following))
        return batch

    def _begin(self, place: Place) -> Future[Batch]:
        return self._pool.submit(self.loader.batch, *place, self.rank, self.world)
