"""Losses against hand-computed numbers, and pieces that add up to the whole."""

from __future__ import annotations

import math
import unittest

import torch
import torch.nn.functional as F

from tessera_trainer.batches import Batch
from tessera_trainer.labels import axis
from tessera_trainer.losses import Divisors, centroid_loss, class_loss, divergence, divisors, mask_loss
from tessera_trainer.metrics import Counts
from tessera_trainer.models.heads import BoundingBox
from tessera_trainer.randomness import Streams


def batch(masks: torch.Tensor, labels: list[int], weights: list[float]) -> Batch:
    rows = list(range(len(labels)))
    return Batch(
        torch.zeros(len(labels), 3, *masks.shape[1:]), masks, torch.tensor(labels), torch.tensor(weights), rows,
        Streams([(row,) for row in rows]),
    )  # fmt: skip


def by(given: Batch, centroid: bool = False) -> Divisors:
    return Divisors(*divisors(given, 1, centroid))


class Numbers(unittest.TestCase):
    def test_class_loss_is_a_weighted_mean(self) -> None:
        logits = torch.tensor([[2.0, 1.0, 0.5, -1.0], [0.0, 0.0, 0.0, 0.0]])
        given = batch(torch.zeros(2, 1, 1, dtype=torch.long), [0, 3], [1.0, 3.0])
        wanted = (0.495182 + 3 * math.log(4)) / 4
        self.assertAlmostEqual(class_loss(logits, given, by(given)).item(), wanted, places=5)

    def test_mask_loss_skips_what_is_not_labelled(self) -> None:
        # One image with one labelled pixel (p = 3/4), one without any.
        masks = torch.zeros(2, 2, 1, 2)
        masks[0, 1] = math.log(3)
        truth = torch.tensor([[[1, 255]], [[255, 255]]])
        given = batch(truth, [0, 0], [1.0, 1.0])
        self.assertAlmostEqual(mask_loss(masks, given, by(given)).item(), -math.log(0.75), places=6)
        nothing = batch(torch.full((1, 1, 2), 255), [0], [1.0])
        self.assertEqual(mask_loss(masks[:1], nothing, by(nothing)).item(), 0)

    def test_pixels_of_a_crowd_region_change_neither_loss_nor_gradient_nor_iou(self) -> None:
        seed = torch.Generator().manual_seed(5)
        masks, logits = torch.randn(2, 4, 3, 3, generator=seed), torch.zeros(2, 2)
        truth = torch.randint(0, 4, (2, 3, 3), generator=seed)
        truth[:, 0] = 255
        given = batch(truth, [0, 1], [1.0, 1.0])
        found = []
        for noise in (0.0, 5.0):
            out = masks.clone()
            out[:, 1, 0] += noise
            out.requires_grad_()
            loss = mask_loss(out, given, by(given))
            (gradient,) = torch.autograd.grad(loss, out)
            self.assertEqual(float(gradient[:, :, 0].abs().max()), 0)
            counts = Counts(2, 4)
            counts.add(logits, out.detach(), given)
            found.append((loss.item(), counts.summary()["iou"], counts.summary()["pixels"]["n"]))
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0][2], 12)

    def test_divergence_is_kullback_leibler_and_zero_at_equality(self) -> None:
        p, q = torch.tensor([[0.5, 0.5]]), torch.tensor([[0.9, 0.1]])
        wanted = 0.5 * math.log(0.5 / 0.9) + 0.5 * math.log(0.5 / 0.1)
        self.assertAlmostEqual(divergence(p.log(), q.log()).item(), wanted, places=6)
        self.assertAlmostEqual(divergence(p.log(), p.log() + 5).item(), 0, places=6)

    def test_centroid_loss_is_zero_where_the_centre_is_right(self) -> None:
        class Net:
            head = BoundingBox(1, 2, 8)

        masks = torch.full((1, 2, 8, 8), -30.0)
        masks[0, 0] = 0
        masks[0, 1, 2, 6] = 30
        truth = torch.zeros(1, 8, 8, dtype=torch.long)
        truth[0, 2, 6] = 1
        right = batch(truth, [0], [1.0])
        only_class = F.cross_entropy(torch.tensor([[masks[0, 1].mean(), 0.0]]), torch.tensor([0])).item()
        matrix = torch.tensor([[1.0, 0.0]])
        self.assertAlmostEqual(centroid_loss(Net, masks, right, by(right, True), matrix).item(), only_class, places=4)
        # Swapped axes would call this one right.
        swapped = batch(truth.transpose(1, 2).contiguous(), [0], [1.0])
        away = float(2 * (axis(8)[6] - axis(8)[2]) ** 2)
        found = centroid_loss(Net, masks, swapped, by(swapped, True), matrix).item()
        self.assertAlmostEqual(found, only_class + away, places=3)

    def test_the_mask_loss_and_its_gradient_are_those_of_torch(self) -> None:
        masks = torch.randn(3, 5, 4, 4, generator=torch.Generator().manual_seed(3), requires_grad=True)
        truth = torch.randint(0, 5, (3, 4, 4), generator=torch.Generator().manual_seed(4))
        truth[0, :2] = truth[2] = 255
        given = batch(truth, [0, 0, 0], [0.5, 2.0, 1.0])
        each = F.cross_entropy(masks, truth, ignore_index=255, reduction="none").sum((1, 2))
        plain = (each * given.weights).sum() / by(given).pixels
        loss = mask_loss(masks, given, by(given))
        self.assertAlmostEqual(loss.item(), plain.item(), places=5)
        (a,), (b,) = (torch.autograd.grad(of, masks) for of in (loss, plain))
        torch.testing.assert_close(a, b)

    def test_the_gradient_of_the_mask_loss_is_probability_minus_truth(self) -> None:
        masks = torch.zeros(1, 2, 1, 2, requires_grad=True)
        given = batch(torch.tensor([[[1, 255]]]), [0], [1.0])
        (gradient,) = torch.autograd.grad(mask_loss(masks, given, by(given)), masks)
        self.assertEqual(gradient.flatten().tolist(), [0.5, 0, -0.5, 0])


class Pieces(unittest.TestCase):
    def test_the_losses_of_the_pieces_add_up_to_that_of_the_whole(self) -> None:
        torch.manual_seed(0)
        truth = torch.randint(0, 3, (6, 4, 4))
        truth[2], truth[4, 0] = 255, 255
        whole = batch(truth, [0, 1, 0, 1, 1, 0], [1.0, 0.5, 2.0, 1.0, 0.1, 1.0])
        logits, masks, total = torch.randn(6, 2), torch.randn(6, 3, 4, 4), by(whole)
        for loss, out in [(class_loss, logits), (mask_loss, masks)]:
            parts = sum(loss(out[a:b], whole.part(a, b), total) for a, b in [(0, 2), (2, 3), (3, 6)])
            self.assertAlmostEqual(loss(out, whole, total).item(), parts.item(), places=5)
