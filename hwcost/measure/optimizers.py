"""One step of an optimizer as a card runs it: over lists of tensors, with the temporaries of torch's `foreach` code.

torch's Adam asks its step counter for a value, which tensors without values do not have; the arithmetic is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch

RATE, MOMENTUM, BETA1, BETA2, EPSILON = 1e-3, 0.9, 0.9, 0.999, 1e-8


@dataclass
class Optimizer:
    """`sgd`, `momentum` or `adam`; the state is made at the first step, as torch does."""

    name: str
    parameters: list[torch.nn.Parameter]
    first: list[torch.Tensor] = field(default_factory=list)
    second: list[torch.Tensor] = field(default_factory=list)

    @torch.no_grad()
    def step(self) -> None:
        """Updates every parameter that has a gradient, then drops the gradients."""
        held = [p for p in self.parameters if p.grad is not None]
        values: list[torch.Tensor] = list(held)
        gradients = [p.grad for p in held if p.grad is not None]
        if not values:
            return
        if self.name == "sgd":
            torch._foreach_add_(values, gradients, alpha=-RATE)
        elif self.name == "momentum":
            self._momentum(values, gradients)
        else:
            self._adam(values, gradients)
        for p in held:
            p.grad = None

    def _momentum(self, values: list[torch.Tensor], gradients: list[torch.Tensor]) -> None:
        if self.first:
            torch._foreach_mul_(self.first, MOMENTUM)
            torch._foreach_add_(self.first, gradients)
        else:
            self.first = [torch.clone(gradient) for gradient in gradients]
        torch._foreach_add_(values, self.first, alpha=-RATE)

    def _adam(self, values: list[torch.Tensor], gradients: list[torch.Tensor]) -> None:
        if not self.first:
            self.first = [torch.zeros_like(value) for value in values]
            self.second = [torch.zeros_like(value) for value in values]
        torch._foreach_lerp_(self.first, gradients, 1.0 - BETA1)
        torch._foreach_mul_(self.second, BETA2)
        torch._foreach_addcmul_(self.second, gradients, gradients, 1.0 - BETA2)
        divisor = torch._foreach_sqrt(self.second)
        torch._foreach_div_(divisor, (1.0 - BETA2) ** 0.5)
        torch._foreach_add_(divisor, EPSILON)
        torch._foreach_addcdiv_(values, self.first, divisor, -RATE / (1.0 - BETA1))
