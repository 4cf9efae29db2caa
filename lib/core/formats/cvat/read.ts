import type { Box } from '@/lib/core/geometry';
import { fromBitmap, type Mask, pad, rowToggles } from '@/lib/core/mask';
import { type LabelFlag, labelFlags } from '@/lib/core/schema/types';
import type { Utf8Writer } from '../codecs/bytes';
import { readXml, type XmlEvent } from '../codecs/xml';
import type { Detection, SourceTree } from '../format';
import { readMapped } from '../mapping/open-source';
import { readGroup } from '../shared/annotations';
import { parseFacts, parseFlags } from '../shared/image-record';
import {
  lazyMask,
  lostAnnotations,
  ofGroup,
  type RawAnnotation,
  type RawImage,
  type RawSource,
  readCategories,
  unreadable,
} from '../shared/raw-source';
import {
  baseName,
  findPaths,
  folderOf,
  Notes,
  PicturePaths,
  parseSplit,
  readText,
} from '../shared/read-tree';
import { type PictureSize, parsePolygons, parseSize } from '../shared/segmentation';
import { FACTS_LABEL } from './write';

/** An image element with the shapes in it, as text. */
interface ImageElement {
  attributes: Readonly<Record<string, string>>;
  shapes: { kind: string; attributes: Readonly<Record<string, string>>; flags: LabelFlag[] }[];
  facts: string | null;
}

const candidates = (tree: SourceTree) =>
  findPaths(tree, /\.xml$/i).filter((path) => baseName(path) !== 'labeling-config.xml');

async function isCvat(tree: SourceTree, path: string): Promise<boolean> {
  const head = new TextDecoder().decode((await tree.bytes(path)).subarray(0, 4096));
  return (
    /<annotations[\s>]/.test(head) && (/<version>\s*1\.\d/.test(head) || /<(meta|image)[\s>]/.test(head))
  );
}

export async function detect(tree: SourceTree): Promise<Detection | null> {
  for (const path of candidates(tree).slice(0, 4))
    if (await isCvat(tree, path))
      return {
        certainty: 0.95,
        because: `${path} begins with <annotations> and <meta>, as CVAT for images 1.1 does`,
      };
  return null;
}

export const read = (tree: SourceTree) => readMapped(tree, open);

export async function open(tree: SourceTree): Promise<RawSource> {
  const paths: string[] = [];
  for (const path of candidates(tree)) if (await isCvat(tree, path)) paths.push(path);
  if (paths.length === 0) throw new Error('No XML file has <annotations> as CVAT writes them.');
  const vocabulary = await readCategories(tree, () => listedLabels(tree, paths));
  const notes = new Notes();
  return {
    origin: paths[0] as string,
    ...vocabulary,
    notes,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of paths)
        for (const element of imageElements(readXml(await readText(tree, path))))
          yield imageOf(tree, element, pictures, notes);
    },
  };
}

/** Labels of the meta block; where there is none, those that shapes have. */
async function listedLabels(tree: SourceTree, paths: readonly string[]) {
  const names = new Set<string>();
  for (const path of paths) {
    const open: string[] = [];
    for (const event of readXml(await readText(tree, path))) {
      if (event.kind === 'open') {
        open.push(event.name);
        if (event.attributes.label && event.name !== 'tag') names.add(event.attributes.label);
      } else if (event.kind === 'close') open.pop();
      else if (open.at(-1) === 'name' && open.at(-2) === 'label') names.add(event.text.trim());
    }
  }
  names.delete(FACTS_LABEL);
  names.delete('');
  return [...names].map((name) => ({ name }));
}

function* imageElements(events: Iterable<XmlEvent>): Generator<ImageElement> {
  let image: ImageElement | null = null;
  let tag = '';
  let inFacts = false;
  let flag: LabelFlag | undefined;
  for (const event of events) {
    if (event.kind === 'open') {
      const { name, attributes } = event;
      if (name === 'image') image = { attributes, shapes: [], facts: null };
      else if (name === 'attribute') {
        inFacts = tag === FACTS_LABEL && attributes.name === 'facts';
        flag = labelFlags.find((each) => tag === '' && each === attributes.name);
      } else if (image) {
        tag = name === 'tag' ? (attributes.label ?? '') : '';
        image.shapes.push({ kind: name, attributes, flags: attributes.occluded === '1' ? ['occluded'] : [] });
      }
    } else if (event.kind === 'text') {
      if (image && inFacts) image.facts = (image.facts ?? '') + event.text;
      if (flag && event.text.trim() === 'true') image?.shapes.at(-1)?.flags.push(flag);
    } else if (event.name === 'attribute') {
      inFacts = false;
      flag = undefined;
    } else if (event.name === 'image' && image) {
      yield image;
      image = null;
    }
  }
}

