"""The artefacts of a finished run: model.onnx, model.grad.onnx, model.json, and check/ with numbers to compare with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from ..batches import sample_rows
from ..context import Context
from ..job_dir import sha256_of, write_atomic, write_json
from ..models.build import parameter_count
from .gradient import Gradient
from .write_onnx import OPSET, Served, write_onnx

CHECKED = 2


def export_model(context: Context, best: dict[str, Any], tests: list[dict[str, Any]]) -> dict[str, Any]:
    folder = context.job.root / "artifacts"
    net = context.net.eval().cpu()
    names = ["logits", "features"] if context.channels == 0 else ["logits", "masks", "features"]
    rows = sample_rows(context.snapshot, context.snapshot.rows("val"), CHECKED, "check")
    batch = context.loader.view(rows)
    seed = -F.one_hot(batch.labels, len(context.snapshot.classes)).float()
    with torch.no_grad():
        write_onnx(Served(net), (batch.images,), folder / "model.onnx", ["image"], names)
        write_onnx(
            Gradient(net), (batch.images, seed, torch.ones(1)), folder / "model.grad.onnx", ["image", "seed", "share"],
            ["logits", "gradient", "feature_gradient"], fixed=["share"],
        )  # fmt: skip
    check = write_check(context, folder / "check", batch, seed, names)
    contract = model_contract(context, names, best, tests, folder)
    write_json(folder / "model.json", contract)
    if tests and "confusion" in tests[0]:
        write_json(folder / "confusion.json", {"classes": context.snapshot.classes, "counts": tests[0]["confusion"]})
    for kind, name in [
        ("onnx", "model.onnx"), ("gradient-onnx", "model.grad.onnx"), ("contract", "model.json"), ("check", "check/check.json"),
        ("confusion", "confusion.json"),
    ]:  # fmt: skip
        if (folder / name).exists():
            context.job.artifact(kind, folder / name)
    return check


def write_check(context: Context, folder: Path, batch: Any, seed: torch.Tensor, names: list[str]) -> dict[str, Any]:
    """PyTorch's own answers. The platform runs the ONNX files on the same input and stores how far they are apart;
    here the gradient graph is held against autograd, as no ONNX runtime is needed for that."""
    net = context.net
    image = batch.images.clone().requires_grad_()
    logits, masks, features = net(image)
    loss = F.cross_entropy(logits, batch.labels, reduction="sum")
    gradient, feature_gradient = torch.autograd.grad(loss, [image, features])
    with torch.no_grad():
        traced = Gradient(net)(batch.images, seed, torch.ones(1))[1]
    apart = float((traced - gradient).abs().max() / gradient.abs().max().clamp(min=1e-30))
    values = {"image": batch.images, "seed": seed, "logits": logits, "features": features, "gradient": gradient}
    values["feature_gradient"] = feature_gradient
    if masks is not None:
        values["masks"] = masks
    tensors = {}
    for name, value in values.items():
        array = np.ascontiguousarray(value.detach().numpy(), dtype="<f4")
        path = folder / f"{name}.f32"
        write_atomic(path, array.tofile)
        tensors[name] = {"file": path.name, "shape": list(array.shape), "sha256": sha256_of(path)}
    found = {
        "images": [context.snapshot.ids[row] for row in batch.rows],
        "outputs": names,
        "gradientGraphAgainstAutograd": apart,
        "tensors": tensors,
    }
    write_json(folder / "check.json", found)
    return {key: found[key] for key in ("images", "outputs", "gradientGraphAgainstAutograd")}


def model_contract(
    context: Context, outputs: list[str], best: dict[str, Any], tests: list[dict[str, Any]], folder: Path
) -> dict[str, Any]:
    spec, manifest = context.spec, context.snapshot.manifest
    size = spec["data"]["size"]
    head = {"weight": "net.fc.weight", "bias": "net.fc.bias"} if spec["model"]["arch"] == "baseline" else None
    return {
        "schema": "tessera-model/1",
        "file": {"name": "model.onnx", "sha256": sha256_of(folder / "model.onnx"), "opset": OPSET},
        "gradient": {
            "name": "model.grad.onnx", "sha256": sha256_of(folder / "model.grad.onnx"),
            "inputs": ["image", "seed", "share"], "outputs": ["logits", "gradient", "feature_gradient"],
            "says": "gradient of v · logits by the image, v = share · softmax(logits) + seed",
        },
        "input": {
            "name": "image", "layout": "NCHW", "type": "float32", "channels": "RGB", "range": [0, 1],
            "height": size, "width": size, "mean": [0, 0, 0], "std": [1, 1, 1],
            "geometry": manifest.get("geometry", manifest.get("view")), "stored": [manifest["height"], manifest["width"]],
            "view": spec["data"]["view"],
        },
        "outputs": {name: name for name in outputs},
        "outputKind": "logits",
        "featureTensor": "features",
        "head": head,
        "classes": context.snapshot.classes,
        "parts": manifest["parts"],
        "maskValues": mask_values(context),
        "centroids": "half-pixel",
        "parameters": parameter_count(context.net),
        "init": spec["model"]["init"] if spec["model"]["init"]["kind"] == "file" else "random",
        "snapshot": spec["data"]["snapshot"],
        "spec": spec,
        "selected": best,
        "tests": [{key: value for key, value in test.items() if key != "images"} for test in tests],
        "torch": torch.__version__,
    }  # fmt: skip


def mask_values(context: Context) -> list[str]:
    """The name of each channel of `masks`."""
    if context.channels == 0:
        return []
    if context.spec["model"]["level"] == "object":
        return ["background", *context.snapshot.classes]
    return ["background", *(part["name"] for part in context.snapshot.manifest["parts"])]
