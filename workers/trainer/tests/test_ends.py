"""How runs end that cannot go on: a code, a reason and what to do, and nothing lost."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import subprocess
import sys
import unittest

import numpy as np
import torch

from tessera_trainer.memory import fitting, left_of_group
from tessera_trainer.models.build import build_model, dropouts_of, set_streams, set_synced
from tessera_trainer.randomness import Streams

from .support import TRAINER, Job, changed


class Ends(unittest.TestCase):
    def ends(self, job: Job, code: int, kind: str, words: str) -> dict:
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(job.here(), code)
        result = job.result
        self.assertEqual((result["state"], result["exitCode"]), ("failed", code))
        self.assertEqual(result["error"]["type"], kind)
        self.assertIn(words, result["error"]["message"])
        self.assertEqual(job.events[-1]["kind"], "end")
        return result["error"]

    def test_a_spec_with_an_unknown_field(self) -> None:
        job = Job()
        job.spec["train"]["learningRate"] = 1
        job.write()
        self.ends(job, 64, "spec-invalid", "train.learningRate is not a field of the spec")

    def test_a_spec_that_is_not_there_and_one_that_is_no_json(self) -> None:
        job = Job()
        (job.root / "job.json").write_text("{NaN")
        self.ends(job, 64, "spec-invalid", "not JSON")
        (job.root / "job.json").unlink()
        self.ends(job, 64, "spec-missing", "no job.json")

    def test_data_that_is_not_what_the_hash_says(self) -> None:
        job = Job()
        raw = bytearray((job.root / "data" / "images.u8").read_bytes())
        raw[5] ^= 1
        (job.root / "data" / "images.u8").write_bytes(raw)
        self.ends(job, 65, "hash-wrong", "images.u8 is damaged")
        (job.root / "data" / "masks.u8").unlink()
        (job.root / "data" / "images.u8").write_bytes(bytes([*raw[:5], raw[5] ^ 1, *raw[6:]]))
        self.ends(job, 65, "data-missing", "no masks.u8")

    def test_a_class_without_an_example(self) -> None:
        labels = (np.arange(48) % 2).astype("<u2")
        error = self.ends(Job(labels=labels), 65, "class-without-example", "class 2")
        self.assertEqual(error["classes"], ["class 2"])

    def test_a_class_without_a_mask(self) -> None:
        from .support import pictures

        _, masks, labels = pictures(48, 3, 2)
        masks[labels == 1] = 255
        self.ends(Job(masks=masks), 65, "class-without-mask", "class 1")

    def test_one_class_only(self) -> None:
        self.ends(Job(classes=1), 65, "one-class", "at least two")

    def test_a_gpu_that_is_not_there(self) -> None:
        if torch.cuda.is_available():
            return
        job = Job(changed(resources__device="cuda", resources__gpus=1))
        self.ends(job, 69, "no-gpu", "none that torch can use")

    def test_a_loss_that_is_not_a_number_names_step_and_images(self) -> None:
        job = Job()
        weights = build_model(job.spec, 3, [0, 0, 1, 1, 2, 2]).backbone.state_dict()
        weights["conv1.weight"][0] = float("nan")
        torch.save(weights, job.root / "weights.pt")
        digest = hashlib.sha256((job.root / "weights.pt").read_bytes()).hexdigest()
        job.spec["model"]["init"] = {"kind": "file", "path": str(job.root / "weights.pt"), "sha256": f"sha256:{digest}"}
        job.write()
        error = self.ends(job, 70, "not-finite", "at step 1")
        self.assertEqual(error["step"], 1)
        self.assertEqual(len(error["images"]), 8)
        self.assertRegex(error["images"][0], r"^image-\d{3}$")

    def test_weights_that_were_lost_in_the_last_step_of_an_epoch_ended_as_numbers_json_does_not_know(self) -> None:
        stage = {"name": "clean", "method": "clean", "epochs": 2, "from": "last", "lr": 100}
        job = Job(changed(train__batchSize=16, validate__previews=0, test=[], stages=[stage]))
        error = self.ends(job, 70, "not-finite", "validation images is not a number after step 2")
        self.assertEqual((error["step"], len(error["images"])), (2, 16))

    def test_weights_that_do_not_fit_or_are_others(self) -> None:
        job = Job()
        torch.save({"conv1.weight": torch.zeros(1)}, job.root / "weights.pt")
        digest = hashlib.sha256((job.root / "weights.pt").read_bytes()).hexdigest()
        for sha256, kind in [(digest, "weights-unfit"), ("0" * 64, "hash-wrong")]:
            init = {"kind": "file", "path": str(job.root / "weights.pt"), "sha256": f"sha256:{sha256}"}
            job.spec["model"]["init"] = init
            job.write()
            self.ends(job, 65, kind, "weights.pt")

    def test_a_checkpoint_of_another_spec(self) -> None:
        job = Job(changed(stages=[{"name": "clean", "method": "clean", "epochs": 1, "from": "last", "lr": 0.05}], test=[]))
        self.assertEqual(job.here(), 0)
        job.spec["train"]["seed"] = 8
        job.write()
        self.ends(job, 64, "spec-changed", "another spec")

    def test_too_little_memory_names_the_batch_that_would_fit(self) -> None:
        spec = changed(train__batchSize=32, test=[], validate__previews=0, resources__memoryGb=0.36)
        error = self.ends(Job(spec), 70, "out-of-memory", "would fit")
        self.assertEqual(error["batchSize"], 32)
        self.assertTrue(0 < error["fits"] < 32)
        spec["train"]["accumulate"] = error["accumulate"]
        spec["stages"][0]["epochs"] = 1
        self.assertEqual(Job(spec).here(), 0)
        spec["resources"]["memoryGb"] = 0.35
        self.ends(Job(spec), 70, "out-of-memory", "not even one image")


class Limits(unittest.TestCase):
    """In a process of their own: a limit cannot be taken back here."""

    def limited(self, job: Job, code: str) -> int:
        program = f"import resource; {code}; from tessera_trainer.__main__ import code"
        # The log lies on a full disk as well.
        with open("/dev/full", "w") as log:
            return subprocess.run(
                [sys.executable, "-c", program, str(job.root)], cwd=TRAINER, stdout=log, stderr=log, check=False
            ).returncode

    def test_a_full_disk_at_a_checkpoint_keeps_the_one_before(self) -> None:
        job = Job(changed(test=[], validate__previews=0))
        # Files may not grow beyond a megabyte: weights and momentum do.
        rc = self.limited(job, "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))")
        self.assertEqual(rc, 73)
        self.assertEqual(job.result["error"]["type"], "disk-full")
        self.assertEqual([path.name for path in (job.root / "checkpoints").iterdir()], [])

    def test_a_disk_that_is_full_in_the_middle_of_an_event_leaves_a_verdict_and_can_go_on(self) -> None:
        stage = {"name": "clean", "method": "clean", "epochs": 1, "from": "last", "lr": 0.05}
        job = Job(changed(stages=[stage], test=[], validate__previews=0))
        told = {"seq": 1, "t": 0, "attempt": 1, "kind": "note", "message": "x" * ((1 << 20) - 100)}
        (job.root / "events.jsonl").write_text(json.dumps(told) + "\n")
        rc = self.limited(job, "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))")
        self.assertEqual(rc, 73)
        self.assertEqual(job.result["error"]["type"], "disk-full")
        self.assertFalse((job.root / "events.jsonl").read_bytes().endswith(b"\n"))
        self.assertEqual(job.here(), 0)
        self.assertEqual([event["seq"] for event in job.events], list(range(1, len(job.events) + 1)))

    def test_a_limit_on_memory_names_the_batch_that_would_fit(self) -> None:
        job = Job(changed(train__batchSize=1024, test=[], validate__previews=0), count=1620)
        # What torch itself takes, and 400 megabytes on top.
        held = "int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()"
        rc = self.limited(job, f"import torch; resource.setrlimit(resource.RLIMIT_AS, ({held} + (400 << 20),) * 2)")
        self.assertEqual(rc, 70)
        error = job.result["error"]
        self.assertEqual((error["type"], error["batchSize"]), ("out-of-memory", 1024))
        self.assertTrue(0 < error["fits"] < 1024)
        self.assertIn(f"Set train.accumulate to {error['accumulate']}", error["message"])

    def test_memory_that_runs_out_in_a_step_ended_in_a_mismatch_of_sizes_or_waited_for_other_ranks(self) -> None:
        spec = changed(model__arch="bounding-box")
        net = build_model(spec, 3, [0, 0, 1, 1, 2, 2])
        # As the step leaves them that did not fit: the draws of its eight images, and norms that ask ranks who are not there.
        set_streams(dropouts_of(net), Streams([(7, row) for row in range(8)]))
        set_synced(net, True)
        self.assertEqual(fitting(net, spec, 8, torch.device("cpu")).details["fits"], 4)

    def test_files_that_a_container_has_read_are_not_memory_it_has_used_up(self) -> None:
        job = Job()
        folder = job.root
        (folder / "memory.max").write_text("1000\n")
        (folder / "memory.current").write_text("900\n")
        (folder / "memory.stat").write_text("anon 100\nfile 800\ninactive_file 500\nactive_file 200\nshmem 100\n")
        self.assertEqual(left_of_group(folder), 800)
        (folder / "memory.max").write_text("max\n")
        self.assertEqual(left_of_group(folder), float("inf"))
