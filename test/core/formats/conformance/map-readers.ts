import { fromBase64 } from '@/lib/core/formats/codecs/bytes';
import { decodeMat, type MatValue } from '@/lib/core/formats/codecs/mat5';
import { decodeNpy } from '@/lib/core/formats/codecs/npy';
import { decodePickle } from '@/lib/core/formats/codecs/pickle';
import { decodePng } from '@/lib/core/formats/codecs/png';
import { decodeTiff } from '@/lib/core/formats/codecs/tiff';
import { readYaml } from '@/lib/core/formats/codecs/yaml';
import { fromBitmap, fromColumnBitmap } from '@/lib/core/mask';
import { bytesAt, type Files, folders, glob, jsonAt, lines, require, textAt } from './files';
import { fillPolygon } from './pillow';
import { numberOf, regionsOf, type Seen } from './seen';

const SPLITS = ['train', 'val', 'test'];

/** Ids of the labels that the cases use; the others are not counted, as in Cityscapes' table. */
const STREET_IDS: Readonly<Record<string, number>> = {
  unlabeled: 0,
  road: 7,
  person: 24,
  rider: 25,
  car: 26,
};
const FIRST_COUNTED = 24;

/**
 * cityscapesScripts and detectron2: json2instanceImg numbers the polygons of a label in their order, so the map made
 * from the polygons must equal the map of instances, and every visible instance must be one polygon.
 */
export async function cityscapes(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of glob(files, /_gtFine_instanceIds\.png$/)) {
    bytesAt(files, path.replace('gtFine/', 'leftImg8bit/').replace('gtFine_instanceIds', 'leftImg8bit'));
    const map = await decodePng(bytesAt(files, path));
    const { objects, imgWidth, imgHeight } = jsonAt(files, path.replace('instanceIds.png', 'polygons.json'));
    require(map.width === imgWidth && map.height === imgHeight, 'size');
    const painted = new Uint16Array(imgWidth * imgHeight);
    const counts = new Map<string, number>();
    for (const { label, polygon } of objects) {
      const isGroup = STREET_IDS[label] === undefined;
      const id = STREET_IDS[isGroup ? label.replace(/group$/, '') : label];
      require(id !== undefined, `the label ${label}`);
      const count = counts.get(label) ?? 0;
      counts.set(label, count + 1);
      const value = id >= FIRST_COUNTED && !isGroup ? id * 1000 + count : id;
      fillPolygon(polygon, imgWidth, imgHeight, (pixel) => {
        painted[pixel] = value;
      });
    }
    require(painted.every(
      (value, pixel) => value === map.pixels[pixel],
    ), 'json2instanceImg differs from the map of instances');
    const regions = regionsOf(map.pixels, map.width, map.height, 0);
    for (const [label, count] of counts) {
      if ((STREET_IDS[label] ?? 0) < FIRST_COUNTED) continue;
      const visible = regions.filter(({ value }) => Math.floor(value / 1000) === STREET_IDS[label]);
      require(visible.length === count, 'detectron2 counts other instances');
    }
    for (const { value, mask } of regions) {
      const id = value >= 1000 ? Math.floor(value / 1000) : value;
      const label = Object.keys(STREET_IDS).find((name) => STREET_IDS[name] === id) ?? '?';
      const isCrowd = value < 1000 && id >= FIRST_COUNTED;
      seen.push({
        image: numberOf(path.replace('_gtFine_instanceIds', '')),
        label,
        mask,
        flags: isCrowd ? ['crowd'] : [],
      });
    }
  }
  return seen;
}

