"""One step of an optimizer as a card runs it: over lists of tensors, with the temporaries of torch's `foreach` code.

torch's Adam asks its step counter for a value, which tensors without values do not have; the arithmetic is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch

RATE, MOMENTUM, BETA1, BETA2, EPSILON = 1e-3, 0.9, 0.9, 0.999, 1e-8


@dataclass
class Optimizer:
    """`sgd`, `momentum` or `adam`."""

    name: str
    parameters: list[torch.nn.Parameter]
    first: list[torch.Tensor] = field(default_factory=list)
    second: list[torch.Tensor] = field(default_factory=list)

    @torch.no_grad()
    def prepare(self) -> None:
        """Makes the state that torch makes at the first step: what follows is a usual step."""
        if self.name != "sgd":
            self.first = [torch.zeros_like(value) for value in self.parameters]
        if self.name == "adam":
            self.second = [torch.zeros_like(value) for value in self.parameters]

    @torch.no_grad()
    def step(self) -> None:
        """Updates every parameter that has a gradient, then drops the gradients."""
        places = [i for i, p in enumerate(self.parameters) if p.grad is not None]
        held = [self.parameters[i] for i in places]
        values: list[torch.Tensor] = list(held)
        gradients = [p.grad for p in held if p.grad is not None]
        if not values:
            return
        if self.name == "sgd":
            torch._foreach_add_(values, gradients, alpha=-RATE)
        elif self.name == "momentum":
            self._momentum(values, gradients, [self.first[i] for i in places])
        else:
            moments = [self.first[i] for i in places], [self.second[i] for i in places]
            self._adam(values, gradients, *moments)
        for p in held:
            p.grad = None

    @staticmethod
    def _momentum(values: list[torch.Tensor], gradients: list[torch.Tensor], first: list[torch.Tensor]) -> None:
        torch._foreach_mul_(first, MOMENTUM)
        torch._foreach_add_(first, gradients)
        torch._foreach_add_(values, first, alpha=-RATE)

    @staticmethod
    def _adam(
        values: list[torch.Tensor],
        gradients: list[torch.Tensor],
        first: list[torch.Tensor],
        second: list[torch.Tensor],
    ) -> None:
        torch._foreach_lerp_(first, gradients, 1.0 - BETA1)
        torch._foreach_mul_(second, BETA2)
        torch._foreach_addcmul_(second, gradients, gradients, 1.0 - BETA2)
        divisor = torch._foreach_sqrt(second)
        torch._foreach_div_(divisor, (1.0 - BETA2) ** 0.5)
        torch._foreach_add_(divisor, EPSILON)
        torch._foreach_addcdiv_(values, first, divisor, -RATE / (1.0 - BETA1))
