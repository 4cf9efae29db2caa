"""What a researcher's script does with Pillow and pycocotools to make the arrays a trainer maps: reads the same manifest
and the same pictures, resizes both, appends them to files of raw bytes. One process, as such scripts are."""

import json
import os
import sys
import time

import numpy as np
from PIL import Image
from pycocotools import mask as coco


def images(manifest):
    with open(manifest, encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            yield json.loads(line)


def main(manifest, blobs, side, out):
    os.makedirs(out)
    with open(manifest, encoding="utf-8") as lines:
        schema = json.loads(next(lines))["schema"]
    z_order = {part["id"]: part["zOrder"] for part in schema["parts"]}
    classes = sorted({image["class"] for image in images(manifest)})
    pairs = {(image["class"], part[0]) for image in images(manifest) for thing in image["objects"] for part in thing["parts"]}
    values = {pair: place + 1 for place, pair in enumerate(sorted(pairs))}
    labels = []
    with open(os.path.join(out, "images.u8"), "wb") as pixels, open(os.path.join(out, "masks.u8"), "wb") as masks:
        for image in images(manifest):
            width, height = image["size"]
            name = image["picture"][0]
            with Image.open(os.path.join(blobs, name[:2], name[2:4], name)) as picture:
                small = picture.convert("RGB").resize((side, side), Image.Resampling.BICUBIC)
            pixels.write(np.asarray(small).tobytes())
            painted = np.zeros((height, width), np.uint8)
            parts = [part for thing in image["objects"] for part in thing["parts"]]
            for part, counts, *_ in sorted(parts, key=lambda part: z_order[part[0]]):
                drawn = coco.decode({"size": [height, width], "counts": counts.encode()})
                painted[drawn == 1] = values[image["class"], part]
            small = Image.fromarray(painted).resize((side, side), Image.Resampling.NEAREST)
            masks.write(np.asarray(small).tobytes())
            labels.append(classes.index(image["class"]))
    np.asarray(labels, np.uint16).tofile(os.path.join(out, "labels.u16"))


if __name__ == "__main__":
    began = time.perf_counter()
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
    print(json.dumps({"seconds": time.perf_counter() - began}))