/** panoptic_parts: numbers of 1–2, 4–5 or 6–7 digits, named by the specification; counted parts are folded. */
const panopticParts =
  (specPath: string, pattern: RegExp) =>
  async (files: Files): Promise<Seen[]> => {
    const spec = readYaml(textAt(files, specPath)) as {
      scene_class2part_classes: Record<string, string[]>;
      countable_pids_groupings?: Record<string, Record<string, number[]>>;
    };
    const classes = Object.entries(spec.scene_class2part_classes);
    const seen: Seen[] = [];
    for (const path of glob(files, pattern)) {
      const { width, height, pixels } = await decodeTiff(bytesAt(files, path));
      for (const { value, mask } of regionsOf(pixels, width, height, 0)) {
        require(value > 0 && !(value > 99 && value < 1000) && value <= 9_999_999, `the number ${value}`);
        const digits = String(value);
        const sidEnd =
          digits.length > 5 ? digits.length - 5 : digits.length > 3 ? digits.length - 3 : digits.length;
        const [name, parts] = classes[Number(digits.slice(0, sidEnd)) - 1] ?? [];
        require(name !== undefined && parts, `the class of ${value}`);
        const pid = digits.length > 5 ? Number(digits.slice(-2)) : 0;
        const groups = Object.entries(spec.countable_pids_groupings?.[name] ?? {});
        const counted = groups.find(([, pids]) => pids.map(Number).includes(pid))?.[0];
        const label = pid === 0 ? name : (counted ?? parts[pid - 1]);
        require(label !== undefined, `the part ${pid} of ${name}`);
        const isCrowd = digits.length <= 2 && name !== 'road';
        seen.push({ image: numberOf(path), label, mask, flags: isCrowd ? ['crowd'] : [] });
      }
    }
    return seen;
  };

/** The specification of the release has shorter names than the schema. */
const CPP_PARTS: Readonly<Record<string, string>> = {
  wheel: 'vehicle-wheels',
  chassis: 'vehicle-chassis',
  torso: 'human-torso',
  head: 'human-head',
};

const readCpp = panopticParts('cpp_datasetspec.yaml', /_gtFinePanopticParts\.tif$/);

export const cityscapesPanopticParts = async (files: Files): Promise<Seen[]> =>
  (await readCpp(files)).map((seen) => ({ ...seen, label: CPP_PARTS[seen.label] ?? seen.label }));
export const pascalPanopticParts = panopticParts(
  'ppp_datasetspec.yaml',
  /^(training|validation|test)\/[^/]+\.tif$/,
);

const items = (value: MatValue | undefined) => (value?.kind === 'struct' ? value.items : []);
const word = (value: MatValue | undefined) => (value?.kind === 'text' ? value.text : '');

/** scipy.io.loadmat and the readers of PASCAL-Part: rows of structs, counted parts by their numbers. */
export async function pascalPart(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of glob(files, /^Annotations_Part\//)) {
    const stem = path.replace(/^.*\/|\.mat$/g, '');
    bytesAt(files, `JPEGImages/${stem}.jpg`);
    const [anno] = items((await decodeMat(bytesAt(files, path))).get('anno'));
    require(word(anno?.imname) === stem, 'imname');
    const add = (label: string, mask: MatValue | undefined) => {
      require(mask?.kind === 'matrix', 'mask');
      seen.push({
        image: numberOf(stem),
        label,
        mask: fromColumnBitmap(mask.values, mask.rows, mask.columns),
      });
    };
    for (const object of items(anno?.objects)) {
      require(Object.keys(object).join() === 'class,class_ind,mask,parts', 'order of fields');
      add(word(object.class), object.mask);
      for (const part of items(object.parts)) add(word(part.part_name).replace(/_\d+$/, ''), part.mask);
    }
  }
  return seen;
}

/** Numbers of parts: those of ids.json, in the order of its classes and parts. */
function maskNames(files: Files): Map<number, string> {
  const { classes } = jsonAt(files, 'ids.json');
  return new Map(
    // biome-ignore lint/suspicious/noExplicitAny: JSON as scripts read it.
    classes.flatMap(({ parts }: any) => parts.map(({ mask, id }: any) => [mask, id])),
  );
}

async function readPartMap(files: Files, path: string, names: ReadonlyMap<number, string>): Promise<Seen[]> {
  const { width, height, pixels } = await decodeTiff(bytesAt(files, path));
  if (pixels[0] === -1) return [];
  return regionsOf(pixels, width, height, 0).map(({ value, mask }) => {
    const label = names.get(value);
    require(label !== undefined, `the number ${value}`);
    return { image: numberOf(path), label, mask };
  });
}

/** The Part-ImageNet loader of adv-part-model: classes are the sorted folders of each split, images those of the lists. */
export async function apmPartImagenet(files: Files): Promise<Seen[]> {
  const names = maskNames(files);
  const seen: Seen[] = [];
  const root = 'PartSegmentations/All';
  const all = new Set(SPLITS.map((split) => String(folders(files, `${root}/${split}`))));
  require(all.size === 1, 'every split has the same class folders');
  for (const split of SPLITS)
    for (const className of folders(files, `${root}/${split}`))
      for (const line of lines(textAt(files, `${root}/${split}/${className}.txt`))) {
        require(line.split('/').length === 2, 'one slash');
        bytesAt(files, `JPEGImages/${line}.JPEG`);
        const stem = line.split('/')[1];
        seen.push(...(await readPartMap(files, `${root}/${split}/${className}/${stem}.tif`, names)));
      }
  return seen;
}

