"""The chain rule for every operation the nets use. A gradient is pulled back with standard operations only."""

from __future__ import annotations

from typing import Any, Sequence

import torch
import torch.nn.functional as F

from .tape import RULES, Pull, Traced, value_of

Found = "tuple[torch.Tensor, list[tuple[Traced, Pull]]]"


def sources(*pairs: tuple[Any, Pull]) -> list[tuple[Traced, Pull]]:
    return [(thing, pull) for thing, pull in pairs if isinstance(thing, Traced)]


def fold(gradient: torch.Tensor, like: Any) -> torch.Tensor:
    """Sums over what broadcasting spread out. The batch (axis 0) is never spread from a traced value."""
    shape = like.shape
    for axis in range(1, len(shape)):
        if shape[axis] == 1 and int(gradient.shape[axis]) != 1:
            gradient = torch.sum(gradient, axis, keepdim=True)
    return gradient


def conv2d(x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1):
    stride, padding, dilation = (v if isinstance(v, tuple) else (v, v) for v in (stride, padding, dilation))
    out = F.conv2d(x.value, weight, bias, stride, padding, dilation, groups)
    left = [
        x.shape[2 + i] - ((int(out.shape[2 + i]) - 1) * stride[i] - 2 * padding[i] + dilation[i] * (weight.shape[2 + i] - 1) + 1)
        for i in (0, 1)
    ]

    def pull(g: torch.Tensor) -> torch.Tensor:
        return F.conv_transpose2d(g, weight, None, stride, padding, left, groups, dilation)

    return out, sources((x, pull))


def batch_norm(x: Any, mean: Any, var: Any, weight: Any, bias: Any, training: bool, momentum: float, eps: float):
    assert not training, "the gradient graph is of the net as it is served"
    shape = [1, -1] + [1] * (x.dim() - 2)
    scale = (weight / torch.sqrt(var + eps)).view(shape)
    return x.value * scale + (bias.view(shape) - mean.view(shape) * scale), sources((x, lambda g: g * scale))


def relu(x: Any, inplace: bool = False):
    positive = (x.value > 0).to(x.value.dtype)
    return F.relu(x.value), sources((x, lambda g: g * positive))


def max_pool2d(x: Any, kernel: int, stride: int, padding: int = 0, *_: Any, **__: Any):
    """Patches by one-hot convolutions; the gradient goes to the first greatest value of a patch, as torch sends it.
    Only after a ReLU, where a border of zeros is as good as one of −∞ and ties at zero carry no gradient."""
    channels, size = x.shape[1], kernel * kernel
    hot = torch.eye(size).view(size, 1, kernel, kernel).repeat(channels, 1, 1, 1)
    out = F.max_pool2d(x.value, kernel, stride, padding)
    patches = F.conv2d(x.value, hot, None, stride, padding, 1, channels)
    height, width = int(out.shape[2]), int(out.shape[3])
    patches = patches.reshape(-1, channels, size, height, width)
    hits, free = [], torch.ones_like(out)
    for place in range(size):
        hit = (patches[:, :, place] >= out).to(out.dtype) * free
        free = free - hit
        hits.append(hit)
    chosen = torch.stack(hits, 2)
    left = [x.shape[2 + i] - ((int(out.shape[2 + i]) - 1) * stride - 2 * padding + kernel) for i in (0, 1)]

    def pull(g: torch.Tensor) -> torch.Tensor:
        spread = (chosen * g.unsqueeze(2)).reshape(-1, channels * size, height, width)
        return F.conv_transpose2d(spread, hot, None, stride, padding, left, channels)

    return out, sources((x, pull))


def linear(x: Any, weight: Any, bias: Any = None):
    return F.linear(x.value, weight, bias), sources((x, lambda g: torch.matmul(g, weight)))


