import { createHash } from 'node:crypto';
import type { Pictures } from '@/lib/core/formats/format';
import { type Mask, toBitmap, union as unionOf } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import { CHANNELS, type Picture, type Region, regionArea, touchesEdge } from '@/lib/core/robustness/picture';
import { createRng } from '@/lib/core/robustness/random';
import type { Subject } from '@/lib/core/robustness/report/row-table';
import type { Sample, VariantContext } from '@/lib/core/robustness/types';
import { typicalClasses } from '@/lib/core/robustness/variants/attributes';
import type { VersionImage } from '@/lib/services/datasets/manifest';
import { seenLabels, seenPicture } from '@/lib/services/inference/predict/seen-picture';
import type { NetworkInput } from '@/lib/services/inference/predict/view-window';
import type { ImageFacts } from './select-images';

/** Cache size for decoded samples, which are used by all variants and as donors. */
const KEPT_BYTES = 64_000_000;

export interface Entry {
  image: VersionImage;
  classIndex: number;
}

/** The images of an evaluation, decoded on demand with an LRU cache. */
export class SamplePool {
  /** Most recently used last. */
  readonly #kept = new Map<string, { sample: Promise<Sample>; bytes: number }>();
  #bytes = 0;
  readonly #byClass = new Map<number, Entry[]>();
  #typical: Map<string, number> | undefined;

  constructor(
    readonly entries: readonly Entry[],
    private readonly pictures: Pictures,
    private readonly input: NetworkInput,
    private readonly most = KEPT_BYTES,
  ) {
    for (const entry of entries) {
      const known = this.#byClass.get(entry.classIndex);
      if (known) known.push(entry);
      else this.#byClass.set(entry.classIndex, [entry]);
    }
  }

  sample(entry: Entry): Promise<Sample> {
    const { source } = entry.image;
    const known = this.#kept.get(source);
    if (known) {
      this.#kept.delete(source);
      this.#kept.set(source, known);
      return known.sample;
    }
    const kept = { sample: this.#load(entry), bytes: 0 };
    this.#kept.set(source, kept);
    return kept.sample.then(
      (sample) => {
        // It can be evicted while it is decoded.
        if (this.#kept.get(source) === kept) {
          kept.bytes = bytesOf(sample);
          this.#bytes += kept.bytes;
          this.#forget();
        }
        return sample;
      },
      (error) => {
        if (this.#kept.get(source) === kept) this.#kept.delete(source);
        throw error;
      },
    );
  }

  #forget(): void {
    for (const [source, { bytes }] of this.#kept) {
      if (this.#bytes <= this.most) return;
      this.#kept.delete(source);
      this.#bytes -= bytes;
    }
  }

  /** Draws a suitable donor, independent of the model. */
  readonly donor: VariantContext['donor'] = async (sample, rng, which) => {
    const fits = this.#donorsFor(sample, which).filter(
      ({ image }) => image.source !== sample.id && image.split === sample.split,
    );
    const chosen = fits[rng.below(fits.length)];
    return chosen ? this.sample(chosen) : null;
  };

  readonly typicalClass: VariantContext['typicalClass'] = (attribute) => {
    this.#typical ??= typicalClasses(
      this.entries.map(({ image, classIndex }) => ({
        classIndex,
        attributes: image.attributes?.present ?? null,
      })),
    );
    return this.#typical.get(attribute) ?? null;
  };

  #donorsFor(sample: Sample, which: Parameters<VariantContext['donor']>[2]): readonly Entry[] {
    if (which === 'same class') return this.#byClass.get(sample.classIndex) ?? [];
    if (which === 'next class') {
      const classes = [...this.#byClass.keys()].sort((a, b) => a - b);
      const next = classes[(classes.indexOf(sample.classIndex) + 1) % classes.length];
      return next === undefined || next === sample.classIndex ? [] : (this.#byClass.get(next) ?? []);
    }
    const others = this.entries.filter(({ classIndex }) => classIndex !== sample.classIndex);
    if (which === 'other class') return others;
    return others.filter(({ image }) => !(image.attributes?.present ?? []).includes(which.without));
  }

  async #load({ image, classIndex }: Entry): Promise<Sample> {
    const { input } = this;
    const bytes = await seenPicture(await this.pictures.readStored(image), input);
    return {
      id: image.source,
      name: image.name,
      className: image.className ?? '',
      classIndex,
      split: image.split,
      picture: planes(bytes, input.side),
      ...loadRegions(image, input),
      attributes: image.attributes?.present ?? null,
      confidence: minConfidence(image),
    };
  }
}

/** Masks of an image at the input size of the model, without decoding the picture. */
export function loadRegions(
  image: VersionImage,
  input: NetworkInput,
): Pick<Sample, 'object' | 'parts' | 'attributeRegions'> {
  const see = (mask: Mask): Region => seenLabels(toBitmap(mask), image.width, image.height, input) as Region;
  const object = objectMask(image);
  return {
    object: object && see(object),
    parts: mapMasks(
      image.objects
        .filter(({ className }) => className === image.className)
        .flatMap(({ parts }) => parts.map(({ id, mask }) => [id, mask] as const)),
      see,
    ),
    attributeRegions: mapMasks(
      image.attributeMasks.map(({ id, mask }) => [id, mask] as const),
      see,
    ),
  };
}

