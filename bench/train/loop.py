"""Our loop and a bare one in turns, in one process: the same network, the same batch size, the same threads. Ours reads
the snapshot, crops and mirrors, counts, tells events and writes checkpoints; the bare one is what remains of a training
loop when everything but the network is taken away: one batch of synthetic tensors again and again.

Reads `{"spec": …, "classes": n, "parts": n, "rounds": n, "seconds": n}` from stdin, prints one line of JSON. A turn has
as many steps as the bare loop makes in so many seconds, at least one."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

from tessera_trainer import SPEC_SCHEMA  # noqa: F401  (first: it sets how threads wait and which kernels are taken)

import numpy as np
import torch
import torch.nn.functional as F
from tessera_trainer.batches import Loader
from tessera_trainer.capabilities import processors
from tessera_trainer.checkpoint import Checkpoints, Position
from tessera_trainer.context import Context
from tessera_trainer.job_dir import Heartbeat, JobDir
from tessera_trainer.models.build import build_model
from tessera_trainer.process import use_threads
from tessera_trainer.ranks import Ranks
from tessera_trainer.snapshot import Snapshot
from tessera_trainer.stop import StopFlag
from tessera_trainer.train import Training
from tessera_trainer.train_step import Stepper


def made_snapshot(folder: Path, count: int, size: int, classes: int, parts: int) -> Snapshot:
    """On the disk and mapped, as a real one is."""
    random = np.random.default_rng(0)

    def mapped(name: str, values: np.ndarray) -> np.ndarray:
        values.tofile(folder / name)
        return np.memmap(folder / name, dtype=values.dtype, mode="r", shape=values.shape)

    return Snapshot(
        manifest={"classes": [str(c) for c in range(classes)], "parts": [{"name": str(p), "class": p % classes} for p in range(parts)],
                  "count": count, "height": size, "width": size},
        images=mapped("images.u8", random.integers(0, 256, (count, size, size, 3), dtype=np.uint8)),
        masks=mapped("masks.u8", random.integers(0, parts + 1, (count, size, size), dtype=np.uint8)),
        labels=np.arange(count) % classes,
        weights=np.ones(count, np.float32),
        splits=np.zeros(count, np.uint8),
        ids=[str(row) for row in range(count)],
    )  # fmt: skip


MAX_STEPS = 64


def bare_loop(spec: dict[str, Any], classes: int, part_class: list[int]) -> Callable[[int], None]:
    net, size, images = build_model(spec, classes, part_class), spec["data"]["size"], spec["train"]["batchSize"]
    optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9, weight_decay=5e-4)
    x, y = torch.rand(images, 3, size, size), torch.arange(images) % classes
    m = torch.randint(0, len(part_class) + 1, (images, size, size))
    stage = spec["stages"][-1]

    def attacked() -> torch.Tensor:
        net.eval()
        eps, step = stage["attack"]["eps"], stage["attack"]["step"]
        adversarial = x + torch.empty_like(x).uniform_(-eps, eps)
        for _ in range(stage["attack"]["steps"]):
            adversarial = adversarial.detach().requires_grad_()
            (gradient,) = torch.autograd.grad(F.cross_entropy(net(adversarial)[0], y), adversarial)
            adversarial = (adversarial.detach() + step * gradient.sign()).clamp(x - eps, x + eps).clamp(0, 1)
        net.train()
        return adversarial

    def run(steps: int) -> None:
        net.train()
        for _ in range(steps):
            optimizer.zero_grad(set_to_none=True)
            out = net(attacked() if stage["method"] == "pgd" else x)
            loss = F.cross_entropy(out[0], y)
            if out[1] is not None:
                loss = 0.5 * loss + 0.5 * F.cross_entropy(out[1], m)
            loss.backward()
            optimizer.step()
            float(loss)

    return run


def our_loop(spec: dict[str, Any], snapshot: Snapshot, root: Path) -> tuple[Callable[[], float], float]:
    """An epoch of the trainer's own code, as the worker calls it, in seconds; and the seconds of a checkpoint."""
    job, ranks, stop = JobDir(root, True), Ranks(), StopFlag(root)
    job.open_events()
    heartbeat = Heartbeat(job, "bench", stop.supersede)
    heartbeat.start()
    net, device = build_model(spec, len(snapshot.classes), snapshot.part_class), torch.device("cpu")
    stepper = Stepper(net, spec, ranks, device, snapshot.part_class, len(snapshot.classes))
    context = Context(spec, job, ranks, stop, device, snapshot, Loader(snapshot, spec), net, heartbeat)
    training = Training(context, stepper, Checkpoints(root, "bench"), Position())
    stage = {**spec["stages"][-1], "epochs": 1_000_000}

    def run() -> float:
        training.saved = time.monotonic()  # Checkpoints are charged by their share of the time, not by chance.
        took = seconds(lambda: training.run_epoch(stage))
        training.position.epoch += 1
        training.position.step = 0
        training.position.fresh_sums()
        # The batch after the last is made while nothing is measured: it must not slow the bare loop down.
        training.ahead._made[1].result()
        return took

    run()  # Warms up; and there is momentum to be saved.
    return run, statistics.median(seconds(training.save) for _ in range(3))


def seconds(run: Callable[[], None]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def main() -> None:
    given = json.load(sys.stdin)
    spec, classes, parts = given["spec"], given["classes"], given["parts"]
    use_threads(processors())
    bare = bare_loop(spec, classes, [part % classes for part in range(parts)])
    bare(1)
    steps = min(max(1, round(given["seconds"] / seconds(lambda: bare(1)))), MAX_STEPS)
    images = spec["train"]["batchSize"] * steps
    with tempfile.TemporaryDirectory(prefix="tessera-bench-") as folder:
        snapshot = made_snapshot(Path(folder), images, spec["data"]["size"], classes, parts)
        ours, checkpoint = our_loop(spec, snapshot, Path(folder))
        charged = 1 + checkpoint / spec["train"]["checkpointSeconds"]
        pairs = []
        for turn in range(given["rounds"]):
            # Who goes first changes, so that a machine that slows down does not favour one.
            other = seconds(lambda: bare(steps)) if turn % 2 else 0.0
            mine = ours() * charged
            pairs.append((mine, other or seconds(lambda: bare(steps))))
        print(json.dumps({
            "ours": images / min(a for a, _ in pairs), "bare": images / min(b for _, b in pairs), "steps": steps,
            "ratio": statistics.median(b / a for a, b in pairs), "ratios": sorted(b / a for a, b in pairs),
        }))  # fmt: skip


if __name__ == "__main__":
    main()
