"""ResNets with the parameter names of torchvision, so that its weight files load; tiny and small are narrower."""

from __future__ import annotations

import torch
import torch.nn as nn
import torch.nn.functional as F

from .layers import BatchNorm


def conv(inputs: int, outputs: int, kernel: int, stride: int = 1, dilation: int = 1) -> nn.Conv2d:
    padding = kernel // 2 * dilation
    return nn.Conv2d(inputs, outputs, kernel, stride, padding, dilation, bias=False)


class Block(nn.Module):
    expansion = 1

    def __init__(self, inputs: int, width: int, stride: int, dilation: int) -> None:
        super().__init__()
        self.conv1 = conv(inputs, width, 3, stride, dilation)
        self.bn1 = BatchNorm(width)
        self.conv2 = conv(width, width, 3, 1, dilation)
        self.bn2 = BatchNorm(width)
        self.downsample = shortcut(inputs, width, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return F.relu(torch.add(out, x if self.downsample is None else self.downsample(x)))


class Bottleneck(nn.Module):
    expansion = 4

    def __init__(self, inputs: int, width: int, stride: int, dilation: int) -> None:
        super().__init__()
        self.conv1 = conv(inputs, width, 1)
        self.bn1 = BatchNorm(width)
        self.conv2 = conv(width, width, 3, stride, dilation)
        self.bn2 = BatchNorm(width)
        self.conv3 = conv(width, width * 4, 1)
        self.bn3 = BatchNorm(width * 4)
        self.downsample = shortcut(inputs, width * 4, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = F.relu(self.bn1(self.conv1(x)))
        out = F.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        return F.relu(torch.add(out, x if self.downsample is None else self.downsample(x)))


def shortcut(inputs: int, outputs: int, stride: int) -> nn.Sequential | None:
    if stride == 1 and inputs == outputs:
        return None
    return nn.Sequential(conv(inputs, outputs, 1, stride), BatchNorm(outputs))


# Width of the first stage, blocks per stage, kind of block.
BACKBONES: dict[str, tuple[int, list[int], type]] = {
    "tiny": (16, [1, 1, 1, 1], Block),
    "small": (32, [2, 2, 2, 2], Block),
    "resnet18": (64, [2, 2, 2, 2], Block),
    "resnet50": (64, [3, 4, 6, 3], Bottleneck),
}


class ResNet(nn.Module):
    """`dilated` keeps the last stage at a sixteenth of the picture, as the segmenter wants it."""

    def __init__(self, name: str, dilated: bool) -> None:
        super().__init__()
        width, blocks, kind = BACKBONES[name]
        self.conv1 = nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.bn1 = BatchNorm(width)
        self.low_channels = width * kind.expansion
        self.channels = width * 8 * kind.expansion
        self.stride = 16 if dilated else 32
        inputs = width
        for stage, count in enumerate(blocks):
            last = stage == 3 and dilated
            stride, dilation = (1 if stage == 0 or last else 2), (2 if last else 1)
            layers = []
            for index in range(count):
                layers.append(kind(inputs, width * 2**stage, stride if index == 0 else 1, dilation))
                inputs = width * 2**stage * kind.expansion
            setattr(self, f"layer{stage + 1}", nn.Sequential(*layers))
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The map at a quarter of the picture, and the last one."""
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 3, 2, 1)
        low = self.layer1(x)
        return low, self.layer4(self.layer3(self.layer2(low)))
