"""Signals and the cancel file."""

from __future__ import annotations

import os
import signal
import unittest
from pathlib import Path

from tessera_trainer.stop import StopFlag


class SignalledFile:
    """A cancel file that does not exist, and whose lookup is interrupted by a signal."""

    def exists(self) -> bool:
        os.kill(os.getpid(), signal.SIGTERM)
        return False


class Stop(unittest.TestCase):
    def test_a_signal_that_arrived_during_the_lookup_of_the_cancel_file_was_lost(self) -> None:
        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR2)}
        self.addCleanup(lambda: [signal.signal(number, handler) for number, handler in before.items()])
        stop = StopFlag(Path("unused"))
        stop.listen()
        stop.cancel_file = SignalledFile()  # type: ignore[assignment]
        self.assertTrue(stop.asked)
        self.assertTrue(stop.asked)


if __name__ == "__main__":
    unittest.main()