/** Union of the objects of the image's class: outlines, or parts for objects without an outline. */
export function objectMask(image: VersionImage): Mask | null {
  const masks = image.objects
    .filter(({ className }) => className === image.className)
    .flatMap(({ outline, parts }) => (outline ? [outline.mask] : parts.map(({ mask }) => mask)));
  const [first, ...rest] = masks;
  return first ? rest.reduce((sum, mask) => unionOf(sum, mask), first) : null;
}

/** Minimum confidence of the labels that an evaluation uses. */
export const minConfidence = (image: VersionImage): number =>
  Math.min(
    1,
    ...image.objects.flatMap(({ outline, parts }) => [
      ...(outline ? [outline.confidence] : []),
      ...parts.map(({ confidence }) => confidence),
    ]),
  );

/** Visible and missing parts of the objects of the image's class. */
export function readParts({ objects, className }: VersionImage, { parts }: Sample): Subject['parts'] {
  const own = objects.filter((object) => object.className === className);
  const seen = Object.keys(parts).filter((id) => regionArea(parts[id] as Region) > 0);
  const answeredParts = own.flatMap((object) => [...object.absent, ...object.parts.map(({ id }) => id)]);
  if (answeredParts.length === 0) return null;
  return { seen, missing: [...new Set(answeredParts)].filter((id) => !seen.includes(id)) };
}

/** Subject with parts and facts. */
export const toKnownSubject = (sample: Sample, image: VersionImage, facts?: ImageFacts): Subject => ({
  ...facts,
  parts: readParts(image, sample),
  ...toSubject(sample),
});

/** Subject of a sample, with the object at model size. */
export function toSubject(sample: Sample): Subject {
  const { width } = sample.picture;
  return {
    id: sample.id,
    className: sample.className,
    classIndex: sample.classIndex,
    split: sample.split,
    attributes: sample.attributes,
    objectShare: sample.object && regionArea(sample.object) / sample.object.length,
    touchesEdge: sample.object !== null && touchesEdge(sample.object, width),
    confidence: sample.confidence,
  };
}

/** Key of a sample: the picture, and the labels if the variant uses them. */
export function sampleKey(
  sample: Pick<Sample, 'id' | 'classIndex' | 'object' | 'parts' | 'attributes' | 'attributeRegions'> & {
    picture: { width: number };
  },
  usesLabels: boolean,
): string {
  const hash = createHash('sha256').update(`${sample.id}|${sample.picture.width}|${sample.classIndex}`);
  if (usesLabels) {
    const regions = [['object', sample.object], ...sorted(sample.parts), ...sorted(sample.attributeRegions)];
    for (const [name, region] of regions as [string, Region | null][])
      hash.update(`|${name}|`).update(region ?? '-');
    hash.update(`|${sample.attributes?.join(',') ?? '-'}`);
  }
  return hash.digest('hex');
}

/** Stratified random sample by class, in the order of the version. */
export function sampleStratified<T extends { classIndex: number; image: { source: string } }>(
  entries: readonly T[],
  most: number,
  seed: number,
): T[] {
  if (entries.length <= most) return [...entries];
  const rng = (entry: T) => createRng(`tessera|${seed}|choose|${entry.image.source}`).unit();
  const byClass = groupBy(entries, ({ classIndex }) => classIndex);
  const ranked = [...byClass.values()].flatMap((group) =>
    group
      .map((entry) => ({ entry, at: rng(entry) }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }, rank) => ({ entry, share: (rank + 0.5) / group.length })),
  );
  const chosen = new Set(
    ranked
      .sort((a, b) => a.share - b.share || (a.entry.image.source < b.entry.image.source ? -1 : 1))
      .slice(0, most)
      .map(({ entry }) => entry),
  );
  return entries.filter((entry) => chosen.has(entry));
}

const bytesOf = ({ picture, object, parts, attributeRegions }: Sample): number =>
  picture.data.byteLength +
  [object, ...Object.values(parts), ...Object.values(attributeRegions)].reduce(
    (sum, region) => sum + (region?.length ?? 0),
    0,
  );

function planes(bytes: Uint8Array, side: number): Picture {
  const area = side * side;
  const data = new Float32Array(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++) data[c * area + i] = (bytes[CHANNELS * i + c] as number) / 255;
  return { width: side, height: side, data };
}

function mapMasks(
  masks: readonly (readonly [string, Mask])[],
  see: (mask: Mask) => Region,
): Record<string, Region> {
  const regions: Record<string, Region> = {};
  for (const [id, mask] of masks) {
    const seen = see(mask);
    const known = regions[id];
    regions[id] = known ? known.map((pixel, i) => pixel | (seen[i] as number)) : seen;
  }
  return regions;
}

const sorted = (regions: Readonly<Record<string, Region>>): [string, Region][] =>
  Object.entries(regions).sort(([a], [b]) => (a < b ? -1 : 1));
