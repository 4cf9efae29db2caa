"""Runs that are killed, preempted, cancelled and taken up again, by one process and by two."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import unittest

from .support import Job, changed

ATTACK = {"eps": 0.03, "steps": 2, "step": 0.02}
STAGES = [
    {"name": "clean", "method": "clean", "epochs": 3, "from": "last", "lr": 0.05},
    {"name": "pgd", "method": "pgd", "epochs": 3, "from": "best", "lr": 0.05, "attack": ATTACK},
    {"name": "trades", "method": "trades", "epochs": 3, "from": "best", "lr": 0.02, "attack": ATTACK, "beta": 0.5},
]
LONG = changed(
    stages=STAGES, validate__attack=ATTACK, validate__select="adv",
    test=[{"attack": "none", "sample": None}, {"attack": "autoattack", "eps": 0.03, "iterations": 4, "targets": 2, "queries": 10, "sample": 6}],
)  # fmt: skip
# For tests that interrupt a run: it cannot end before the trainer notices, however fast the machine is.
ENDLESS = changed(stages=[{**STAGES[0], "epochs": 10_000}])


def wait_for_step(job: Job, processes: list[subprocess.Popen[bytes]], more: int) -> None:
    """Until the attempt has made `more` steps; its events are its word."""
    path = job.root / "events.jsonl"
    size = path.stat().st_size if path.exists() else 0
    while True:
        if any(process.poll() is not None for process in processes):
            raise AssertionError(f"ended too early\n{job.log}")
        text = path.read_bytes()[size:] if path.exists() else b""
        if text.count(b'"split": "step"') >= more:
            return
        time.sleep(0.005)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def ranks(job: Job, world: int = 2) -> list[subprocess.Popen[bytes]]:
    common = {"WORLD_SIZE": str(world), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    return [job.start(RANK=str(rank), LOCAL_RANK=str(rank), **common) for rank in range(world)]


def losses(job: Job) -> dict[int, float]:
    """By step; a later attempt wins."""
    return {event["step"]: event["loss"] for event in job.events if event.get("split") == "step"}


class Resume(unittest.TestCase):
    def test_killed_preempted_and_cancelled_it_ends_as_if_nothing_had_been(self) -> None:
        whole, torn = Job(LONG), Job(LONG)
        self.assertEqual(whole.here(), 0)

        process = torn.start()
        wait_for_step(torn, [process], 3)
        process.kill()
        self.assertEqual(process.wait(), -signal.SIGKILL)
        self.assertFalse((torn.root / "result.json").exists())
        with open(torn.root / "events.jsonl", "ab") as events:
            events.write(b'{"seq": 99999, "torn')

        process = torn.start()
        wait_for_step(torn, [process], 2)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), 75, torn.log)
        self.assertEqual(torn.result["state"], "preempted")

        process = torn.start()
        wait_for_step(torn, [process], 2)
        (torn.root / "cancel").touch()
        self.assertEqual(process.wait(), 130, torn.log)
        self.assertEqual(torn.result["state"], "canceled")
        (torn.root / "cancel").unlink()

        self.assertEqual(torn.here(), 0)
        self.assertEqual(torn.result["attempt"], 4)
        self.assertEqual(losses(torn), losses(whole))
        for name in ("model.onnx", "model.grad.onnx", "check/logits.f32"):
            self.assertEqual(torn.bytes_of(name), whole.bytes_of(name), name)
        tests = [
            [{key: value for key, value in test.items() if key != "seconds"} for test in job.result["metrics"]["tests"]]
            for job in (torn, whole)
        ]
        self.assertEqual(tests[0], tests[1])
        numbers = [event["seq"] for event in torn.events]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))

    def test_a_later_attempt_fences_an_earlier_one_off(self) -> None:
        job = Job(ENDLESS)
        process = job.start()
        wait_for_step(job, [process], 1)
        (job.root / "lease.json").write_text(json.dumps({"attempt": 2}))
        # Not the exit code that requests a restart, because Slurm would keep restarting it.
        self.assertEqual(process.wait(), 76)
        self.assertFalse((job.root / "result.json").exists())
        self.assertNotIn("end", [event["kind"] for event in job.events])
        (job.root / "result.json").write_text("of the later one")
        told = len(job.events)
        self.assertEqual(job.start(TESSERA_ATTEMPT="1").wait(), 76)
        self.assertEqual((job.root / "result.json").read_text(), "of the later one")
        self.assertEqual(len(job.events), told)


class TwoRanks(unittest.TestCase):
    def test_two_ranks_learn_what_one_process_learns(self) -> None:
        spec = changed(test=[{"attack": "pgd", "eps": 0.03, "steps": 3, "step": 0.02, "restarts": 1, "sample": None}])
        spec["stages"] = [{**STAGES[0], "epochs": 1}, {**STAGES[2], "epochs": 1}]
        spec["data"]["labelledFraction"] = 0.5
        alone, together = Job(spec), Job(spec)
        self.assertEqual(alone.here(), 0)
        self.assertEqual([process.wait() for process in ranks(together)], [0, 0], together.log)
        one, two = losses(alone), losses(together)
        self.assertEqual(list(one), list(two))
        # Rounding alone after the first change of the weights; where a channel hardly varies batch norm then makes
        # more of it, and so does the sign of a gradient near zero.
        for step, loss in one.items():
            self.assertAlmostEqual(two[step], loss, delta=1e-5 if step <= 2 else 0.05, msg=f"step {step}")
        self.assertEqual(alone.result["metrics"]["tests"][0]["n"], together.result["metrics"]["tests"][0]["n"])

    def test_a_signal_to_one_rank_stops_both_at_the_same_step(self) -> None:
        job = Job(LONG)
        both = ranks(job)
        wait_for_step(job, both, 2)
        os.kill(both[1].pid, signal.SIGTERM)
        self.assertEqual([process.wait() for process in both], [75, 75], job.log)
        stopped = job.events[-2]
        self.assertEqual((stopped["kind"], job.events[-1]["state"]), ("checkpoint", "preempted"))
        self.assertEqual(stopped["step"], max(losses(job)))
        # What two ranks left, one process takes up.
        self.assertEqual(job.here(), 0)
        self.assertEqual(job.events[-1]["attempt"], 2)

    def test_a_step_that_does_not_divide_evenly_waits_for_no_rank(self) -> None:
        stage = {**STAGES[0], "epochs": 1}
        for images, codes in ((5, [0, 0]), (1, [64, 64])):
            job = Job(changed(train__batchSize=images, train__accumulate=3, stages=[stage], test=[]))
            self.assertEqual([process.wait() for process in ranks(job)], codes, job.log)
        self.assertEqual(job.result["error"]["type"], "batch-too-small")

    def test_a_rank_that_is_killed_ends_the_other_with_the_verdict_that_it_is_lost(self) -> None:
        job = Job(ENDLESS)
        both = ranks(job)
        wait_for_step(job, both, 1)
        both[1].kill()
        both[1].wait()
        self.assertEqual(both[0].wait(), 71, job.log)
        self.assertEqual(job.result["error"]["type"], "rank-lost")


if __name__ == "__main__":
    unittest.main()
