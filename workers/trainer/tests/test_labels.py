"""Boxes, centres and shares of labels, with the mistakes of the public code that are not repeated."""

from __future__ import annotations

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from tessera_trainer.batches import Loader
from tessera_trainer.labels import boxes_of, centroids_of, image_weights, kept_masks, to_object_level
from tessera_trainer.snapshot import open_snapshot

from .support import changed, write_snapshot

SMALL = np.zeros((5, 6), np.uint8)
for place in [(1, 2), (1, 3), (2, 2), (3, 2)]:
    SMALL[place] = 1


def snapshot_of(folder: str, **options):
    return open_snapshot(Path(folder), write_snapshot(Path(folder) / "data", **options))


class Derived(unittest.TestCase):
    def test_a_box_is_tight_and_a_small_part_stays_on_top(self) -> None:
        box = boxes_of(SMALL)
        self.assertEqual(int(box.sum()), 6)
        self.assertTrue((box[1:4, 2:4] == 1).all())
        nested = np.full((6, 6), 1, np.uint8)
        nested[2, 2] = 2
        self.assertEqual(int(boxes_of(nested)[2, 2]), 2)
        self.assertEqual(int(boxes_of(np.full((2, 2), 255, np.uint8))[0, 0]), 255)

    def test_a_centre_is_x_along_the_columns_and_half_a_pixel_in(self) -> None:
        centre, there = centroids_of(torch.from_numpy(SMALL)[None].long(), 2)
        self.assertAlmostEqual(centre[0, 0, 0].item(), -0.083333, places=5)
        self.assertAlmostEqual(centre[0, 0, 1].item(), -0.1, places=5)
        self.assertEqual(there.tolist(), [[True, False]])

    def test_parts_become_objects_by_a_table(self) -> None:
        table = to_object_level([0, 0, 1, 1])
        self.assertEqual(table[[[0, 1, 1], [2, 3, 0], [4, 4, 2]]].tolist(), [[0, 1, 1], [1, 2, 0], [2, 2, 1]])
        self.assertEqual(int(table[255]), 255)


class Shares(unittest.TestCase):
    def test_nine_tenths_of_ten_are_nine_and_fractions_are_nested(self) -> None:
        with TemporaryDirectory() as folder:
            snapshot = snapshot_of(folder, count=20, classes=2, splits=np.zeros(20))
            kept = {f: set(np.flatnonzero(kept_masks(snapshot, snapshot.rows("train"), f, 0))) for f in (0, 0.1, 0.3, 0.9, 1)}
        self.assertEqual([len(kept[f]) for f in (0, 0.1, 0.3, 0.9, 1)], [0, 2, 6, 18, 20])
        self.assertTrue(kept[0.1] < kept[0.3] < kept[0.9] < kept[1])


    def test_rare_classes_and_sure_labels_weigh_more(self) -> None:
        labels, sure = np.array([0, 0, 0, 1, 1, 1]), np.array([1, 0.5, 1, 1, 0.2, 1])
        # The last two are no training images: they do not count.
        with TemporaryDirectory() as folder:
            snapshot = snapshot_of(
                folder, count=6, classes=2, labels=labels, weights=sure, splits=np.array([0, 0, 0, 0, 1, 2])
            )
            alike, by_class, by_both = (
                image_weights(snapshot, changed(data__classWeights=classes, data__labelWeights=by_label)).tolist()
                for classes, by_label in (("none", False), ("balanced", False), ("balanced", True))
            )
        self.assertEqual(alike, [1] * 6)
        # Four images and two classes: 4 / (2 · 3) and 4 / (2 · 1).
        np.testing.assert_allclose(by_class, [2 / 3, 2 / 3, 2 / 3, 2, 2, 2], rtol=1e-6)
        np.testing.assert_allclose(by_both, [2 / 3, 1 / 3, 2 / 3, 2, 0.4, 2], rtol=1e-6)


class Crops(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.snapshot = snapshot_of(self.folder.name)

    def loader(self, **augment) -> Loader:
        whole = {"area": [1, 1], "ratio": [1, 1], "flip": 0}
        return Loader(self.snapshot, changed(data__augment={**whole, **augment}))

    def test_the_whole_picture_is_the_picture(self) -> None:
        loader = self.loader()
        seen = loader.batch(0, 0, 0)
        view = loader.view(seen.rows)
        self.assertLess(float((seen.images - view.images).abs().max()), 1e-5)
        self.assertTrue(torch.equal(seen.masks, view.masks))

    def test_a_mirror_turns_picture_and_mask_together(self) -> None:
        loader = self.loader(flip=1)
        seen = loader.batch(0, 0, 0)
        view = loader.view(seen.rows)
        self.assertLess(float((seen.images - view.images.flip(3)).abs().max()), 1e-5)
        self.assertTrue(torch.equal(seen.masks, view.masks.flip(2)))

    def test_a_crop_keeps_masks_on_the_pixels_they_are_of(self) -> None:
        # Pictures that show their own mask: what is sampled must agree but for the edges of parts.
        masks = np.array(self.snapshot.masks)
        self.snapshot.images = np.repeat(masks[..., None] * 30, 3, 3)
        seen = self.loader(area=[0.1, 0.6], ratio=[0.5, 2], flip=0.5).batch(0, 3, 1)
        shown = (seen.images[:, 0] * 255 / 30).round().long()
        self.assertGreater(float((shown == seen.masks).float().mean()), 0.85)

    def test_two_ranks_see_together_what_one_sees(self) -> None:
        loader = self.loader(area=[0.1, 1], flip=0.5)
        one = loader.batch(1, 2, 3)
        for rank in (0, 1):
            share = loader.batch(1, 2, 3, rank, 2)
            self.assertEqual(share.rows, one.rows[rank::2])
            self.assertTrue(torch.equal(share.images, one.images[rank::2]))

    def test_an_epoch_shows_every_image_once_and_another_in_another_order(self) -> None:
        loader = Loader(self.snapshot, changed(train__batchSize=12))
        seen = [[row for step in range(loader.steps) for row in loader.batch(0, epoch, step).rows] for epoch in (0, 1)]
        self.assertEqual(sorted(seen[0]), sorted(loader.train.tolist()))
        self.assertNotEqual(seen[0], seen[1])
