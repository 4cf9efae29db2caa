"""Reverse mode by hand. Exporters cannot write what autograd does, but they can write ordinary operations: a Traced
value passes through the net's own forward code, notes what happens to it, and plays the chain rule backwards with
convolutions, products and sums."""

from __future__ import annotations

from typing import Any, Callable

import torch

Pull = Callable[[torch.Tensor], torch.Tensor]
# Forward: of the traced arguments' tensors; gives the value and, for each traced argument, how to pull a gradient back.
Rule = Callable[..., "tuple[torch.Tensor, list[tuple[Traced, Pull]]]"]

RULES: dict[Any, Rule] = {}


class Traced:
    """A tensor on the tape. torch's functions find `__torch_function__` and come here."""

    def __init__(self, value: torch.Tensor, sources: "list[tuple[Traced, Pull]] | None" = None) -> None:
        self.value = value
        self.sources = sources or []

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> "Traced":
        rule = RULES.get(function)
        if rule is None:
            raise NotImplementedError(f"the gradient graph has no rule for {getattr(function, '__name__', function)}")
        return cls(*rule(*args, **(kwargs or {})))

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(int(size) for size in self.value.shape)

    def dim(self) -> int:
        return self.value.dim()

    def __sub__(self, other: Any) -> "Traced":
        return torch.sub(self, other)

    def __mul__(self, other: Any) -> "Traced":
        return torch.mul(self, other)


def value_of(thing: Any) -> Any:
    return thing.value if isinstance(thing, Traced) else thing


def order_of(end: Traced) -> list[Traced]:
    """From the end to the beginnings, each after everything it went into."""
    seen: set[int] = set()
    order: list[Traced] = []
    stack: list[tuple[Traced, bool]] = [(end, False)]
    while stack:
        node, finished = stack.pop()
        if finished:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source, _ in node.sources)
    return order[::-1]


def pull_back(end: Traced, gradient: torch.Tensor, wanted: list[Traced]) -> list[torch.Tensor]:
    gradients: dict[int, torch.Tensor] = {id(end): gradient}
    for node in order_of(end):
        mine = gradients.get(id(node))
        if mine is None:
            continue
        for source, pull in node.sources:
            part = pull(mine)
            before = gradients.get(id(source))
            gradients[id(source)] = part if before is None else before + part
    return [gradients[id(node)] for node in wanted]
