"""The cuts of road users, computed anew with NumPy from the whole maps of another export."""
import glob
import os

import numpy as np
from own_layouts import decode_uids
from PIL import Image
from truth import path, same

PAD, MIN_AREA = 0.1, 300
KINDS = {"human": (24, 25), "vehicle": (26, 27, 28)}


def box_of(mask):
    rows, columns = np.where(mask)
    return rows.min(), rows.max(), columns.min(), columns.max()


def is_hidden(sids, box, sid, kind):
    """Another kind's class has more than half as many pixels in the box, whose last row and column do not count."""
    top, bottom, left, right = box
    inside = sids[top:bottom, left:right]
    others = KINDS["vehicle" if kind == "human" else "human"]
    return any((inside == other).sum() > (inside == sid).sum() / 2 for other in others)


def window(box):
    top, bottom, left, right = box
    size = max(bottom - top, right - left)
    extra = int(PAD * size)
    y = max(0, top - (size - (bottom - top)) // 2 - extra)
    x = max(0, left - (size - (right - left)) // 2 - extra)
    return slice(y, y + size + 2 * extra), slice(x, x + size + 2 * extra)


def street_cuts():
    expected = {}
    for name in glob.glob(path("cityscapes-panoptic-parts", "gtFinePanopticParts", "*", "*", "*.tif")):
        split = name.split(os.sep)[-3]
        stem = os.path.basename(name).replace("_gtFinePanopticParts.tif", "")
        uids = np.array(Image.open(name))
        uids = np.pad(uids, int(max(uids.shape) * 0.1))
        sids, iids, _ = decode_uids(uids)
        for kind, classes in KINDS.items():
            for sid in classes:
                for iid in np.unique(iids[sids == sid]):
                    mask = (sids == sid) & (iids == iid)
                    if mask.sum() < MIN_AREA or is_hidden(sids, box_of(mask), sid, kind):
                        continue
                    key = f"{split}/{kind}/{stem}_{sid}{iid:03d}"
                    expected[key] = uids[window(box_of(mask))]
    maps = glob.glob(path("apm-cityscapes-cuts", "panoptic-parts", "*", "*", "*.tif"))
    found = {os.sep.join(name[:-4].split(os.sep)[-3:]).replace(os.sep, "/"): name for name in maps}
    assert sorted(found) == sorted(expected), set(found) ^ set(expected)
    for key, name in found.items():
        same(np.array(Image.open(name)), expected[key], key)
        picture = name.replace("panoptic-parts", "images").replace(".tif", ".png")
        assert Image.open(picture).size == expected[key].shape[::-1]
    assert found
    return f"{len(found)} cuts"


CHECKS = {"apm-cityscapes-cuts": street_cuts}