def matmul(a: Any, b: Any):
    """One side is a constant matrix: resizing, pooling, part → class."""
    left, right = value_of(a), value_of(b)
    return torch.matmul(left, right), sources(
        (a, lambda g: torch.matmul(g, right.transpose(-1, -2))), (b, lambda g: torch.matmul(left.transpose(-1, -2), g))
    )


def add(a: Any, b: Any):
    return value_of(a) + value_of(b), sources((a, lambda g: fold(g, a)), (b, lambda g: fold(g, b)))


def sub(a: Any, b: Any):
    return value_of(a) - value_of(b), sources((a, lambda g: fold(g, a)), (b, lambda g: fold(-g, b)))


def mul(a: Any, b: Any):
    left, right = value_of(a), value_of(b)
    return left * right, sources((a, lambda g: fold(g * right, a)), (b, lambda g: fold(g * left, b)))


def div(a: Any, b: Any):
    left, right = value_of(a), value_of(b)
    out = left / right
    return out, sources((a, lambda g: fold(g / right, a)), (b, lambda g: fold(-g * out / right, b)))


def cat(things: Sequence[Any], dim: int = 0):
    sizes = [int(value_of(thing).shape[dim]) for thing in things]
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    pulls = [
        (thing, lambda g, start=start, size=size: torch.narrow(g, dim, start, size))
        for thing, start, size in zip(things, starts, sizes)
    ]
    return torch.cat([value_of(thing) for thing in things], dim), sources(*pulls)


def narrow(x: Any, dim: int, start: int, length: int):
    before, after = start, x.shape[dim] - start - length

    def pull(g: torch.Tensor) -> torch.Tensor:
        edges = [0, 0] * (x.dim() - 1 - dim) + [before, after]
        return F.pad(g, edges)

    return torch.narrow(x.value, dim, start, length), sources((x, pull))


def sum_over(x: Any, dim: Any, keepdim: bool = False):
    shape = x.shape

    def pull(g: torch.Tensor) -> torch.Tensor:
        wide = g if keepdim else g.reshape([-1] + [1 if axis in dim else shape[axis] for axis in range(1, len(shape))])
        return wide * torch.ones([1, *shape[1:]])

    return torch.sum(x.value, dim, keepdim), sources((x, pull))


def mean_over(x: Any, dim: Any):
    count = 1
    for axis in dim:
        count *= x.shape[axis]
    _, pulls = sum_over(x, dim)
    return torch.mean(x.value, dim), [(source, lambda g, pull=pull: pull(g) / count) for source, pull in pulls]


def softmax(x: Any, dim: int, *_: Any, **__: Any):
    out = torch.softmax(x.value, dim)
    return out, sources((x, lambda g: out * (g - torch.sum(g * out, dim, keepdim=True))))


def sigmoid(x: Any):
    out = torch.sigmoid(x.value)
    return out, sources((x, lambda g: g * out * (1 - out)))


def sqrt(x: Any):
    out = torch.sqrt(x.value)
    return out, sources((x, lambda g: g / (2 * out)))


def flatten(x: Any, start: int):
    shape = x.shape
    return torch.flatten(x.value, start), sources((x, lambda g: g.reshape([-1, *shape[1:]])))


def unsqueeze(x: Any, dim: int):
    return torch.unsqueeze(x.value, dim), sources((x, lambda g: torch.squeeze(g, dim)))


RULES.update(
    {
        F.conv2d: conv2d, torch.conv2d: conv2d, F.batch_norm: batch_norm, F.relu: relu, torch.relu: relu,
        F.max_pool2d: max_pool2d, F.linear: linear, torch.matmul: matmul, torch.add: add, torch.sub: sub,
        torch.mul: mul, torch.div: div, torch.cat: cat, torch.narrow: narrow, torch.sum: sum_over,
        torch.mean: mean_over, torch.softmax: softmax, torch.sigmoid: sigmoid, torch.sqrt: sqrt,
        torch.flatten: flatten, torch.unsqueeze: unsqueeze,
    }  # fmt: skip
)  # fmt: skip
