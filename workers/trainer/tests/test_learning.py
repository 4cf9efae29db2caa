"""That the whole of it learns: pictures whose classes differ. Without export, which other tests have."""

from __future__ import annotations

import unittest
from typing import Any

import torch

from tessera_trainer.batches import Loader
from tessera_trainer.checkpoint import Checkpoints, Position
from tessera_trainer.context import Context
from tessera_trainer.failure import Failure
from tessera_trainer.job_dir import Heartbeat, JobDir
from tessera_trainer.models.build import build_model
from tessera_trainer.ranks import Ranks
from tessera_trainer.snapshot import open_snapshot
from tessera_trainer.stop import StopFlag
from tessera_trainer.train import Training
from tessera_trainer.train_step import Stepper
from tessera_trainer.validate import clean_counts

from .support import Job, changed
from .test_models import ARCHS

ONE = [{"name": "clean", "method": "clean", "epochs": 12, "from": "last", "lr": 0.05}]


def trained(spec: dict[str, Any]) -> dict[str, Any]:
    """How the best weights do on the test images."""
    job = Job(spec, count=72)
    snapshot = open_snapshot(job.root, job.spec["data"]["snapshot"])
    classes, parts = len(snapshot.classes), snapshot.part_class
    groups = list(range(classes)) if spec["model"]["level"] == "object" else parts
    net, ranks, device = build_model(job.spec, classes, parts), Ranks(), torch.device("cpu")
    folder, stop = JobDir(job.root, speaks=False), StopFlag(job.root)
    stepper = Stepper(net, job.spec, ranks, device, groups, classes)
    context = Context(
        job.spec, folder, ranks, stop, device, snapshot, Loader(snapshot, job.spec), net, Heartbeat(folder, "test", stop.supersede)
    )
    checkpoints = Checkpoints(job.root, "test")
    Training(context, stepper, checkpoints, Position()).run()
    checkpoints.load_best(stepper)
    return clean_counts(context, snapshot.rows("test").tolist()).summary()


class Learning(unittest.TestCase):
    def setUp(self) -> None:
        torch.set_num_threads(1)

    def learnt(self, **changes: Any) -> dict[str, Any]:
        cseg = 0 if changes.get("model__arch") == "baseline" else 0.5
        whole = {"area": [0.8, 1], "ratio": [0.9, 1.1], "flip": 0.5}
        return trained(changed(
            stages=ONE, data__augment=whole, train__checkpointSeconds=60, train__cSeg=cseg, validate__previews=0,
            validate__every=4, **changes,
        ))  # fmt: skip

    def test_every_model_learns_to_tell_the_classes(self) -> None:
        for arch in ARCHS:
            found = self.learnt(model__arch=arch)
            self.assertGreaterEqual(found["correct"], 10, f"{arch}: {found['correct']} of {found['n']}")
            self.assertEqual(found["n"], 12)

    def test_a_gradient_that_is_not_a_number_names_the_images_of_its_own_step(self) -> None:
        job = Job(changed(stages=ONE), count=72)
        snapshot = open_snapshot(job.root, job.spec["data"]["snapshot"])
        net = build_model(job.spec, len(snapshot.classes), snapshot.part_class)
        stepper = Stepper(net, job.spec, Ranks(), torch.device("cpu"), snapshot.part_class, len(snapshot.classes))
        loader = Loader(snapshot, job.spec)

        def step(at: int) -> None:
            stepper.step(loader.batch(0, 0, at - 1), ONE[0], at, False, lambda: None)

        step(1)
        spoiling = net.backbone.conv1.weight.register_hook(lambda gradient: gradient * float("nan"))
        step(2)
        spoiling.remove()
        with self.assertRaises(Failure) as failed:
            step(3)
        self.assertIn("gradient of step 2", str(failed.exception))
        self.assertEqual(failed.exception.details["step"], 2)
        self.assertEqual(failed.exception.details["rows"], sorted(loader.rows(0, 0, 1)))

    def test_cheaper_labels_teach_the_same_classes(self) -> None:
        for changes in (
            {"data__labels": "box"},
            {"data__labels": "centroid", "model__arch": "bounding-box"},
            {"model__level": "object"},
            {"data__labelledFraction": 0.25, "data__classWeights": "balanced", "data__labelWeights": True},
        ):
            found = self.learnt(**changes)
            self.assertGreaterEqual(found["correct"], 10, f"{changes}: {found['correct']} of {found['n']}")

    def test_masks_are_learnt_from_masks_and_not_without(self) -> None:
        taught, untaught = self.learnt(), self.learnt(data__labelledFraction=0)
        self.assertGreater(taught["pixels"]["accuracy"], 0.8)
        self.assertGreater(taught["pixels"]["accuracy"], untaught["pixels"]["accuracy"])
