"""What a researcher's script does with pycocotools and Pillow: reads the same manifest, copies the same pictures,
writes the same kind of label files. One process, as such scripts are."""

import csv
import json
import os
import resource
import shutil
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


def masks(image):
    width, height = image["size"]
    for thing in image["objects"]:
        for part, counts, *_ in thing["parts"]:
            yield part, {"size": [height, width], "counts": counts.encode()}


def label_map(image, ids, dtype=np.uint8):
    width, height = image["size"]
    painted = np.zeros((height, width), dtype)
    for part, rle in masks(image):
        painted[coco.decode(rle) == 1] = ids[part]
    return painted


def stored(blobs, name):
    return os.path.join(blobs, name[:2], name[2:4], name)


def copy(image, blobs, out, folder):
    os.makedirs(os.path.join(out, folder), exist_ok=True)
    shutil.copyfile(stored(blobs, image["picture"][0]), os.path.join(out, folder, image["name"]))


def save(picture, out, path):
    full = os.path.join(out, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    picture.save(full)


def png_masks(manifest, blobs, out, ids):
    rows = []
    for image in images(manifest):
        copy(image, blobs, out, f"images/{image['split']}")
        stem = os.path.splitext(image["name"])[0]
        for part, rle in masks(image):
            picture = Image.fromarray(coco.decode(rle) * 255)
            save(picture, out, f"masks/{image['split']}/{stem}/{part}.png")
        rows.append([image["name"], image["class"], image["split"]])
    with open(os.path.join(out, "images.csv"), "w", newline="", encoding="utf-8") as table:
        csv.writer(table).writerows(rows)


def part_tiffs(manifest, blobs, out, ids):
    lists = {}
    for image in images(manifest):
        copy(image, blobs, out, f"JPEGImages/{image['wnid']}")
        stem = os.path.splitext(image["name"])[0]
        painted = label_map(image, ids, np.int32)
        save(Image.fromarray(painted), out, f"PartSegmentations/All/{image['split']}/{image['class']}/{stem}.tif")
        lists.setdefault((image["split"], image["class"]), []).append(f"{image['wnid']}/{stem}")
    for (split, name), stems in lists.items():
        with open(os.path.join(out, f"PartSegmentations/All/{split}/{name}.txt"), "w", encoding="utf-8") as table:
            table.write("\n".join(stems) + "\n")


def panoptic(manifest, blobs, out, ids):
    found = {}
    for number, image in enumerate(images(manifest)):
        copy(image, blobs, out, image["split"])
        stem = os.path.splitext(image["name"])[0]
        width, height = image["size"]
        painted = np.zeros((height, width, 3), np.uint8)
        segments = []
        for index, (part, rle) in enumerate(masks(image)):
            painted[coco.decode(rle) == 1] = (index + 1, 0, 0)
            segments.append({"id": index + 1, "category_id": ids[part], "area": int(coco.area(rle)),
                             "bbox": coco.toBbox(rle).tolist(), "iscrowd": 0})
        save(Image.fromarray(painted), out, f"annotations/panoptic_{image['split']}/{stem}.png")
        found.setdefault(image["split"], []).append({"image_id": number, "segments_info": segments})
    for split, rows in found.items():
        with open(os.path.join(out, f"annotations/panoptic_{split}.json"), "w", encoding="utf-8") as document:
            json.dump(rows, document)


def instances(manifest, blobs, out, ids):
    found = {}
    for number, image in enumerate(images(manifest)):
        copy(image, blobs, out, image["split"])
        for part, rle in masks(image):
            found.setdefault(image["split"], []).append({
                "id": number, "image_id": number, "category_id": ids[part], "iscrowd": 0,
                "area": int(coco.area(rle)), "bbox": coco.toBbox(rle).tolist(),
                "segmentation": {"size": rle["size"], "counts": rle["counts"].decode()}})
    os.makedirs(os.path.join(out, "annotations"), exist_ok=True)
    for split, rows in found.items():
        with open(os.path.join(out, f"annotations/instances_{split}.json"), "w", encoding="utf-8") as document:
            json.dump(rows, document)


FORMATS = {"png-masks": png_masks, "apm-part-imagenet": part_tiffs, "coco-panoptic": panoptic, "coco": instances}

if __name__ == "__main__":
    manifest, blobs, name, out = sys.argv[1:]
    with open(manifest, encoding="utf-8") as lines:
        parts = json.loads(next(lines))["schema"]["parts"]
    os.makedirs(out)
    began = time.perf_counter()
    FORMATS[name](manifest, blobs, out, {part["id"]: i + 1 for i, part in enumerate(parts)})
    seconds = time.perf_counter() - began
    print(json.dumps({"seconds": seconds, "peakMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
