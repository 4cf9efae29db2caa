"""The data: memory-mapped arrays the platform wrote, checked against their manifest before anything is trained."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import SNAPSHOT_SCHEMA
from .failure import DATA, Failure
from .job_dir import read_json, sha256_of

UNLABELLED = 255
SPLITS = {"train": 0, "val": 1, "test": 2}


@dataclass
class Snapshot:
    manifest: dict[str, Any]
    images: np.ndarray  # N × H × W × 3, uint8, RGB
    masks: np.ndarray  # N × H × W, uint8: 0 background, k the k-th part, 255 not labelled
    labels: np.ndarray  # N, uint16
    weights: np.ndarray  # N, float32: how sure the label is
    splits: np.ndarray  # N, uint8: 0 train, 1 val, 2 test, 255 none
    ids: list[str]

    @property
    def classes(self) -> list[str]:
        return self.manifest["classes"]

    @property
    def part_class(self) -> list[int]:
        """The class of each part; part k is the value k + 1 of a mask."""
        return [part["class"] for part in self.manifest["parts"]]

    def rows(self, split: str) -> np.ndarray:
        return np.flatnonzero(self.splits == SPLITS[split])


def refuse(kind: str, message: str, **details: Any) -> Failure:
    return Failure(DATA, kind, message, **details)


def locate(root: Path) -> Path:
    """`data/` in the job directory, or the folder that `data.json` names: many jobs may share one snapshot."""
    if (root / "data" / "manifest.json").exists():
        return root / "data"
    pointer = read_json(root / "data.json")
    if not isinstance(pointer, dict) or not isinstance(pointer.get("path"), str):
        raise refuse("data-missing", "There is neither data/manifest.json nor a data.json that names a folder.")
    return (root / pointer["path"]).resolve()


def open_snapshot(root: Path, expected: str, verify: bool = True) -> Snapshot:
    folder = locate(root)
    try:
        raw = (folder / "manifest.json").read_bytes()
    except OSError:
        raise refuse("data-missing", "The snapshot has no manifest.json.") from None
    if verify and "sha256:" + sha256_of(folder / "manifest.json") != expected:
        raise refuse("hash-wrong", "manifest.json is not the snapshot that the spec names by its hash.")
    manifest = json.loads(raw)
    if manifest.get("schema") != SNAPSHOT_SCHEMA:
        raise refuse("data-invalid", f"This trainer reads {SNAPSHOT_SCHEMA}, not {manifest.get('schema')}.")
    count, height, width = manifest["count"], manifest["height"], manifest["width"]

    def array(name: str, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
        path = folder / name
        entry = manifest["files"].get(name)
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        if entry is None or not path.exists():
            raise refuse("data-missing", f"The snapshot has no {name}.")
        if path.stat().st_size != size or entry["bytes"] != size:
            raise refuse("data-invalid", f"{name} should have {size} bytes and has {path.stat().st_size}.")
        if verify and sha256_of(path) != entry["sha256"]:
            raise refuse("hash-wrong", f"{name} is damaged: its hash is not that of the manifest.")
        return np.memmap(path, dtype=dtype, mode="r", shape=shape) if size else np.zeros(shape, dtype)

    def names() -> list[str]:
        path, entry = folder / "ids.json", manifest["files"].get("ids.json")
        if not path.exists():
            raise refuse("data-missing", "The snapshot has no ids.json.")
        if verify and entry is not None and sha256_of(path) != entry["sha256"]:
            raise refuse("hash-wrong", "ids.json is damaged: its hash is not that of the manifest.")
        return json.loads(path.read_text("utf-8"))

    snapshot = Snapshot(
        manifest=manifest,
        images=array("images.u8", "u1", (count, height, width, 3)),
        masks=array("masks.u8", "u1", (count, height, width)),
        labels=np.array(array("labels.u16", "<u2", (count,))).astype(np.int64),
        weights=np.array(array("weights.f32", "<f4", (count,))),
        splits=np.array(array("splits.u8", "u1", (count,))),
        ids=names(),
    )
    check_values(snapshot)
    return snapshot


def check_values(snapshot: Snapshot) -> None:
    count = snapshot.manifest["count"]
    if len(snapshot.classes) < 2:
        raise refuse("one-class", "A model tells classes apart: the snapshot needs at least two of them.")
    if len(snapshot.part_class) > 254 or any(not 0 <= c < len(snapshot.classes) for c in snapshot.part_class):
        raise refuse("data-invalid", "Parts are at most 254, each of one of the classes.")
    if count and snapshot.labels.max() >= len(snapshot.classes):
        raise refuse("data-invalid", "A label names a class that the manifest does not have.")
    if not np.isfinite(snapshot.weights).all() or (snapshot.weights < 0).any():
        raise refuse("data-invalid", "A weight is negative or not a number.")
    if len(snapshot.ids) != count:
        raise refuse("data-invalid", f"ids.json names {len(snapshot.ids)} images, the manifest {count}.")
    for start in range(0, count, 1024):
        block = snapshot.masks[start : start + 1024]
        if ((block > len(snapshot.part_class)) & (block != UNLABELLED)).any():
            raise refuse("data-invalid", "A mask holds a part that the manifest does not have.")


def check_for(snapshot: Snapshot, spec: dict[str, Any]) -> None:
    """Whether this data can train this model; every refusal names the classes it is about."""
    train = snapshot.rows("train")
    counts = np.bincount(snapshot.labels[train], minlength=len(snapshot.classes))
    empty = [name for name, n in zip(snapshot.classes, counts) if n == 0]
    if empty:
        message = f"No training image shows {', '.join(empty)}. Take the class out of the version or add images."
        raise refuse("class-without-example", message, classes=empty)
    if not len(snapshot.rows("val")):
        raise refuse("split-empty", "The validation split has no image, so no epoch can be chosen.")
    if spec["test"] and not len(snapshot.rows("test")):
        raise refuse("split-empty", "The test split has no image, and the spec asks for tests.")
    if snapshot.manifest["height"] < spec["data"]["size"] or snapshot.manifest["width"] < spec["data"]["size"]:
        raise refuse("too-small", f"The stored pictures are smaller than the {spec['data']['size']} px of the spec.")
    if spec["model"]["arch"] == "baseline":
        return
    if not snapshot.part_class:
        raise refuse("no-parts", "A part model needs parts, and the snapshot has none. Train the baseline instead.")
    # With c_seg 0 or no labelled share a part model learns from classes alone (Table 5), on purpose.
    if spec["train"]["cSeg"] == 0 or spec["data"]["labelledFraction"] == 0:
        return
    labelled = has_mask(snapshot, train)
    bare = [
        name
        for index, name in enumerate(snapshot.classes)
        if not labelled[snapshot.labels[train] == index].any()
    ]
    if bare:
        message = f"No training image of {', '.join(bare)} has a part mask. Label some, or set labelledFraction to 0."
        raise refuse("class-without-mask", message, classes=bare)


def has_mask(snapshot: Snapshot, rows: np.ndarray) -> np.ndarray:
    return np.array([bool((snapshot.masks[row] != UNLABELLED).any()) for row in rows], dtype=bool)