/** Pairs images and maps by position in two sorted lists, as adv-part-model does. */
function pairs(files: Files, images: RegExp, maps: RegExp): [string, string][] {
  const stem = (path: string) => path.replace(/^.*\/|\.\w+$/g, '');
  const sorted = (pattern: RegExp) => glob(files, pattern).sort((a, b) => (stem(a) < stem(b) ? -1 : 1));
  const [pictures, masks] = [sorted(images), sorted(maps)];
  require(pictures.length === masks.length, 'as many maps as images');
  return pictures.map((picture, index) => {
    require(stem(picture) === stem(masks[index] as string), 'pairs');
    return [picture, masks[index] as string];
  });
}

/** The PASCAL-Part loader of adv-part-model. */
export async function apmPascalPart(files: Files): Promise<Seen[]> {
  const names = maskNames(files);
  const seen: Seen[] = [];
  for (const split of SPLITS)
    for (const [, map] of pairs(
      files,
      new RegExp(`^images/${split}/[^/]+/[^/]+\\.(jpg|png)$`),
      new RegExp(`^panoptic-parts/${split}/[^/]+/[^/]+\\.tif$`),
    ))
      seen.push(...(await readPartMap(files, map, names)));
  return seen;
}

const STREET_PARTS: Readonly<Record<string, string>> = {
  '26 2': 'vehicle-wheels',
  '26 5': 'vehicle-chassis',
  '24 1': 'human-torso',
  '24 2': 'human-head',
};

/** The Cityscapes loader of adv-part-model: whole images here, with panoptic-parts numbers. */
export async function apmCityscapes(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const split of SPLITS) {
    require(String(folders(files, `images/${split}`)) === 'human,vehicle', 'two class folders');
    const images = new RegExp(`^images/${split}/(human|vehicle)/[^/]+\\.png$`);
    const maps = new RegExp(`^panoptic-parts/${split}/(human|vehicle)/[^/]+\\.tif$`);
    for (const [, map] of pairs(files, images, maps)) {
      const { width, height, pixels } = await decodeTiff(bytesAt(files, map));
      for (const { value, mask } of regionsOf(pixels, width, height, 0)) {
        const pid = value > 99_999 ? value % 100 : 0;
        const sid = Math.floor(value / (value > 99_999 ? 100_000 : 1000));
        const label = pid > 0 ? STREET_PARTS[`${sid} ${pid}`] : sid === 26 ? 'car' : 'person';
        require(label !== undefined, `the number ${value}`);
        seen.push({ image: numberOf(map), label, mask });
      }
    }
  }
  return seen;
}

/** LocalRIVAL10: attributes from a pickle of PNGs; a pixel counts when a channel is exactly 255. */
export async function rival10(files: Files): Promise<Seen[]> {
  const seen: Seen[] = [];
  const { ...mappings } = jsonAt(files, 'RIVAL10/meta/label_mappings.json');
  const wnids = jsonAt(files, 'RIVAL10/meta/wnid_to_class.json');
  for (const path of glob(files, /\/ordinary\/.*\.JPEG$/).filter((each) => !each.includes('merged_mask'))) {
    const base = path.slice(0, -'.JPEG'.length);
    const [wnid = ''] = (path.split('/').at(-1) ?? '').split('_');
    require(mappings[wnids[wnid]], 'KeyError: WordNet id');
    bytesAt(files, `${base}_merged_mask.JPEG`);
    require(String(decodeNpy(bytesAt(files, `${base}_attr_labels.npy`)).shape) === '2,18', 'shape of labels');
    for (const [name, text] of decodePickle(bytesAt(files, `${base}_attr_dict.pkl`))) {
      const { width, height, channels, pixels } = await decodePng(fromBase64(text));
      require(channels === 3, 'RGB');
      const bits = Uint8Array.from({ length: width * height }, (_, i) => (pixels[3 * i] === 255 ? 1 : 0));
      seen.push({ image: numberOf(path), label: name, mask: fromBitmap(bits, height, width) });
    }
  }
  return seen;
}
