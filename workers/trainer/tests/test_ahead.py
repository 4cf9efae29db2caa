"""Batches made ahead, and which weights of a stage are the best."""

from __future__ import annotations

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import torch

from tessera_trainer.ahead import Ahead
from tessera_trainer.batches import Loader
from tessera_trainer.snapshot import open_snapshot
from tessera_trainer.train import Training

from .support import changed, write_snapshot
from .test_resume import STAGES


class MadeAhead(unittest.TestCase):
    def test_a_batch_is_the_same_whoever_makes_it_and_whatever_was_asked_before(self) -> None:
        torch.set_num_threads(2)
        with TemporaryDirectory() as folder:
            snapshot = open_snapshot(Path(folder), write_snapshot(Path(folder) / "data"))
            loader, plain = Loader(snapshot, changed()), Loader(snapshot, changed())
            for rank, world in [(0, 1), (1, 2)]:
                ahead = Ahead(loader, rank, world)
                last = loader.steps - 1
                # In order over the end of an epoch, then elsewhere as after a resume, then a stage later.
                for place in [(0, 0, 0), (0, 0, 1), (0, 0, last), (0, 1, 0), (0, 7, 2), (0, 7, 3), (1, 0, 0)]:
                    made, wanted = ahead.batch(*place), plain.batch(*place, rank, world)
                    self.assertEqual(made.rows, wanted.rows)
                    self.assertTrue(torch.equal(made.images, wanted.images))
                    self.assertTrue(torch.equal(made.masks, wanted.masks))
                    self.assertTrue(torch.equal(made.streams.uniform((3,)), wanted.streams.uniform((3,))))
        self.assertEqual(torch.get_num_threads(), 2)

    def test_clean_training_that_another_stage_builds_on_is_judged_by_clean_accuracy(self) -> None:
        def chosen(stage: int, stages: list[dict], select: str = "adv") -> str:
            context = SimpleNamespace(spec={"stages": stages, "validate": {"select": select}})
            return Training.select(SimpleNamespace(context=context, position=SimpleNamespace(stage=stage)), stages[stage])

        self.assertEqual([chosen(at, STAGES) for at in range(3)], ["clean", "adv", "adv"])
        self.assertEqual(chosen(0, STAGES[:1]), "adv")
        self.assertEqual(chosen(0, STAGES, "last"), "last")


if __name__ == "__main__":
    unittest.main()
