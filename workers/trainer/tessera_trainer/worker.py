"""One attempt at a job: from a directory to a verdict."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from . import SPEC_SCHEMA
from .batches import Loader
from .capabilities import processors
from .checkpoint import Checkpoints, Position
from .context import Context
from .export.export_model import export_model
from .failure import (
    CANCELED, CANNOT_CREATE, PREEMPTED, RANK_LOST, SOFTWARE, STATES, SUCCEEDED, SUPERSEDED, UNAVAILABLE, USAGE, Failure,
    Stopped, is_disk_full, is_out_of_memory, is_rank_lost,
)  # fmt: skip
from .job_dir import Heartbeat, JobDir, read_json, write_json
from .memory import check_memory, fitting
from .models.build import build_model, parameter_count, set_streams, set_synced
from .process import use_threads
from .ranks import Ranks
from .snapshot import check_for, open_snapshot
from .stop import StopFlag
from .testing import Testing
from .train import Training
from .train_step import Stepper
from .validate_spec import read_spec


class Worker:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.ranks = Ranks()
        self.job = JobDir(root, speaks=self.ranks.first)
        self.stop = StopFlag(root)
        self.heartbeat = Heartbeat(self.job, platform.node(), self.stop.supersede)
        self.outcome: dict[str, Any] = {}

    def run(self) -> int:
        self.stop.listen()
        try:
            self.open()
            self.work()
            code, error = SUCCEEDED, None
        except BaseException as raised:  # noqa: B902 — every end has a verdict
            code, error = self.verdict(raised)
        return self.close(code, error)

    def open(self) -> None:
        if not self.ranks.first:
            return
        given = os.environ.get("TESSERA_ATTEMPT")
        if given:
            self.job.attempt = max(int(given), 1)
            self.leave_if_superseded()
        self.job.open_events()
        if given:
            self.job.attempt = max(int(given), 1)
        self.leave_if_superseded()
        (self.root / "result.json").unlink(missing_ok=True)
        self.heartbeat.beat()
        self.heartbeat.start()

    def leave_if_superseded(self) -> None:
        """Before anything is written: the directory may be another's already."""
        if self.heartbeat.has_lost():
            self.stop.supersede()
            raise Stopped

    def work(self) -> None:
        spec = read_spec(self.root / "job.json")
        device = self.device(spec["resources"])
        threads = spec["resources"]["threads"] or max(1, processors() // self.ranks.local_world)
        # Debian's torch begins with one thread whatever the machine has.
        use_threads(threads)
        if device.type == "cuda":
            torch.cuda.set_device(device)
            torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = True, False
        self.heartbeat.phase = "check data"
        # Ranks of one machine share the files: one of them reads every byte, the others only map them.
        snapshot = open_snapshot(self.root, spec["data"]["snapshot"], verify=self.ranks.local_rank == 0)
        check_for(snapshot, spec)
        classes, parts = len(snapshot.classes), snapshot.part_class
        groups = list(range(classes)) if spec["model"]["level"] == "object" else parts
        net = build_model(spec, classes, parts)
        loader = Loader(snapshot, spec)
        if loader.batch_size < self.ranks.world:
            message = f"A step has {loader.batch_size} images, fewer than the {self.ranks.world} processes that share it. Take fewer GPUs or larger batches."
            raise Failure(USAGE, "batch-too-small", message)
        per_rank = -(-loader.batch_size // self.ranks.world)
        if device.type == "cpu":
            check_memory(net, spec, per_rank, self.ranks.local_world)
        net.to(device)
        self.ranks.join(device)
        set_synced(net, self.ranks.world > 1 and spec["train"]["syncBn"])
        stepper = Stepper(net, spec, self.ranks, device, groups, classes)
        context = Context(
            spec, self.job, self.ranks, self.stop, device, snapshot, loader, net, self.heartbeat
        )
        try:
            self.train_and_test(context, stepper)
        except (RuntimeError, MemoryError) as error:
            if is_out_of_memory(error) and not is_disk_full(error):
                # What did not fit is still held by the places the error came from.
                traceback.clear_frames(error.__traceback__)
                stepper.optimizer = None  # type: ignore[assignment]
                raise fitting(net, spec, per_rank, device) from None
            raise
        except Failure as failure:
            if "rows" in failure.details:
                failure.details["images"] = [snapshot.ids[row] for row in failure.details.pop("rows")]
            raise

    def train_and_test(self, context: Context, stepper: Stepper) -> None:
        spec = context.spec
        # A run may go on elsewhere, with more memory or more time: that changes nothing of what it learns.
        kept = {name: value for name, value in spec.items() if name not in ("resources", "attemptLimit")}
        text = json.dumps(kept, sort_keys=True, separators=(",", ":"))
        checkpoints = Checkpoints(self.root, hashlib.sha256(text.encode()).hexdigest())
        position = checkpoints.restore(stepper)
        self.job.event(
            "start", schema=SPEC_SCHEMA, torch=torch.__version__, device=str(context.device), world=self.ranks.world,
            threads=torch.get_num_threads(), resumeStep=position.total if position else 0, resumed=position is not None,
            parameters=parameter_count(context.net), steps=context.loader.steps,
            images={split: len(context.snapshot.rows(split)) for split in ("train", "val", "test")},
        )  # fmt: skip
        if spec["train"]["precision"] == "amp" and context.device.type != "cuda":
            self.job.warn("no-mixed-precision", "Mixed precision is for GPUs: this run computes in full precision.")
        if len(context.loader.train) < spec["train"]["batchSize"]:
            self.job.warn("small-batch", f"There are only {context.loader.batch_size} training images: one batch of them.")
        position = position or Position()
        Training(context, stepper, checkpoints, position).run()
        checkpoints.load_best(stepper)
        best = position.best or {}
        set_streams(stepper.dropouts, None)
        set_synced(context.net, False)
        tests = Testing(context).run()
        self.outcome["metrics"] = {"selected": best, "tests": tests}
        if self.ranks.first:
            self.heartbeat.phase = "export"
            self.outcome["check"] = export_model(context, best, tests)

    def device(self, wanted: dict[str, Any]) -> torch.device:
        usable = torch.cuda.device_count() if torch.cuda.is_available() else 0
        if wanted["device"] == "cuda" and usable < 1:
            raise Failure(UNAVAILABLE, "no-gpu", "The spec asks for a GPU, and this worker has none that torch can use.")
        if wanted["device"] != "cpu" and usable > self.ranks.local_rank:
            return torch.device("cuda", self.ranks.local_rank)
        if wanted["device"] == "cuda":
            message = f"Rank {self.ranks.rank} has no GPU of its own: this worker has {usable}."
            raise Failure(UNAVAILABLE, "no-gpu", message)
        return torch.device("cpu")

    def verdict(self, raised: BaseException) -> tuple[int, dict[str, Any] | None]:
        if isinstance(raised, (Stopped, KeyboardInterrupt)):
            return (CANCELED if self.stop.canceled else PREEMPTED), None
        trace = "".join(traceback.format_exception(type(raised), raised, raised.__traceback__))
        say(trace)
        if isinstance(raised, Failure):
            return raised.code, {"type": raised.kind, "message": str(raised), **raised.details}
        if is_disk_full(raised):
            message = "The disk is full: nothing more could be written. Free some space and start the run again."
            return CANNOT_CREATE, {"type": "disk-full", "message": message}
        if self.ranks.world > 1 and is_rank_lost(raised):
            message = f"One of the {self.ranks.world} processes is gone: killed, out of memory, or its machine is lost. The run can go on from its last checkpoint."
            return RANK_LOST, {"type": "rank-lost", "message": message}
        message = f"{type(raised).__name__}: {raised}"
        return SOFTWARE, {"type": "exception", "message": message, "trace": trace[-8000:]}

    def close(self, code: int, error: dict[str, Any] | None) -> int:
        self.heartbeat.end()
        if not self.ranks.first:
            if error is not None:
                self.leave_word(error, code)
            self.ranks.leave()
            return code
        if self.stop.superseded:
            return SUPERSEDED  # Not restarted: the directory belongs to a later attempt, so nothing is written to it.
        code, error = self.word_of_others(code, error)
        state = STATES.get(code, "failed")
        result = {
            "schema": SPEC_SCHEMA, "state": state, "exitCode": code, "attempt": self.job.attempt, "error": error,
            **{"metrics": None, "check": None, **self.outcome}, "artifacts": list(self.job.artifacts.values()),
            "finishedAt": round(time.time(), 3),
        }  # fmt: skip
        # Each for itself: where one file cannot grow any more, another may still be written.
        with suppress(OSError):
            self.job.event("end", state=state, code=code, error=error)
        self.heartbeat.phase = "end"
        self.heartbeat.beat()
        try:
            write_json(self.root / "result.json", result)
        except OSError as full:
            say(f"The verdict could not be written: {full}")
            code = CANNOT_CREATE if is_disk_full(full) else code
        self.job.close()
        self.ranks.leave()
        return code

    def leave_word(self, error: dict[str, Any], code: int) -> None:
        """A rank that fails takes the others' connection with it: rank 0 must be able to say why."""
        try:
            write_json(self.root / f".rank-{self.ranks.rank}.json", {"code": code, "error": error, "pid": os.getpid()})
        except OSError:
            pass

    def word_of_others(self, code: int, error: dict[str, Any] | None) -> tuple[int, dict[str, Any] | None]:
        if self.ranks.world == 1:
            return code, error
        # Why the connection broke is known to the rank that broke it, if it had time to say so.
        vague = {"rank-lost": 2, "exception": 1}
        if error is not None and error["type"] in vague:
            time.sleep(1)
            for rank in range(1, self.ranks.world):
                word = read_json(self.root / f".rank-{rank}.json")
                if word and vague.get(word["error"]["type"], 0) < vague.get(error["type"], 0):
                    code, error = word["code"], {**word["error"], "rank": rank}
        for rank in range(1, self.ranks.world):
            (self.root / f".rank-{rank}.json").unlink(missing_ok=True)
        return code, error


def say(text: str) -> None:
    """To the log. It may lie on the disk that is full, and then nobody can be told so there."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = open(os.devnull, "w")


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("usage: python3 -m tessera_trainer <job directory>", file=sys.stderr)
        return 64
    return Worker(Path(arguments[0]).resolve()).run()
