"""The stages of a run: epochs of steps, a validation now and then, the best weights kept."""

from __future__ import annotations

import math
import time
from typing import Any

from .ahead import Ahead
from .checkpoint import Checkpoints, Position
from .context import Context
from .failure import SOFTWARE, Failure, Stopped
from .models.build import set_streams
from .preview import write_preview
from .train_step import Stepper
from .validate import is_better, validate


def learning_rate(stage: dict[str, Any], schedule: str, epoch: int, step: int, steps: int) -> float:
    if schedule == "constant":
        return stage["lr"]
    done = epoch + (step / steps if schedule == "cosine-step" else 0)
    return 0.5 * stage["lr"] * (1 + math.cos(math.pi * done / stage["epochs"]))


class Training:
    def __init__(self, context: Context, stepper: Stepper, checkpoints: Checkpoints, position: Position) -> None:
        self.context, self.stepper, self.checkpoints, self.position = context, stepper, checkpoints, position
        self.ahead = Ahead(context.loader, context.ranks.rank, context.ranks.world)
        self.saved = time.monotonic()
        self.seen, self.spent = 0, 0.0

    def run(self) -> None:
        stages = self.context.spec["stages"]
        while self.position.stage < len(stages):
            try:
                self.run_stage(stages[self.position.stage])
            except Stopped:
                self.save()
                raise
            self.next_stage(stages)

    def run_stage(self, stage: dict[str, Any]) -> None:
        position, validating = self.position, self.context.spec["validate"]
        while position.epoch < stage["epochs"] and not self.is_waiting_in_vain():
            self.run_epoch(stage)
            last = position.epoch + 1 == stage["epochs"]
            if last or (position.epoch + 1) % validating["every"] == 0:
                self.validate(stage)
            position.epoch += 1
            position.step = 0
            position.fresh_sums()
            self.save_if_due()
        if position.epoch < stage["epochs"]:
            self.context.job.event("note", message=f"No better validation for {position.waited} times: stage ends.")

    def is_waiting_in_vain(self) -> bool:
        """Of the position alone: a run that goes on from a checkpoint ends where it would have ended."""
        patience = self.context.spec["validate"]["patience"]
        return bool(patience) and self.position.step == 0 and self.position.waited >= patience

    def run_epoch(self, stage: dict[str, Any]) -> None:
        context, position = self.context, self.position
        loader, ranks, train = context.loader, context.ranks, context.spec["train"]
        context.heartbeat.phase = f"train {stage['name']}"
        if not loader.steps:
            return
        while position.step < loader.steps:
            if ranks.world == 1:
                context.stop.check()
            began = time.monotonic()
            rate = learning_rate(stage, train["schedule"], position.epoch, position.step, loader.steps)
            for group in self.stepper.optimizer.param_groups:
                group["lr"] = rate
            batch = self.ahead.batch(position.stage, position.epoch, position.step)
            asked = ranks.world > 1 and context.stop.asked
            done = self.stepper.step(batch, stage, position.total + 1, asked, context.check)
            position.step += 1
            position.total += 1
            self.seen += done["n"]
            self.spent += time.monotonic() - began
            for name in ("loss", "correct", "n"):
                position.sums[name] += done[name]
            position.sums["steps"] += 1
            context.heartbeat.step = position.total
            if position.total % train["logEvery"] == 0:
                self.tell("step", loss=done["loss"], correct=done["correct"], n=done["n"], lr=rate)
            if done["stop"]:
                raise Stopped
            self.save_if_due()
        sums = position.sums
        self.tell(
            "train", loss=sums["loss"] / max(sums["steps"], 1), correct=int(sums["correct"]), n=int(sums["n"]),
            accuracy=sums["correct"] / max(sums["n"], 1),
        )  # fmt: skip

    def validate(self, stage: dict[str, Any]) -> None:
        context, position = self.context, self.position
        context.heartbeat.phase = f"validate {stage['name']}"
        found = validate(context)
        if found["clean"]["n"] and found["clean"]["loss"] is None:
            rows = context.loader.rows(position.stage, position.epoch, context.loader.steps - 1)
            message = (
                f"The loss on validation images is not a number after step {position.total}. "
                "A smaller learning rate usually helps; the images of that step are named."
            )
            raise Failure(SOFTWARE, "not-finite", message, step=position.total, rows=sorted(rows))
        better = is_better(found, position.best, self.select(stage))
        position.waited = 0 if better else position.waited + 1
        if better:
            position.best = {"stage": position.stage, "epoch": position.epoch + 1, "step": position.total, **found}
            self.checkpoints.keep_best(self.stepper, position)
        self.tell("val", best=better, **found)
        write_preview(context, position)

    def select(self, stage: dict[str, Any]) -> str:
        """Clean training that others build on is judged by what it is for: its least trained weights withstand most."""
        wanted = self.context.spec["validate"]["select"]
        goes_on = self.position.stage + 1 < len(self.context.spec["stages"])
        return "clean" if wanted == "adv" and goes_on and stage["method"] == "clean" else wanted

    def next_stage(self, stages: list[dict[str, Any]]) -> None:
        position = self.position
        position.stage += 1
        position.epoch, position.step = 0, 0
        position.fresh_sums()
        set_streams(self.stepper.dropouts, None)
        # Images a second are of a stage: one with an attack is many times slower.
        self.seen, self.spent = 0, 0.0
        # After the last stage its best weights stay: they are tested and exported.
        if position.stage < len(stages):
            if stages[position.stage]["from"] == "best":
                self.checkpoints.load_best(self.stepper)
            self.checkpoints.best_net = {}
            position.best, position.waited = None, 0
            self.stepper.new_optimizer()
        self.save()

    def tell(self, split: str, **fields: Any) -> None:
        position = self.position
        self.context.job.event(
            "metrics", split=split, stage=position.stage, epoch=position.epoch + 1, step=position.total,
            imagesPerSecond=round(self.seen / self.spent, 2) if self.spent > 0 else None, **fields,
        )  # fmt: skip

    def save_if_due(self) -> None:
        if time.monotonic() - self.saved >= self.context.spec["train"]["checkpointSeconds"]:
            self.save()

    def save(self) -> None:
        if self.context.ranks.first and not self.context.stop.superseded:
            self.checkpoints.save(self.stepper, self.position)
            position = self.position
            self.context.job.event("checkpoint", stage=position.stage, epoch=position.epoch, step=position.total)
        self.saved = time.monotonic()
