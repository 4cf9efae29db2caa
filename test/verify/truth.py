"""What is true about the exports, and how it is compared."""
import json
import os
import sys

import numpy as np
from pycocotools import mask as coco_mask

ROOT = sys.argv[1] if len(sys.argv) > 1 else "exports"


def path(*parts):
    return os.path.join(ROOT, *parts)


def truth_of(fmt):
    with open(path(f"{fmt}.json")) as file:
        return {image["stem"]: image for image in json.load(file)}


def decode(runs):
    return coco_mask.decode({"size": runs["size"], "counts": runs["counts"].encode()}).astype(bool)


def expected_map(image, value_of):
    out = np.zeros((image["height"], image["width"]), np.int64)
    for key, counts in image["visible"].items():
        name, instance, part = key.split(" ", 2)
        mask = decode({"size": [image["height"], image["width"]], "counts": counts})
        out[mask] = value_of(name, int(instance), part)
    return out


def same(found, wanted, where):
    found = np.asarray(found)
    assert found.shape == wanted.shape, f"{where}: {found.shape} instead of {wanted.shape}"
    wrong = int((found != wanted).sum())
    assert wrong == 0, f"{where}: {wrong} pixels differ"


def masks_of(image):
    """Objects and parts as they were drawn, by the name that general formats give them."""
    masks = {}
    for thing in image["objects"]:
        masks[thing["class"]] = decode(thing["outline"])
        masks.update((part, decode(runs)) for part, runs in thing["parts"].items())
    return masks
