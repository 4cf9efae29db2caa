"""How a run is asked to leave: a signal, a file named cancel, or a later attempt that holds the lease."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

from .failure import Stopped


class StopFlag:
    def __init__(self, root: Path) -> None:
        self.cancel_file = root / "cancel"
        self.superseded = False
        self._asked = False
        self._looked = 0.0

    def listen(self) -> None:
        # Not SIGUSR1: NCCL may use it.
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR2):
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, frame: Any) -> None:
        self._asked = True

    def supersede(self) -> None:
        self.superseded = True
        self._asked = True

    @property
    def asked(self) -> bool:
        now = time.monotonic()
        # A file on a network disk is not looked for at every step.
        if not self._asked and now - self._looked > 0.5:
            self._looked = now
            # Never assigns False: a signal can arrive while the file is being looked for.
            if self.cancel_file.exists():
                self._asked = True
        return self._asked

    @property
    def canceled(self) -> bool:
        return self.cancel_file.exists()

    def check(self) -> None:
        """Between the steps of an attack: leaves at once where nothing has been changed yet."""
        if self.asked:
            raise Stopped
