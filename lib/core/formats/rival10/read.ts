import { fromBitmap, type Mask, scale } from '@/lib/core/mask';
import { rival10 } from '@/lib/core/schema/presets';
import { fromBase64 } from '../codecs/bytes';
import { jpegSize } from '../codecs/jpeg';
import { decodeNpy } from '../codecs/npy';
import { decodePickle } from '../codecs/pickle';
import { decodePng } from '../codecs/png';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { createSource, emptyImage, importProvenance, type Notes, pathSet } from '../shared/read-tree';
import { ATTRIBUTES, classOfWnid, WHOLE } from './write';

const SAMPLE = /(?:^|\/)([^/]+)\/ordinary\/(n\d{8})_([^/]+)\.JPEG$/;

const samplesOf = (tree: SourceTree, paths: ReadonlySet<string>) =>
  tree.paths.filter(
    (path) =>
      SAMPLE.test(path) && !path.includes('merged_mask') && paths.has(`${path.slice(0, -5)}_attr_labels.npy`),
  );

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const samples = samplesOf(tree, pathSet(tree));
  const [first] = samples;
  if (!first) return null;
  return {
    certainty: 0.97,
    because: `${samples.length} pictures such as ${first} have a vector of attributes beside them, as in RIVAL10`,
  };
}

export async function read(tree: SourceTree): Promise<Source> {
  const paths = pathSet(tree);
  return createSource(
    rival10,
    samplesOf(tree, paths),
    (path) => path,
    (path, notes) => readSample(tree, paths, path, notes),
  );
}

async function readSample(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  path: string,
  notes: Notes,
): Promise<SourceImage> {
  const [, split = null, wnid = '', rest = ''] = SAMPLE.exec(path) ?? [];
  const base = path.slice(0, -'.JPEG'.length);
  const { values } = decodeNpy(await tree.bytes(`${base}_attr_labels.npy`));
  const present = ATTRIBUTES.filter((_, index) => values[index] === 1).map(({ id }) => id);
  const size = jpegSize(await tree.bytes(path));
  const masks = paths.has(`${base}_attr_dict.pkl`)
    ? await masksOf(await tree.bytes(`${base}_attr_dict.pkl`), size, path, notes)
    : new Map<string, Mask>();
  const className = classOfWnid(wnid);
  if (className === null) notes.add('WordNet ids are none of the twenty; their images have no class', path);
  const whole = masks.get(WHOLE);
  return {
    ...emptyImage(tree, path, split),
    name: `${rest}.JPEG`,
    width: size?.width ?? null,
    height: size?.height ?? null,
    className,
    wnid,
    groupKey: wnid,
    attributes: { ...importProvenance, present },
    // A whole-object attribute is drawn as the object; only the others have masks of their own.
    attributeMasks: ATTRIBUTES.flatMap(({ id, kind }) => {
      const mask = kind === 'localised' ? masks.get(id) : undefined;
      return mask ? [{ ...importProvenance, id, mask }] : [];
    }),
    objects: whole
      ? [{ className, instance: 1, outline: { ...importProvenance, mask: whole }, parts: [], absent: [] }]
      : [],
    hasMasks: masks.size > 0,
  };
}

async function masksOf(
  pickle: Uint8Array,
  size: { width: number; height: number } | null,
  path: string,
  notes: Notes,
): Promise<Map<string, Mask>> {
  const masks = new Map<string, Mask>();
  for (const [name, text] of decodePickle(pickle)) {
    if (name !== WHOLE && !ATTRIBUTES.some(({ id }) => id === name)) {
      notes.add(`masks of "${name.slice(0, 40)}", which is no attribute, were left out`, path);
      continue;
    }
    const mask = await pngMask(fromBase64(text));
    if (mask.toggles.length === 1) continue;
    const isOther = size && (mask.width !== size.width || mask.height !== size.height);
    if (isOther) notes.add('masks were scaled to the size of their picture', path);
    masks.set(name, isOther ? scale(mask, size.height, size.width) : mask);
  }
  return masks;
}

/** As the loader sees it: a channel of exactly 255; where alpha tells nothing apart, the colours do. */
async function pngMask(bytes: Uint8Array): Promise<Mask> {
  const { width, height, channels, pixels } = await decodePng(bytes);
  const alphaAt = channels === 4 ? 3 : channels === 2 ? 1 : -1;
  const isOpaque = alphaAt < 0 || pixels.every((value, i) => i % channels !== alphaAt || value === 255);
  const bitmap = new Uint8Array(width * height);
  for (let i = 0; i < bitmap.length; i++)
    for (let channel = 0; channel < channels; channel++)
      if ((!isOpaque || channel !== alphaAt) && pixels[i * channels + channel] === 255) bitmap[i] = 1;
  return fromBitmap(bitmap, height, width);
}
