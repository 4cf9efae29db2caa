"""Layers and heads against published sizes, torch's own layers, and numbers worked out by hand."""

from __future__ import annotations

import unittest

import torch

from tessera_trainer.models.build import build_model, parameter_count
from tessera_trainer.models.heads import BoundingBox, Downsampled, Pixel
from tessera_trainer.models.layers import BatchNorm, Dropout, pooling, upsampling
from tessera_trainer.randomness import Streams

from .support import changed

FORTY = [part % 11 for part in range(40)]
ARCHS = ["baseline", "downsampled", "bounding-box", "two-headed-encoder", "two-headed-decoder", "pixel"]


def published(arch: str) -> dict:
    segmenter = {"channels": 256, "rates": [12, 24, 36], "dropout": 0.5}
    return changed(model__arch=arch, model__backbone="resnet50", model__segmenter=segmenter, data__size=224)


class PublishedSizes(unittest.TestCase):
    def test_the_segmenter_has_the_parameters_of_the_paper(self) -> None:
        # The pixel model has no parameters beside the segmenter's; the paper says 26.7 M.
        self.assertEqual(parameter_count(build_model(published("pixel"), 11, FORTY)), 26_687_865)

    def test_heads_and_baseline_have_the_published_parameters(self) -> None:
        wanted = {"downsampled": 146_056, "bounding-box": 11_111, "two-headed-encoder": 2_102_155, "two-headed-decoder": 286_091}
        for arch, count in wanted.items():
            self.assertEqual(parameter_count(build_model(published(arch), 11, FORTY).head), count, arch)
        self.assertEqual(parameter_count(build_model(published("baseline"), 11, FORTY)), 23_530_571)


class Shapes(unittest.TestCase):
    def test_every_model_answers_for_two_classes_and_for_forty_parts(self) -> None:
        for classes, parts in [(2, [0, 1, 1]), (11, FORTY)]:
            for arch in ARCHS:
                net = build_model(changed(model__arch=arch), classes, parts)
                logits, masks, features = net(torch.rand(2, 3, 32, 32))
                self.assertEqual(logits.shape, (2, classes))
                self.assertEqual(features.shape[:2], (2, 128))
                if arch != "baseline":
                    self.assertEqual(masks.shape, (2, len(parts) + 1, 32, 32))

    def test_variants_of_the_downsampled_model(self) -> None:
        for variant in [{"model__background": False}, {"model__withImage": True}, {"model__pool": 1}, {"model__pool": 7}]:
            net = build_model(changed(**variant), 3, [0, 0, 1, 2])
            self.assertEqual(net(torch.rand(2, 3, 32, 32)).logits.shape, (2, 3))
        level = build_model(changed(model__level="object"), 3, [0, 0, 1, 2])
        self.assertEqual(level(torch.rand(2, 3, 32, 32)).masks.shape[1], 4)

    def test_the_same_seed_draws_the_same_weights(self) -> None:
        a, b = (build_model(changed(), 3, [0, 1, 2]) for _ in range(2))
        torch.manual_seed(5)
        for one, other in zip(a.parameters(), b.parameters()):
            self.assertTrue(torch.equal(one, other))


class Layers(unittest.TestCase):
    def test_resizing_by_matrices_is_what_the_kernels_do(self) -> None:
        x = torch.rand(2, 3, 14, 14)
        for layer in (pooling(14, 4), pooling(14, 1), upsampling(14, 4)):
            products = torch.matmul(torch.matmul(layer.rows, x), layer.columns)
            self.assertLess(float((layer(x) - products).abs().max()), 1e-5)

    def test_dropout_depends_on_the_image_not_on_the_batch(self) -> None:
        layer = Dropout(0.5).train()
        x = torch.ones(3, 4, 5, 5)
        keys = [(7, row) for row in range(3)]
        layer.streams = Streams(keys)
        whole = layer(x)
        layer.streams = Streams(keys[2:])
        self.assertTrue(torch.equal(layer(x[2:]), whole[2:]))
        self.assertEqual(set(whole.unique().tolist()), {0.0, 2.0})

    def test_one_value_has_no_spread_and_is_normed_by_what_was_learnt(self) -> None:
        layer = BatchNorm(2).train()
        x = torch.tensor([[[[3.0]], [[-1.0]]]])
        self.assertLess(float((layer(x) - x).detach().abs().max()), 1e-4)


class Heads(unittest.TestCase):
    def test_the_soft_box_of_a_part_is_as_worked_out_by_hand(self) -> None:
        # Two equal rows; background 0, part (2, −1).
        masks = torch.tensor([[[[0.0, 0.0]] * 2, [[2.0, -1.0]] * 2]])
        score, x, y, spread_x, spread_y = (value.item() for value in BoundingBox(1, 2, 2).boxes(masks))
        self.assertAlmostEqual(score, 1.298254, places=5)
        self.assertAlmostEqual(x, 0.233915 + 0.5 - 1, places=5)  # half-pixel, picture [−1, 1]
        self.assertAlmostEqual(spread_x, 0.423319, places=5)
        self.assertAlmostEqual(y, 0, places=6)
        self.assertAlmostEqual(spread_y, 0.5, places=5)

    def test_a_part_to_the_right_has_a_positive_x(self) -> None:
        masks = torch.full((1, 2, 8, 8), -20.0)
        masks[0, 0] = 0
        masks[0, 1, 2, 7] = 20
        _, x, y, _, _ = BoundingBox(1, 2, 8).boxes(masks)
        self.assertAlmostEqual(x.item(), 7.5 / 8 * 2 - 1, places=4)
        self.assertAlmostEqual(y.item(), 2.5 / 8 * 2 - 1, places=4)

    def test_pixel_sums_parts_by_class_and_drops_the_background(self) -> None:
        masks = torch.zeros(1, 4, 2, 2)
        masks[0, 0], masks[0, 1], masks[0, 2], masks[0, 3] = 100, 1, 2, 4
        self.assertEqual(Pixel([0, 1, 1], 2)(masks).tolist(), [[1.0, 6.0]])

    def test_dropping_the_background_makes_the_second_stage_blind_to_it(self) -> None:
        head = Downsampled(2, 2, 8, background=False).eval()
        seen: list[torch.Tensor] = []
        head.conv.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
        head(torch.zeros(1, 3, 8, 8))
        self.assertEqual(seen[0].shape[1], 2)
        self.assertAlmostEqual(float(seen[0].mean()), 1 / 3, places=6)
