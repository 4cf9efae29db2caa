"""Puts backbone, segmenter and second stage together as the spec says."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn as nn

from ..failure import DATA, Failure
from ..job_dir import sha256_of
from ..randomness import Streams, seed_of
from .deeplab import Decoder
from .heads import BoundingBox, DecoderHead, Downsampled, EncoderHead, Pixel
from .layers import BatchNorm, Dropout, Normalise
from .resnet import ResNet


class Output(NamedTuple):
    logits: torch.Tensor
    masks: torch.Tensor | None
    features: torch.Tensor


class Baseline(nn.Module):
    """ResNet, mean over the map, one linear layer."""

    def __init__(self, backbone: str, classes: int) -> None:
        super().__init__()
        self.normalise = Normalise()
        self.backbone = ResNet(backbone, dilated=False)
        self.fc = nn.Linear(self.backbone.channels, classes)

    def forward(self, image: torch.Tensor) -> Output:
        _, features = self.backbone(self.normalise(image))
        return Output(self.fc(torch.mean(features, (2, 3))), None, features)


class PartModel(nn.Module):
    def __init__(self, model: dict[str, Any], size: int, part_class: list[int], classes: int) -> None:
        super().__init__()
        settings, parts = model["segmenter"], len(part_class)
        self.arch: str = model["arch"]
        self.normalise = Normalise()
        self.backbone = ResNet(model["backbone"], dilated=True)
        low, high = self.backbone.low_channels, self.backbone.channels
        self.decoder = Decoder(
            low, high, size, parts + 1, settings["channels"], settings["rates"], settings["dropout"]
        )
        if self.arch == "downsampled":
            self.head: nn.Module = Downsampled(
                parts, classes, size, model["pool"], model["background"], model["withImage"]
            )
        elif self.arch == "bounding-box":
            self.head = BoundingBox(parts, classes, size)
        elif self.arch == "pixel":
            self.head = Pixel(part_class, classes)
        elif self.arch == "two-headed-encoder":
            self.head = EncoderHead(high, classes, size // 16)
        else:
            self.head = DecoderHead(settings["channels"], classes, size // 4)

    def forward(self, image: torch.Tensor) -> Output:
        seen = self.normalise(image)
        low, features = self.backbone(seen)
        dense = self.decoder.dense(low, features)
        masks = self.decoder.masks(dense)
        if self.arch == "two-headed-encoder":
            return Output(self.head(features), masks, features)
        if self.arch == "two-headed-decoder":
            return Output(self.head(dense), masks, features)
        return Output(self.head(masks, seen), masks, features)

    def classify_masks(self, masks: torch.Tensor, image: torch.Tensor) -> torch.Tensor:
        """What the second stage makes of given mask logits."""
        return self.head(masks, self.normalise(image))


def build_model(spec: dict[str, Any], classes: int, part_class: list[int]) -> nn.Module:
    """With weights drawn from the seed, then from the file the spec names, if it names one."""
    model, size = spec["model"], spec["data"]["size"]
    groups = list(range(classes)) if model["level"] == "object" else part_class
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed_of(spec["train"]["seed"], "init"))
        if model["arch"] == "baseline":
            net: nn.Module = Baseline(model["backbone"], classes)
        else:
            net = PartModel(model, size, groups, classes)
    if model["init"]["kind"] == "file":
        load_backbone(net, Path(model["init"]["path"]), model["init"]["sha256"])
    return net


def layout_of(model: dict[str, Any]) -> torch.memory_format:
    """How pictures, maps and weights lie in memory: colours last makes a plain ResNet up to a third faster on a processor,
    and a net with a decoder slower."""
    return torch.channels_last if model["arch"] == "baseline" else torch.contiguous_format


def load_tensors(path: Path) -> Any:
    """Tensors only: a weight file must not be able to run code. A torch before 1.13 cannot refuse the rest, and fails."""
    return torch.load(path, map_location="cpu", weights_only=True)


def load_backbone(net: nn.Module, path: Path, expected: str) -> None:
    if not path.exists():
        advice = "put the file on the machine that trains, or begin from random ones."
        raise Failure(DATA, "weights-missing", f"The initial weights {path.name} are not there: {advice}")
    if "sha256:" + sha256_of(path) != expected:
        raise Failure(DATA, "hash-wrong", f"{path.name} is not the weight file that the spec names by its hash.")
    given = load_tensors(path)
    wanted = net.backbone.state_dict()
    missing = [name for name, value in wanted.items() if name not in given or given[name].shape != value.shape]
    if missing:
        message = f"{path.name} does not fit the backbone: {len(missing)} tensors, {missing[0]} among them."
        raise Failure(DATA, "weights-unfit", message)
    net.backbone.load_state_dict({name: given[name] for name in wanted})


def dropouts_of(net: nn.Module) -> list[Dropout]:
    return [module for module in net.modules() if isinstance(module, Dropout)]


def set_streams(dropouts: list[Dropout], streams: Streams | None) -> None:
    for dropout in dropouts:
        dropout.streams = streams


def set_synced(net: nn.Module, synced: bool) -> None:
    for module in net.modules():
        if isinstance(module, BatchNorm):
            module.synced = synced


def parameter_count(net: nn.Module) -> int:
    return sum(parameter.numel() for parameter in net.parameters())
