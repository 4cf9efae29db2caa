import { fromLabelMap, type Mask } from '@/lib/core/mask';
import type { LabelFlag } from '@/lib/core/schema/types';
import { decodePng } from '../codecs/png';
import { readXml } from '../codecs/xml';
import type { Detection, SourceTree } from '../format';
import { readMapped } from '../mapping/open-source';
import { parseFacts, parseFlags } from '../shared/image-record';
import {
  lostAnnotations,
  type RawAnnotation,
  type RawImage,
  type RawSource,
  readCategories,
  unreadable,
} from '../shared/raw-source';
import { baseName, findPaths, Notes, readText } from '../shared/read-tree';
import { type PictureSize, parseSize } from '../shared/segmentation';
import { MAX_OBJECTS } from './write';

const XML = /(^|\/)Annotations\/[^/]+\.xml$/;

interface VocAnnotation {
  filename: string;
  width: number;
  height: number;
  objects: { name: string; instance: number | null; parts: number; flags: LabelFlag[] }[];
  facts: string | null;
}

/** Text by the path of elements that it stands in. */
function parse(text: string): VocAnnotation {
  const found: VocAnnotation = { filename: '', width: 0, height: 0, objects: [], facts: null };
  const open: string[] = [];
  for (const event of readXml(text)) {
    if (event.kind === 'close') open.pop();
    else if (event.kind === 'open') {
      open.push(event.name);
      const path = open.join('/');
      if (path === 'annotation/object') found.objects.push({ name: '', instance: null, parts: 0, flags: [] });
      const last = found.objects.at(-1);
      if (path === 'annotation/object/part' && last) last.parts += 1;
    } else take(found, open.join('/'), event.text);
  }
  return found;
}

function take(found: VocAnnotation, path: string, text: string): void {
  const object = found.objects.at(-1);
  if (path === 'annotation/filename') found.filename += text.trim();
  else if (path === 'annotation/size/width') found.width = Number(text);
  else if (path === 'annotation/size/height') found.height = Number(text);
  else if (path === 'annotation/tessera') found.facts = (found.facts ?? '') + text;
  else if (path === 'annotation/object/name' && object) object.name += text.trim();
  else if (path === 'annotation/object/instance' && object) object.instance = Number(text) || null;
  else if (/^annotation\/object\/(truncated|occluded)$/.test(path) && object && Number(text) === 1)
    object.flags.push(path.endsWith('truncated') ? 'truncated' : 'occluded');
}

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const paths = findPaths(tree, XML);
  const [first] = paths;
  if (first === undefined) return null;
  const head = new TextDecoder().decode((await tree.bytes(first)).subarray(0, 1024));
  if (!/<annotation[\s>]/.test(head)) return null;
  const masks = tree.paths.filter((path) => path.includes('SegmentationObject/')).length;
  return {
    certainty: 0.9,
    because: `there are ${paths.length} files of VOC under Annotations/ and ${masks} masks under SegmentationObject/`,
  };
}

export const read = (tree: SourceTree) => readMapped(tree, open);

export async function open(tree: SourceTree): Promise<RawSource> {
  const paths = findPaths(tree, XML);
  if (paths.length === 0) throw new Error('There is no Annotations/ folder with XML files.');
  const vocabulary = await readCategories(tree, async () => {
    const names = new Set<string>();
    for (const path of paths)
      try {
        for (const { name } of parse(await readText(tree, path)).objects) if (name !== '') names.add(name);
      } catch {
        // Told when the file is read for its labels.
      }
    return [...names].sort().map((name) => ({ name }));
  });
  const notes = new Notes();
  return {
    origin: 'Annotations/',
    ...vocabulary,
    notes,
    async *images() {
      const all = new Set(tree.paths);
      const splits = await splitsOf(tree);
      for (const path of paths) {
        const image = await imageOf(tree, path, all, splits, notes);
        if (image) yield image;
      }
    },
  };
}

