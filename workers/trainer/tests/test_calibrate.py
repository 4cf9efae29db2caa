"""The estimate a person sees before a run."""

from __future__ import annotations

import json
import unittest

from tessera_trainer.calibrate import calibrate

from .support import Job, changed
from .test_resume import STAGES


class Calibrate(unittest.TestCase):
    def test_it_tells_the_speed_of_every_stage_and_the_hours_of_all(self) -> None:
        job = Job(changed(stages=STAGES))
        manifest = json.loads((job.root / "data" / "manifest.json").read_text())
        found = calibrate(job.spec, manifest, 1000, 0.3)
        self.assertEqual([entry["stage"] for entry in found["stages"]], ["clean", "pgd", "trades"])
        hours = sum(1000 * 3 / entry["imagesPerSecond"] / 3600 for entry in found["stages"])
        self.assertAlmostEqual(found["trainHours"], hours, delta=0.01 * hours)
