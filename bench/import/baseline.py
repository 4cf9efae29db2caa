"""What a researcher's script does with Pillow and pycocotools: it verifies and hashes every photo, writes a thumbnail
and a copy, converts polygons to runs, and then writes a COCO file with runs and the photos. Processes as the second
argument says; 1 is the plain loop."""

import hashlib
import json
import multiprocessing
import os
import resource
import shutil
import sys
import time
from collections import defaultdict

from PIL import Image, ImageOps
from pycocotools import mask as coco

THUMBNAIL = 320


def difference_hash(picture):
    grey = picture.convert("L").resize((9, 8))
    pixels = list(grey.tobytes())
    rows = [pixels[i * 9:(i + 1) * 9] for i in range(8)]
    return sum(1 << (y * 8 + x) for y in range(8) for x in range(8) if rows[y][x] > rows[y][x + 1])


def import_one(task):
    folder, out, image, annotations = task
    path = os.path.join(folder, "images", image["file_name"])
    with open(path, "rb") as file:
        content = file.read()
    sha256 = hashlib.sha256(content).hexdigest()
    picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    assert picture.size == (image["width"], image["height"])
    with open(os.path.join(out, "store", sha256), "wb") as file:
        file.write(content)
    picture.thumbnail((THUMBNAIL, THUMBNAIL))
    picture.save(os.path.join(out, "store", sha256 + ".webp"), quality=80)
    labels = []
    for annotation in annotations:
        rles = coco.frPyObjects(annotation["segmentation"], image["height"], image["width"])
        rle = coco.merge(rles)
        labels.append([annotation["category_id"], rle["counts"].decode(), int(coco.area(rle))])
    return image["file_name"], sha256, difference_hash(picture), image["width"], image["height"], labels


def main():
    folder, processes, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    os.makedirs(os.path.join(out, "store"))
    began = time.time()
    with open(os.path.join(folder, "annotations.json"), encoding="utf-8") as file:
        document = json.load(file)
    by_image = defaultdict(list)
    for annotation in document["annotations"]:
        by_image[annotation["image_id"]].append(annotation)
    tasks = [(folder, out, image, by_image[image["id"]]) for image in document["images"]]
    if processes == 1:
        rows = [import_one(task) for task in tasks]
    else:
        with multiprocessing.Pool(processes) as pool:
            rows = pool.map(import_one, tasks, chunksize=16)
    imported = time.time()

    os.makedirs(os.path.join(out, "images"))
    images, annotations = [], []
    for number, (name, sha256, _, width, height, labels) in enumerate(rows, 1):
        shutil.copyfile(os.path.join(out, "store", sha256), os.path.join(out, "images", name))
        images.append({"id": number, "file_name": name, "width": width, "height": height})
        for category, counts, area in labels:
            rle = {"size": [height, width], "counts": counts}
            annotations.append({
                "id": len(annotations) + 1,
                "image_id": number,
                "category_id": category,
                "segmentation": rle,
                "area": area,
                "bbox": coco.toBbox({**rle, "counts": counts.encode()}).tolist(),
                "iscrowd": 0,
            })
    with open(os.path.join(out, "instances.json"), "w", encoding="utf-8") as file:
        json.dump({"images": images, "annotations": annotations, "categories": document["categories"]}, file)
    print(json.dumps({
        "importSeconds": imported - began,
        "exportSeconds": time.time() - imported,
        "labels": len(annotations),
        "peakMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }))


main()
