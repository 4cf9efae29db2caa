"""Each attack against a linear model, whose exact robust radius is known, and against each other."""

from __future__ import annotations

import unittest

import numpy as np
import torch
import torch.nn as nn

from tessera_trainer.attacks.apgd import apgd, apgd_targeted, cross_entropy_loss, dlr, targeted_dlr
from tessera_trainer.attacks.cascade import chain, run_chain, suspicions, verify
from tessera_trainer.attacks.fab import fab, to_hyperplane
from tessera_trainer.attacks.pgd import pgd
from tessera_trainer.attacks.square import side_of, square
from tessera_trainer.attacks.two_stage import mask_bank, two_stage
from tessera_trainer.attacks.victim import Victim
from tessera_trainer.failure import Failure
from tessera_trainer.models.build import build_model
from tessera_trainer.randomness import Streams

from .support import Job, changed, pictures

SHAPE = (3, 8, 8)


class Linear(nn.Module):
    """Logits w·x + b, around pictures from whose ball the borders of [0, 1] are far away."""

    def __init__(self, classes: int, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.weight = torch.randn(classes, 3 * 8 * 8)
        self.bias = torch.zeros(classes)

    def forward(self, x: torch.Tensor):
        return x.flatten(1) @ self.weight.t() + self.bias, None, None

    def radius(self, x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """To the nearest other class: margin ÷ L1 norm of the difference of weights."""
        logits = self(x)[0]
        reach = torch.full((len(x), len(self.weight)), float("inf"))
        for other in range(len(self.weight)):
            apart = (self.weight[labels] - self.weight[other]).abs().sum(1)
            margin = logits.gather(1, labels[:, None])[:, 0] - logits[:, other]
            reach[:, other] = torch.where(labels == other, torch.tensor(float("inf")), margin / apart)
        return reach.min(1).values


def scene(classes: int, images: int = 12, gap: float = 0.01):
    """Pictures near grey, so that no ball of interest meets the border."""
    net = Linear(classes)
    torch.manual_seed(3)
    x = 0.5 + (torch.rand(images, *SHAPE) - 0.5) * 0.2
    labels = net(x)[0].argmax(1)
    radius = net.radius(x, labels)
    clear = radius > gap / 10
    x, labels, radius = x[clear], labels[clear], radius[clear]
    return net, x, labels, radius, Streams([(5, row) for row in range(len(x))])


def broken(net: nn.Module, found: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    return net(found)[0].argmax(1) != labels


class ExactRadius(unittest.TestCase):
    def each(self, classes: int, attack, below: float, above: float) -> None:
        """At `below` times its radius an image never falls, at `above` times always. One ball for each image."""
        net, x, labels, radius, streams = scene(classes)
        for row in range(len(x)):
            one, label, mine = x[row : row + 1], labels[row : row + 1], streams.pick(torch.tensor([row]))
            for factor, falls in [(below, False), (above, True)]:
                eps = float(radius[row]) * factor
                found = attack(Victim(net), one, label, eps, mine)
                verify(found, one, eps, "attack")
                self.assertEqual(bool(broken(net, found, label)[0]), falls, f"image {row} at {factor} × its radius")

    def test_pgd(self) -> None:
        self.each(2, lambda v, x, y, eps, s: pgd(v, x, y, eps, 20, eps / 4, 1, s), 0.98, 1.05)

    def test_apgd_on_cross_entropy_of_two_classes(self) -> None:
        self.each(2, lambda v, x, y, eps, s: apgd(v, x, y, eps, 25, cross_entropy_loss(y), s), 0.98, 1.02)

    def test_apgd_on_targeted_dlr(self) -> None:
        self.each(5, lambda v, x, y, eps, s: apgd_targeted(v, x, y, eps, 25, 4, s), 0.98, 1.02)

    def test_fab_targeted_and_with_two_classes(self) -> None:
        self.each(5, lambda v, x, y, eps, s: fab(v, x, y, eps, 20, 4), 0.98, 1.02)
        self.each(2, lambda v, x, y, eps, s: fab(v, x, y, eps, 20, None), 0.98, 1.02)

    def test_square_never_below_the_radius_and_always_far_above(self) -> None:
        self.each(3, lambda v, x, y, eps, s: square(v, x, y, eps, 400, s), 0.98, 6)

    def test_the_chain_of_four_and_of_three(self) -> None:
        for classes in (2, 3, 5):
            net, x, labels, radius, streams = scene(classes)
            ordered = radius.sort().values
            eps = float(ordered[5] + ordered[6]) / 2
            found = run_chain(Victim(net), x, labels, eps, chain(classes, eps, 25, 9, 50), streams)
            self.assertEqual([name is not None for name in found], (radius < eps).tolist())
            self.assertEqual([name for name, _ in chain(classes, eps, 1, 1, 1)][1], "apgd-t" if classes > 3 else "fab")


class Rules(unittest.TestCase):
    def test_no_ball_is_clean_accuracy(self) -> None:
        net, x, labels, _, streams = scene(5)
        labels = labels.clone()
        labels[0] = (labels[0] + 1) % 5
        for name, attack in [("pgd", lambda v, x, y, s: pgd(v, x, y, 0, 5, 0.1, 2, s)), *chain(5, 0, 5, 9, 5)]:
            found = run_chain(Victim(net), x, labels, 0, [(name, attack)], streams)
            self.assertEqual(found, ["clean"] + [None] * (len(x) - 1), name)

    def test_difference_of_logits_ratio(self) -> None:
        z = torch.tensor([[2.0, 1.0, 0.5, -1.0]])
        self.assertAlmostEqual(dlr(z, torch.tensor([0])).item(), -0.666667, places=5)
        self.assertAlmostEqual(dlr(z, torch.tensor([1])).item(), 0.666667, places=5)
        self.assertAlmostEqual(targeted_dlr(z, torch.tensor([0]), torch.tensor([1])).item(), -0.444444, places=5)

    def test_sides_of_the_squares(self) -> None:
        at = (0, 11, 51, 201, 501, 1001, 2001, 4001)
        self.assertEqual([side_of(i, 224, 224) for i in at], [200, 142, 100, 71, 50, 35, 25, 18])
        self.assertEqual([side_of(i, 32, 32) for i in at], [29, 20, 14, 10, 7, 5, 4, 3])

    def test_the_way_to_a_hyperplane_is_the_shortest_in_the_box(self) -> None:
        torch.manual_seed(0)
        point, normal = torch.rand(50, 20), torch.randn(50, 20)
        offset = (normal * torch.rand(50, 20)).sum(1)  # Some point of the box lies on it.
        change = to_hyperplane(point, normal, offset)
        there = point + change
        self.assertLess(float(((normal * there).sum(1) - offset).abs().max()), 1e-4)
        self.assertTrue(bool(((there > -1e-6) & (there < 1 + 1e-6)).all()))
        # With a slightly smaller radius the plane is out of reach.
        missing = offset - (normal * point).sum(1)
        radius = change.abs().amax(1, keepdim=True) * 0.99
        side = missing.sign()[:, None]
        room = torch.where(side * normal > 0, 1 - point, point)
        reach = (normal.abs() * torch.minimum(room, radius)).sum(1)
        self.assertTrue(bool((reach < missing.abs()).all()))

    def test_what_an_image_gets_does_not_depend_on_its_batch(self) -> None:
        net, x, labels, radius, streams = scene(5)
        eps = float(radius.median())
        for _, attack in chain(5, eps, 5, 2, 20):
            whole = attack(Victim(net), x, labels, streams)
            alone = attack(Victim(net), x[3:4], labels[3:4], streams.pick(torch.tensor([3])))
            self.assertLess(float((whole[3:4] - alone).abs().max()), 1e-6)

    def test_an_attack_that_leaves_the_ball_is_refused(self) -> None:
        x = torch.full((1, 3, 2, 2), 0.5)
        for found in (x + 0.2, x * float("nan"), x - 0.6):
            with self.assertRaises(Failure):
                verify(found, x, 0.1, "attack")

    def test_suspicions(self) -> None:
        class Flat(nn.Module):
            def forward(self, x: torch.Tensor):
                return torch.softmax((x.flatten(1)[:, :4] > 0.5).float() + 0 * x.flatten(1)[:, :4], 1), None, None

        net, x, labels, _, _ = scene(5)
        self.assertEqual([code for code, _ in suspicions(Victim(Flat()), x, labels % 4)], ["softmax-output", "zero-gradient"])
        self.assertEqual(suspicions(Victim(net), x, labels), [])


class Convolutional(unittest.TestCase):
    def test_pgd_does_not_beat_apgd_by_more_than_noise(self) -> None:
        torch.manual_seed(1)
        layers = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(72, 4)
        )  # fmt: skip
        net = lambda x: (layers(x), None, None)  # noqa: E731
        x = torch.rand(48, *SHAPE)
        labels = layers(x).argmax(1)
        streams = Streams([(9, row) for row in range(len(x))])
        stands = {}
        for eps in (0.01, 0.03):
            plain = pgd(Victim(net), x, labels, eps, 20, eps / 4, 1, streams)
            adaptive = apgd(Victim(net), x, labels, eps, 20, cross_entropy_loss(labels), streams)
            stands[eps] = [int((layers(found).argmax(1) == labels).sum()) for found in (plain, adaptive)]
        for plain, adaptive in stands.values():
            self.assertLessEqual(adaptive, plain + 1)
        self.assertLess(stands[0.03][1], stands[0.01][1])

    def test_two_stage_attacks_stay_in_the_ball_whatever_they_steer_to(self) -> None:
        net = build_model(changed(model__arch="bounding-box"), 3, [0, 1, 2]).eval()
        torch.manual_seed(2)
        x, bank_masks = torch.rand(4, 3, 32, 32), torch.randint(0, 4, (6, 32, 32))
        labels, bank_labels = net(x).logits.argmax(1), torch.tensor([0, 1, 2, 0, 1, 2])
        streams = Streams([(1, row) for row in range(4)])
        for strategy in ("untargeted", "random", "confident-random", "confident-sorted"):
            victim = Victim(net)
            bank = mask_bank(victim, bank_masks, bank_labels, 4, strategy == "confident-sorted")
            found = two_stage(victim, x, labels, net(x).masks.argmax(1), bank, strategy, 0.03, 3, 0.01, 2, streams)
            verify(found, x, 0.03, strategy)
            self.assertGreater(float((found - x).abs().max()), 0.02)

    def test_a_sweep_that_breaks_nothing_is_doubted_and_no_ball_is_clean_accuracy(self) -> None:
        sweep = {"attack": "sweep", "steps": 3, "restarts": 1, "sample": None}
        tests = [{"attack": "none", "sample": None}, {**sweep, "eps": [0, 1e-7]}, {**sweep, "eps": [0, 0.5]}]
        stage = {"name": "clean", "method": "clean", "epochs": 8, "from": "last", "lr": 0.05}
        # Mixed precision where no GPU is: told, and full precision.
        job = Job(changed(test=tests, stages=[stage], validate__previews=0, train__precision="amp", resources__device="auto"))
        self.assertEqual(job.here(), 0)
        clean, idle, strong = job.result["metrics"]["tests"]
        self.assertGreater(clean["accuracy"], 0.5)
        self.assertEqual([ball["correct"] for ball in idle["balls"]], [clean["correct"]] * 2)
        self.assertEqual((strong["balls"][0]["correct"], strong["balls"][1]["correct"]), (clean["correct"], 0))
        warned = [event["code"] for event in job.events if event["kind"] == "warning"]
        self.assertEqual(warned.count("gradient-masking"), 1)
        self.assertEqual("no-mixed-precision" in warned, not torch.cuda.is_available())

    def test_crowd_regions_are_ignored_and_attacks_can_still_be_steered(self) -> None:
        # The left quarter of every image is a crowd region.
        masks = pictures(48, 3, 2)[1]
        masks[:, :, :8] = 255
        attack = {"attack": "two-stage", "eps": 0.03, "steps": 2, "step": 0.02, "restarts": 1, "sample": 2}
        tests = [{**attack, "strategy": strategy} for strategy in ("random", "confident-sorted")]
        stage = {"name": "clean", "method": "clean", "epochs": 1, "from": "last", "lr": 0.05}
        job = Job(changed(test=tests, stages=[stage]), masks=masks)
        self.assertEqual(job.here(), 0)
        self.assertEqual([test["n"] for test in job.result["metrics"]["tests"]], [2, 2])

    def test_a_test_split_of_one_class_without_masks_can_still_be_steered(self) -> None:
        row, labels = np.arange(48), np.arange(48) % 3
        splits = np.where(row < 6, 1, np.where((row >= 24) & (labels == 0), 2, 0))
        attack = {"attack": "two-stage", "eps": 0.03, "steps": 2, "step": 0.02, "restarts": 1, "sample": 2}
        tests = [{**attack, "strategy": strategy} for strategy in ("random", "confident-sorted")]
        stage = {"name": "clean", "method": "clean", "epochs": 1, "from": "last", "lr": 0.05}
        spec = changed(train__cSeg=0, test=tests, stages=[stage], validate__previews=0)
        job = Job(spec, masks=np.full((48, 32, 32), 255, np.uint8), splits=splits)
        self.assertEqual(job.here(), 0)
        self.assertEqual([test["n"] for test in job.result["metrics"]["tests"]], [2, 2])
