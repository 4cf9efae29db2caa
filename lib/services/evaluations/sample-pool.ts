import { createHash } from 'node:crypto';
import type { Pictures } from '@/lib/core/formats/format';
import { type Mask, toBitmap, union as unionOf } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import { typicalClasses } from '@/lib/core/robustness/metrics/typical-classes';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';
import { stream } from '@/lib/core/robustness/random/stream';
import { type Region, regionArea, touchesEdge } from '@/lib/core/robustness/region';
import type { Subject } from '@/lib/core/robustness/report/row-table';
import type { Sample, Surroundings } from '@/lib/core/robustness/types';
import type { VersionImage } from '@/lib/services/datasets/manifest';
import { seenLabels, seenPicture } from '@/lib/services/training/loop/inference/seen-picture';
import type { NetworkInput } from '@/lib/services/training/loop/inference/view-window';
import type { ImageFacts } from './image-facts';

/** Of decoded samples that are kept: one is asked for by every variant, donors again and again. */
const KEPT_BYTES = 64_000_000;

export interface Entry {
  image: VersionImage;
  classIndex: number;
}

/** The images of an evaluation, decoded when they are asked for. */
export class SamplePool {
  /** The one that was asked for last is the last. */
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
        // Another may have pushed it out while it was decoded.
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

  /** Chosen by the stream among those that fit: the same for every model. */
  readonly donor: Surroundings['donor'] = async (sample, chance, which) => {
    const fits = this.#donorsFor(sample, which).filter(
      ({ image }) => image.source !== sample.id && image.split === sample.split,
    );
    const chosen = fits[chance.below(fits.length)];
    return chosen ? this.sample(chosen) : null;
  };

  readonly typicalClass: Surroundings['typicalClass'] = (attribute) => {
    this.#typical ??= typicalClasses(
      this.entries.map(({ image, classIndex }) => ({
        classIndex,
        attributes: image.attributes?.present ?? null,
      })),
    );
    return this.#typical.get(attribute) ?? null;
  };

  #donorsFor(sample: Sample, which: Parameters<Surroundings['donor']>[2]): readonly Entry[] {
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
      ...drawnOn(image, input),
      attributes: image.attributes?.present ?? null,
      confidence: confidenceOf(image),
    };
  }
}

/** What people drew on an image, at the size that the model sees: all of a sample that takes no decoding. */
export function drawnOn(
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

/** All objects of the image's class: their outlines, or their parts where nobody drew an outline. */
export function objectMask(image: VersionImage): Mask | null {
  const masks = image.objects
    .filter(({ className }) => className === image.className)
    .flatMap(({ outline, parts }) => (outline ? [outline.mask] : parts.map(({ mask }) => mask)));
  const [first, ...rest] = masks;
  return first ? rest.reduce((sum, mask) => unionOf(sum, mask), first) : null;
}

/** The least sure of the labels that an evaluation uses. */
export const confidenceOf = (image: VersionImage): number =>
  Math.min(
    1,
    ...image.objects.flatMap(({ outline, parts }) => [
      ...(outline ? [outline.confidence] : []),
      ...parts.map(({ confidence }) => confidence),
    ]),
  );

/** Parts of the image's own objects: to be seen at the size of the model, or looked for and not found. */
export function partsOf({ objects, className }: VersionImage, { parts }: Sample): Subject['parts'] {
  const own = objects.filter((object) => object.className === className);
  const seen = Object.keys(parts).filter((id) => regionArea(parts[id] as Region) > 0);
  const asked = own.flatMap((object) => [...object.absent, ...object.parts.map(({ id }) => id)]);
  if (asked.length === 0) return null;
  return { seen, missing: [...new Set(asked)].filter((id) => !seen.includes(id)) };
}

/** With what else is known of the image: its parts, and what the platform says of it. */
export const knownSubject = (sample: Sample, image: VersionImage, facts?: ImageFacts): Subject => ({
  ...facts,
  parts: partsOf(image, sample),
  ...subjectOf(sample),
});

/** What reports need to know of an image; its object as the model sees it. */
export function subjectOf(sample: Sample): Subject {
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

/** What a result depends on beside the model: the picture, and the labels where the variant uses them. */
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

/** At most so many, the same share of each class, chosen by the seed; the order of the version is kept. */
export function stratified<T extends { classIndex: number; image: { source: string } }>(
  entries: readonly T[],
  most: number,
  seed: number,
): T[] {
  if (entries.length <= most) return [...entries];
  const chance = (entry: T) => stream(`tessera|${seed}|choose|${entry.image.source}`).unit();
  const byClass = groupBy(entries, ({ classIndex }) => classIndex);
  const ranked = [...byClass.values()].flatMap((group) =>
    group
      .map((entry) => ({ entry, at: chance(entry) }))
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
