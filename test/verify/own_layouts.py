"""The datasets' own layouts, and those of the part-model code. Each check returns what it looked at."""
import base64
import glob
import io
import json
import os
import pickle

import numpy as np
import scipy.io
import yaml
from PIL import Image, ImageDraw
from pycocotools.coco import COCO
from truth import decode, expected_map, path, same, truth_of

PARTS_OF = {
    "Aeroplane": "Head Body Engine Wing Tail", "Bicycle": "Body Head Seat Tier",
    "Biped": "Head Body Hand Foot Tail", "Bird": "Head Body Wing Foot Tail", "Boat": "Body Sail",
    "Bottle": "Mouth Body", "Car": "Body Tier Side_Mirror", "Fish": "Head Body Fin Tail",
    "Quadruped": "Head Body Foot Tail", "Reptile": "Head Body Foot Tail", "Snake": "Head Body",
}
PIN_ORDER = "Quadruped Biped Fish Bird Snake Reptile Car Bicycle Boat Aeroplane Bottle".split()
GROUPED = {"aeroplane": "tail wing body", "bird": "head legs body", "car": "wheel window body",
           "cat": "head legs body", "dog": "head legs body"}
SIDS = {"person": 24, "rider": 25, "car": 26, "truck": 27, "bus": 28}
STREET = {"human-torso": 1, "human-head": 2, "human-arms": 3, "human-legs": 4, "vehicle-windows": 1,
          "vehicle-wheels": 2, "vehicle-lights": 3, "vehicle-license-plate": 4, "vehicle-chassis": 5}
RIVAL = ("long-snout wings wheels text horns floppy-ears ears colored-eyes tail mane beak hairy metallic "
         "rectangular wet long tall patterned").split()


def part_imagenet_ids():
    ids = {}
    for name in sorted(PARTS_OF):
        for part in PARTS_OF[name].split():
            ids[f"{name} {part.replace('_', ' ')}"] = len(ids) + 1
    return ids


def categories():
    names = [f"{name} {part.replace('_', ' ')}" for name in PIN_ORDER for part in PARTS_OF[name].split()]
    return {name: index for index, name in enumerate(names)}


def class_folders(folder):
    return sorted(d for d in os.listdir(folder) if os.path.isdir(os.path.join(folder, d)))


def apm_part_imagenet():
    truth, ids, count = truth_of("apm-part-imagenet"), part_imagenet_ids(), 0
    for split in ("train", "val", "test"):
        root = path("apm-part-imagenet", "PartSegmentations", "All", split)
        names = class_folders(root)
        assert names == sorted(PARTS_OF), names
        for name in names:
            with open(os.path.join(root, name + ".txt")) as lines:
                for line in sorted(entry.strip() for entry in lines):
                    stem = line.split("/")[1]
                    image = truth[stem]
                    picture = Image.open(path("apm-part-imagenet", "JPEGImages", line + ".JPEG")).convert("RGB")
                    mask = Image.open(os.path.join(root, name, stem + ".tif"))
                    assert picture.size == mask.size and mask.mode in ("L", "I"), (mask.mode, mask.size)
                    assert (image["class"], image["split"]) == (name, split)
                    same(mask, expected_map(image, lambda c, i, p: ids[p]), stem)
                    count += 1
        COCO(path("apm-part-imagenet", "PartBoxSegmentations", split + ".json"))
    assert count == len(truth)
    return f"{count} masks"


