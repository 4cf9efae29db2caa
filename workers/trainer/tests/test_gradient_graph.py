"""The hand-made gradient graph against autograd, for every model."""

from __future__ import annotations

import unittest

import torch
import torch.nn.functional as F

from tessera_trainer.export.gradient import Gradient
from tessera_trainer.export.tape import Traced
from tessera_trainer.models.build import build_model

from .support import changed
from .test_models import ARCHS


class GradientGraph(unittest.TestCase):
    def test_it_is_the_gradient_of_cross_entropy_and_of_any_sum_of_logits(self) -> None:
        torch.manual_seed(0)
        variants = [{"model__arch": arch} for arch in ARCHS] + [{"model__withImage": True}, {"model__background": False}]
        for variant in variants:
            net = build_model(changed(**variant), 4, [0, 1, 1, 2, 3])
            net.train()(torch.rand(8, 3, 32, 32))  # So that batch norm has something to do.
            net.eval()
            image, labels = torch.rand(3, 3, 32, 32, requires_grad=True), torch.tensor([0, 1, 3])
            logits, _, features = net(image)
            hot = F.one_hot(labels, 4).float()
            wanted = torch.autograd.grad(F.cross_entropy(logits, labels, reduction="sum"), [image, features], retain_graph=True)
            apart = torch.autograd.grad((logits * hot).sum(), [image])[0]
            with torch.no_grad():
                _, by_image, by_features = Gradient(net)(image, -hot, torch.ones(1))
                _, by_sum, _ = Gradient(net)(image, hot, torch.zeros(1))
            for found, true in [(by_image, wanted[0]), (by_features, wanted[1]), (by_sum, apart)]:
                self.assertLess(float((found - true).abs().max() / true.abs().max()), 1e-5, variant)

    def test_an_operation_without_a_rule_is_refused_by_name(self) -> None:
        with self.assertRaisesRegex(NotImplementedError, "erf"):
            torch.erf(Traced(torch.ones(1)))
