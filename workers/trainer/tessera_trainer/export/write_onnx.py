"""ONNX from either generation of torch, with a dynamic batch."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path
from typing import Sequence

import torch
import torch.nn as nn

from ..job_dir import write_atomic

OPSET = 17


def write_onnx(
    net: nn.Module, inputs: tuple[torch.Tensor, ...], path: Path, names: Sequence[str], outputs: Sequence[str],
    fixed: Sequence[str] = (),
) -> None:  # fmt: skip
    # The exporter that newer versions prefer needs packages we do not ask for.
    extra = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
    net.eval()  # The exporter puts every part of the net back to the mode of the outermost.
    axes = {name: {0: "batch"} for name in [*names, *outputs] if name not in fixed}

    def export(temporary: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # The tracer's remarks about sizes that are fixed on purpose.
            torch.onnx.export(
                net, inputs, str(temporary), input_names=list(names), output_names=list(outputs), dynamic_axes=axes,
                opset_version=OPSET, **extra,
            )  # fmt: skip

    write_atomic(path, export)


class Served(nn.Module):
    """Without the outputs a baseline does not have."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, ...]:
        logits, masks, features = self.net(image)
        return (logits, features) if masks is None else (logits, masks, features)