def decode_uids(uids):
    assert uids.dtype == np.int32 and uids.min() >= 0 and not ((uids > 99) & (uids < 1000)).any()
    sids = np.where(uids <= 99, uids, np.where(uids <= 99999, uids // 1000, uids // 100000))
    iids = np.where(uids <= 99, -1, np.where(uids <= 99999, uids % 1000, uids // 100 % 1000))
    return sids, iids, np.where(uids <= 99999, -1, uids % 100)


def apm_cityscapes():
    truth, count = truth_of("apm-cityscapes"), 0
    for split in ("train", "val", "test"):
        images = sorted(glob.glob(path("apm-cityscapes", "images", split, "*", "*.png")))
        maps = sorted(glob.glob(path("apm-cityscapes", "panoptic-parts", split, "*", "*.tif")))
        assert len(images) == len(maps) > 0
        assert class_folders(path("apm-cityscapes", "images", split)) == ["human", "vehicle"]
        for image_path, map_path in zip(images, maps):
            uids = np.array(Image.open(map_path))
            stem = os.path.basename(image_path)[:-4]
            assert Image.open(image_path).size == uids.shape[::-1]
            sids, iids, pids = decode_uids(uids)
            human = (sids == 24) | (sids == 25)
            channels = np.where(pids > 0, np.where(human, pids, pids + 4), 0)
            wanted = expected_map(truth[stem], lambda c, i, p: STREET[p] + (0 if c in ("person", "rider") else 4))
            same(channels, wanted, stem)
            count += 1
    return f"{count} maps"


def apm_pascal():
    truth, count = truth_of("apm-pascal-part"), 0
    ids = {}
    for name in sorted(GROUPED):
        for part in GROUPED[name].split():
            ids[f"{name}:{part}"] = len(ids) + 1
    for split in ("train", "val", "test"):
        root = path("apm-pascal-part")
        assert class_folders(os.path.join(root, "images", split)) == sorted(GROUPED)
        bare = lambda pattern: sorted(glob.glob(os.path.join(root, pattern)), key=os.path.basename)
        images, masks = bare(f"images/{split}/*/*.jpg"), bare(f"panoptic-parts/{split}/*/*.tif")
        assert len(images) == len(masks)
        for image_path, mask_path in zip(images, masks):
            stem = os.path.basename(mask_path)[:-4]
            assert Image.open(image_path).size == Image.open(mask_path).size
            assert image_path.split("/")[-2] == truth[stem]["class"]
            same(Image.open(mask_path), expected_map(truth[stem], lambda c, i, p: ids[p]), stem)
            count += 1
    return f"{count} masks"


def part_imagenet():
    truth, table, count = truth_of("part-imagenet"), categories(), 0
    for split in ("train", "val", "test"):
        coco = COCO(path("part-imagenet", split + ".json"))
        assert {c["name"]: c["id"] for c in coco.dataset["categories"]} == table
        for info in coco.dataset["images"]:
            name = info["file_name"]
            assert name.count("_") == 1 and name.count(".") == 1
            assert Image.open(path("part-imagenet", split, name[:9], name)).size == (info["width"], info["height"])
            for annotation in coco.imgToAnns[info["id"]]:
                part = coco.cats[annotation["category_id"]]["name"]
                wanted = decode(truth[name[:-5]]["objects"][0]["parts"][part])
                same(coco.annToMask(annotation).astype(bool), wanted, f"{name} {part}")
                count += 1
    return f"{count} annotations"


def part_imagenet_seg():
    truth, table, count = truth_of("part-imagenet-seg"), categories(), 0
    for stem, image in truth.items():
        root = path("part-imagenet-seg", "annotations")
        png = Image.open(f"{root}/{image['split']}/{stem}.png")
        assert png.mode == "L"
        wanted = expected_map(image, lambda c, i, p: table[p] + 1)
        same(png, np.where(wanted == 0, 40, wanted - 1), stem)
        whole = np.array(Image.open(f"{root}/{image['split']}_whole/{stem}.png"))
        same(whole != 158, decode(image["objects"][0]["outline"]), stem)
        with open(f"{root}/{image['split']}/{stem}.json") as file:
            assert json.load(file)["imgHeight"] == image["height"]
        count += 1
    return f"{count} maps"


def cityscapes():
    count = 0
    for name in sorted(glob.glob(path("cityscapes", "gtFine", "*", "*", "*_polygons.json"))):
        with open(name) as file:
            document = json.load(file)
        labels = np.array(Image.open(name.replace("polygons.json", "labelIds.png")))
        instances = np.array(Image.open(name.replace("polygons.json", "instanceIds.png")))
        colours = Image.open(name.replace("polygons.json", "color.png"))
        assert labels.dtype == np.uint8 and colours.mode == "RGBA"
        assert ((instances == 0) == (labels == 0)).all()
        assert (instances[instances > 0] // 1000 == labels[instances > 0]).all()
        drawn = Image.new("L", (document["imgWidth"], document["imgHeight"]), 0)
        for entry in document["objects"]:
            points = [tuple(point) for point in entry["polygon"]]
            ImageDraw.Draw(drawn).polygon(points, fill=SIDS.get(entry["label"], 0))
        same(drawn, labels, name)
        numbered, counts = Image.new("I", drawn.size, 0), {}
        for entry in document["objects"]:
            sid = SIDS.get(entry["label"], 0)
            number = counts.get(entry["label"], 0)
            counts[entry["label"]] = number + 1
            value = sid * 1000 + number if sid >= 24 else sid
            ImageDraw.Draw(numbered).polygon([tuple(point) for point in entry["polygon"]], fill=value)
        same(numbered, instances, name)
        assert len(os.path.basename(name).split("_")) == 5
        count += 1
    return f"{count} images, polygons drawn by Pillow give the label ids and the instances"


def street_uids(image):
    wanted = np.zeros((image["height"], image["width"]), np.int64)
    for thing in reversed(image["objects"]):
        whole = decode(thing["outline"])
        wanted[whole] = SIDS[thing["class"]] * 1000 + thing["instance"]
    parts = expected_map(image, lambda c, i, p: (SIDS[c] * 1000 + i) * 100 + STREET[p])
    # What lies behind another object keeps that object's number.
    front = np.where(parts > 0, parts // 100, 0)
    return np.where((parts > 0) & (front == wanted), parts, wanted)


def cityscapes_panoptic_parts():
    truth, count = truth_of("cityscapes-panoptic-parts"), 0
    with open(path("cityscapes-panoptic-parts", "cpp_datasetspec.yaml")) as file:
        spec = yaml.safe_load(file)
    names = list(spec["scene_class2part_classes"])
    assert len(names) == 34 and names.index("person") + 1 == 24 and names.index("bus") + 1 == 28
    for name in glob.glob(path("cityscapes-panoptic-parts", "gtFinePanopticParts", "*", "*", "*.tif")):
        stem = os.path.basename(name).replace("_gtFinePanopticParts.tif", "")
        uids = np.array(Image.open(name))
        decode_uids(uids)
        same(uids, street_uids(truth[stem]), stem)
        count += 1
    assert count == len(truth)
    return f"{count} maps"


def pascal_part():
    truth, count = truth_of("pascal-part"), 0
    for stem, image in truth.items():
        anno = scipy.io.loadmat(path("pascal-part", "Annotations_Part", stem + ".mat"))["anno"]
        things = anno["objects"][0, 0]
        assert str(anno["imname"][0, 0][0]) == stem and things.shape == (1, len(image["objects"]))
        for thing, wanted in zip(things[0], image["objects"]):
            assert str(thing["class"][0]) == wanted["class"]
            assert tuple(thing.dtype.names) == ("class", "class_ind", "mask", "parts")
            same(thing["mask"].astype(bool), decode(wanted["outline"]), stem)
            parts = thing["parts"]
            assert parts.shape == ((1, len(wanted["parts"])) if wanted["parts"] else (0, 0)), parts.shape
            assert tuple(parts.dtype.names) == ("part_name", "mask")
            for part in parts.ravel():
                token = str(part["part_name"][0])
                key = f"{wanted['class']}:{token[:-2] if token.endswith('_1') else token}"
                same(part["mask"].astype(bool), decode(wanted["parts"][key]), f"{stem} {token}")
                count += 1
    return f"{count} parts"


def pascal_panoptic_parts():
    truth, count = truth_of("pascal-panoptic-parts"), 0
    with open(path("pascal-panoptic-parts", "ppp_datasetspec.yaml")) as file:
        spec = yaml.safe_load(file)
    names = list(spec["scene_class2part_classes"])
    assert names[0] == "aeroplane" and names[10] == "table" and names[19] == "tvmonitor"
    counted = spec["countable_pids_groupings"]
    assert counted["car"]["wheel"] == list(range(20, 30)) and counted["car"]["window"] == list(range(40, 60))
    for stem, image in truth.items():
        folder = {"train": "training", "val": "validation"}.get(image["split"], image["split"])
        picture = Image.open(path("pascal-panoptic-parts", folder, stem + ".tif"))
        assert picture.mode == "I" and picture.info.get("compression") == "tiff_lzw"
        sids, iids, pids = decode_uids(np.array(picture))

        def number(name, _instance, part):
            token = part.split(":")[1]
            parts = spec["scene_class2part_classes"][name]
            return counted.get(name, {}).get(token, [parts.index(token) + 1])[0]

        same(np.where(pids > 0, pids, 0), expected_map(image, number), stem)
        outline = decode(image["objects"][0]["outline"])
        assert (sids[outline] == names.index(image["objects"][0]["class"]) + 1).all()
        count += 1
    return f"{count} maps"


def rival10():
    truth, count = truth_of("rival10"), 0
    with open(path("rival10", "RIVAL10", "meta", "label_mappings.json")) as file:
        mappings = json.load(file)
    with open(path("rival10", "RIVAL10", "meta", "wnid_to_class.json")) as file:
        wnids = json.load(file)
    order = "truck car plane ship cat dog equine deer frog bird".split()
    for split in ("train", "val", "test"):
        for name in glob.glob(path("rival10", "RIVAL10", split, "ordinary", "*")):
            if ".JPEG" not in name or "merged_mask" in name:
                continue
            base = name[:-5]
            wnid, stem = os.path.basename(base).split("_", 1)
            image = truth[stem]
            assert mappings[wnids[wnid]] == [image["class"], order.index(image["class"])]
            labels = np.load(base + "_attr_labels.npy")
            assert labels.shape == (2, 18) and not labels[1].any()
            assert [a for a, on in zip(RIVAL, labels[0]) if on] == [a for a in RIVAL if a in image["attributes"]]
            with open(base + "_attr_dict.pkl", "rb") as file:
                masks = pickle.load(file)
            for key, text in masks.items():
                png = Image.open(io.BytesIO(base64.b64decode(text)))
                assert png.mode == "RGB" and png.size == (224, 224) == Image.open(name).size
                found = (np.array(png) == 255).any(axis=-1)
                runs = image["attribute_masks"].get(key) or image["objects"][0]["small"]
                same(found, decode(runs), f"{stem} {key}")
                count += 1
            merged = np.array(Image.open(base + "_merged_mask.JPEG"))
            assert merged.shape == (224, 224)
            Image.open(path("rival10", "RIVAL10", split, "entire_object_masks", os.path.basename(name))).verify()
    return f"{count} masks"


CHECKS = {
    "apm-part-imagenet": apm_part_imagenet, "apm-cityscapes": apm_cityscapes, "apm-pascal-part": apm_pascal,
    "part-imagenet": part_imagenet, "part-imagenet-seg": part_imagenet_seg, "cityscapes": cityscapes,
    "cityscapes-panoptic-parts": cityscapes_panoptic_parts, "pascal-part": pascal_part,
    "pascal-panoptic-parts": pascal_panoptic_parts, "rival10": rival10,
}