function imageOf(
  tree: SourceTree,
  { attributes, shapes, facts }: ImageElement,
  pictures: PicturePaths,
  notes: Notes,
): RawImage {
  const name = attributes.name ?? '';
  const drawn = shapes.filter(({ kind }) => kind !== 'tag');
  const found = name === '' ? null : pictures.find(name, attributes.subset);
  if (found === null) {
    notes.add('images whose picture is not there, or there twice, were left out', name || 'without a name');
    const problem = 'shapes of images whose picture is not there, or there twice,';
    const lost = drawn.map((shape) => unreadable(shape.attributes.label, problem));
    return lostAnnotations(name || 'without a name', problem, lost);
  }
  const size = parseSize(Number(attributes.width), Number(attributes.height));
  const isOurs = facts !== null;
  return {
    path: found,
    bytes: () => tree.bytes(found),
    name: baseName(name),
    split: attributes.subset ?? parseSplit(folderOf(name)),
    width: size?.width ?? null,
    height: size?.height ?? null,
    where: name,
    facts: parseFacts(isOurs ? parsed(facts) : undefined),
    tags: shapes.flatMap((shape) =>
      shape.kind === 'tag' && shape.attributes.label !== undefined && shape.attributes.label !== FACTS_LABEL
        ? [shape.attributes.label]
        : [],
    ),
    fields: {},
    annotations: drawn.map((shape) => annotationOf(shape, size, isOurs)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function annotationOf(
  { kind, attributes, flags }: ImageElement['shapes'][number],
  size: PictureSize | null,
  isOurs: boolean,
): RawAnnotation {
  const { label } = attributes;
  if (label === undefined) return unreadable('', `elements <${kind.slice(0, 40)}> without a label`);
  if (kind !== 'mask' && kind !== 'polygon')
    return unreadable(label, `shapes <${kind.slice(0, 40)}>, which are no masks,`);
  if (!size) return unreadable(label, 'shapes of images whose size is not said');
  return {
    category: label,
    ...ofGroup(readGroup(Number(attributes.group_id)), isOurs),
    ...parseFlags(flags),
    mask: lazyMask('shapes whose mask', () =>
      kind === 'mask' ? runsMask(attributes, size) : polygonMask(attributes.points ?? '', size),
    ),
  };
}

function runsMask(
  attributes: Readonly<Record<string, string>>,
  size: { width: number; height: number },
): Mask {
  const { rle = '', left, top, width, height } = attributes;
  const box = { left: Number(left), top: Number(top), width: Number(width), height: Number(height) };
  return maskOfRuns(rle, box, size);
}

function polygonMask(points: string, size: PictureSize): Mask {
  const ring = points.split(';').flatMap((point) => point.split(',').map(Number));
  return parsePolygons([ring], size);
}

const [COMMA, BLANK] = [44, 32];

/** CVAT's runs: row by row within the box, background first, as numbers between commas. */
export function writeBoxRuns(to: Utf8Writer, mask: Mask, box: Box): void {
  const toggles = rowToggles(mask, box);
  let before = 0;
  for (let i = 0; i < toggles.length; i++) {
    const end = toggles[i] as number;
    if (i > 0) to.byte(COMMA).byte(BLANK);
    to.integer(end - before);
    before = end;
  }
}

export function maskOfRuns(
  text: string,
  box: { left: number; top: number; width: number; height: number },
  size: { width: number; height: number },
): Mask {
  const { left, top, width, height } = box;
  if (![left, top, width, height].every(Number.isInteger) || width < 1 || height < 1 || left < 0 || top < 0)
    throw new Error('has a box that cannot be meant');
  if (left + width > size.width || top + height > size.height) throw new Error('lies outside of its image');
  const pixels = new Uint8Array(width * height);
  let at = 0;
  let value = 0;
  for (const piece of text.split(',')) {
    const run = Number(piece);
    if (!Number.isInteger(run) || run < 0 || at + run > pixels.length)
      throw new Error('has runs that do not add up to its box');
    if (value) pixels.fill(1, at, at + run);
    at += run;
    value = 1 - value;
  }
  if (at !== pixels.length) throw new Error('has runs that do not add up to its box');
  const right = size.width - left - width;
  const bottom = size.height - top - height;
  return pad(fromBitmap(pixels, height, width), { left, top, right, bottom });
}