/** The split of a root and a stem, by the lists under its ImageSets/; lists of one class ("car_train") say nothing new. */
async function splitsOf(tree: SourceTree): Promise<Map<string, string>> {
  const splits = new Map<string, string>();
  for (const path of findPaths(tree, /(^|\/)ImageSets\/(Main|Segmentation)\/[^/_]+\.txt$/)) {
    const split = baseName(path).replace(/\.txt$/, '');
    if (split === 'trainval') continue;
    for (const line of (await readText(tree, path)).split(/\r?\n/)) {
      const [stem = ''] = line.trim().split(/\s+/);
      const key = `${rootOf(path)}${stem}`;
      if (stem !== '' && !splits.has(key)) splits.set(key, split);
    }
  }
  return splits;
}

/** The folder of a set: a tree may hold several, with the same names in each. */
const rootOf = (path: string): string => path.replace(/(Annotations|ImageSets\/[^/]+)\/[^/]+$/, '');

async function imageOf(
  tree: SourceTree,
  path: string,
  all: ReadonlySet<string>,
  splits: ReadonlyMap<string, string>,
  notes: Notes,
): Promise<RawImage | null> {
  const stem = baseName(path).replace(/\.xml$/, '');
  let voc: VocAnnotation;
  try {
    voc = parse(await readText(tree, path));
  } catch (error) {
    notes.add(`label files were left out: ${error instanceof Error ? error.message : 'unreadable'}`, path);
    return null;
  }
  const root = rootOf(path);
  const found = [`${stem}.jpg`, baseName(voc.filename)]
    .map((name) => `${root}JPEGImages/${name}`)
    .find((each) => all.has(each));
  if (found === undefined) {
    notes.add('label files whose picture is not there were left out', path);
    const problem = 'objects of label files whose picture is not there';
    return lostAnnotations(
      path,
      problem,
      voc.objects.map(({ name }) => unreadable(name, problem)),
    );
  }
  const size = parseSize(voc.width, voc.height);
  const masks = `${root}SegmentationObject/${stem}.png`;
  const hasMasks = all.has(masks);
  if (voc.objects.some(({ parts }) => parts > 0))
    notes.add('images lost the boxes of parts, which are no masks', path);
  return {
    path: found,
    bytes: () => tree.bytes(found),
    name: baseName(found),
    split: splits.get(`${root}${stem}`) ?? null,
    width: size?.width ?? null,
    height: size?.height ?? null,
    where: path,
    facts: parseFacts(factsIn(voc)),
    tags: [],
    fields: {},
    annotations: await annotationsOf(tree, hasMasks ? masks : null, voc, size, notes),
  };
}

function factsIn({ facts }: VocAnnotation): unknown {
  try {
    return JSON.parse(facts ?? '');
  } catch {
    return undefined;
  }
}

/** Numbers of SegmentationObject follow the order of the objects in the XML. */
async function annotationsOf(
  tree: SourceTree,
  path: string | null,
  { objects }: VocAnnotation,
  size: PictureSize | null,
  notes: Notes,
): Promise<RawAnnotation[]> {
  const lost = (problem: string) => objects.map(({ name }) => unreadable(name, problem));
  if (path === null) return lost('objects with a box and no mask');
  if (!size) return lost('objects of images whose size is not said');
  const { width, height } = size;
  let byNumber: Map<number, Mask>;
  try {
    const png = await decodePng(await tree.bytes(path), width * height);
    if (png.width !== width || png.height !== height || png.channels !== 1)
      throw new Error('is not a map of numbers of the size of its image');
    byNumber = new Map(fromLabelMap(png.pixels, height, width).map(({ label, mask }) => [label, mask]));
  } catch (error) {
    return lost(`objects of a mask that ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
  for (const number of byNumber.keys())
    if (number > objects.length && number <= MAX_OBJECTS)
      notes.add('objects of masks that the XML does not list were left out', path);
  return objects.map(({ name, instance, flags }, index): RawAnnotation => {
    const mask = byNumber.get(index + 1);
    return mask && mask.toggles.length > 1
      ? { category: name, instance, where: path, ...parseFlags(flags), mask: () => mask }
      : unreadable(name, 'objects without a pixel', path);
  });
}
