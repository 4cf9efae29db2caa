import { type Dataset, type DatasetImage, instanceMasks, type ObjectLabel } from '@/lib/core/formats/dataset';
import { area, type Mask } from '@/lib/core/mask';
import type { AttributeKind } from '@/lib/core/schema/types';
import { hashToUnit } from '@/lib/core/splits/member';
import { type AttributePairs, AttributeTable, attributePairs } from './attribute-pairs';
import { type Classifier, classifyByAttributes } from './classifier';
import {
  type ClassCounts,
  Counts,
  type FlagCounts,
  type FormCounts,
  type ObjectCounts,
  objectsOf,
  type PartCounts,
  PartPairCounts,
  type PartPairs,
  RegionCounts,
  regionKind,
  type StuffCounts,
} from './counts';
import { type Finding, Findings } from './findings';
import { type MaskKind, PositionCounts, type PositionMap, SizeCounts, type Sizes } from './masks';

/** One pass over the images; apart from the forms, as bits, nothing grows with their number. */
export async function summarizeDataset(
  dataset: Dataset,
  onImage: (done: number) => void | Promise<void> = () => {},
): Promise<Statistics> {
  const gathering = new StatisticsBuilder(dataset);
  let done = 0;
  for await (const image of dataset.images()) {
    gathering.add(image);
    done += 1;
    await onImage(done);
  }
  return gathering.result();
}

/** Correlations per split are omitted for more splits, such as ten folds. */
const MAX_SPLITS = 6;

/** The share of images that a classifier of an unsplit version is tried on. */
const HELD_OUT = 0.2;

class StatisticsBuilder {
  readonly #dataset: Dataset;
  readonly #counts: Counts;
  readonly #table: AttributeTable;
  readonly #pairs: PartPairCounts;
  readonly #regions: RegionCounts;
  readonly #findings: Findings;
  readonly #masks = new Map<
    string,
    { kind: MaskKind; id: string; size: SizeCounts; place: PositionCounts }
  >();
  readonly #attributeAt: ReadonlyMap<string, number>;
  readonly #classAt: ReadonlyMap<string, number>;
  readonly #totals: Totals = {
    images: 0,
    forms: 0,
    objects: 0,
    outlines: 0,
    partMasks: 0,
    partInstances: 0,
    stuffRegions: 0,
    crowdRegions: 0,
    attributeMasks: 0,
    withoutMasks: 0,
  };

  constructor(dataset: Dataset) {
    const { schema, splits } = dataset;
    this.#dataset = dataset;
    this.#counts = new Counts(schema, splits);
    this.#table = new AttributeTable(schema.attributes.length);
    this.#pairs = new PartPairCounts(schema.parts);
    this.#findings = new Findings(schema);
    this.#regions = new RegionCounts(schema);
    this.#attributeAt = new Map(schema.attributes.map(({ id }, index) => [id, index]));
    this.#classAt = new Map(schema.classes.map(({ id }, index) => [id, index]));
    this.#maskCounts('object', '');
    for (const { id } of schema.parts) this.#maskCounts('part', id);
    for (const { id, kind } of schema.attributes) if (kind === 'localised') this.#maskCounts('attribute', id);
  }

  add(image: DatasetImage): void {
    this.#counts.add(image);
    this.#findings.add(image);
    this.#regions.add(image);
    this.#addForm(image);
    const totals = this.#totals;
    totals.images += 1;
    totals.withoutMasks += Number(!image.hasMasks);
    totals.attributeMasks += image.attributeMasks.length;
    for (const { id, mask } of image.attributeMasks) this.#addMask('attribute', id, mask);
    for (const object of image.objects) this.#addObject(object);
    if (image.hasMasks) for (const object of objectsOf(image, this.#dataset.schema)) this.#pairs.add(object);
  }

  result(): Statistics {
    const { name, hash, schema, splits } = this.#dataset;
    const masks = [...this.#masks.values()];
    return {
      edition: statisticsEdition,
      name,
      hash,
      splits: [...splits],
      classes: schema.classes.map(({ id, name, kind }) => ({ id, name, ...(kind && { kind }) })),
      attributes: schema.attributes.map(({ id, name, kind }) => ({ id, name, kind })),
      parts: schema.parts.map(({ id, name, classes, parent }) => ({
        id,
        name,
        classes,
        ...(parent && { parent }),
      })),
      totals: this.#totals,
      classCounts: this.#counts.classCounts(),
      formCounts: this.#counts.formCounts(),
      partCounts: this.#counts.partCounts(),
      objectCounts: this.#regions.objectCounts(splits),
      stuffCounts: this.#regions.stuffCounts(),
      flagCounts: this.#regions.flagCounts(),
      attributePairs: [
        attributePairs(this.#table, null),
        ...(splits.length > 1 && splits.length <= MAX_SPLITS
          ? splits.map((name, at) => attributePairs(this.#table, { name, at }))
          : []),
      ],
      partPairs: this.#pairs.result(),
      sizes: masks.map(({ kind, id, size }) => size.result(kind, id)),
      positions: masks.map(({ kind, id, place }) => place.result(kind, id)),
      findings: this.#findings.result({ outlines: this.#totals.outlines }),
      classifier: classifyByAttributes(
        this.#table,
        schema.classes.map(({ id }) => id),
        splits,
      ),
    };
  }

  #addObject(object: ObjectLabel): void {
    const totals = this.#totals;
    const kind = regionKind(object, this.#dataset.schema);
    if (kind === 'stuff') totals.stuffRegions += 1;
    else if (kind !== 'object') totals.crowdRegions += 1;
    if (kind !== 'object') return;
    const { outline, parts } = object;
    totals.objects += 1;
    totals.partMasks += parts.length;
    totals.outlines += Number(outline !== null);
    if (outline) this.#addMask('object', '', outline.mask);
    for (const part of parts) {
      const masks = instanceMasks(part);
      totals.partInstances += masks.length;
      for (const mask of masks) this.#addMask('part', part.id, mask);
    }
  }

  #addForm({ attributes, className, split, name }: DatasetImage): void {
    if (!attributes) return;
    this.#totals.forms += 1;
    this.#table.add(
      attributes.present.flatMap((id) => this.#attributeAt.get(id) ?? []),
      this.#classAt.get(className ?? '') ?? -1,
      this.#dataset.splits.indexOf(split),
      hashToUnit('statistics', name) < HELD_OUT,
    );
  }

  #addMask(kind: MaskKind, id: string, mask: Mask): void {
    const { size, place } = this.#maskCounts(kind, id);
    size.add(area(mask), mask.width * mask.height);
    place.add(mask);
  }

  #maskCounts(kind: MaskKind, id: string) {
    const key = `${kind} ${id}`;
    const known = this.#masks.get(key);
    if (known) return known;
    const made = { kind, id, size: new SizeCounts(), place: new PositionCounts() };
    this.#masks.set(key, made);
    return made;
  }
}

/** Increased when a figure changes its meaning; stored statistics of older editions are recomputed. */
export const statisticsEdition = 2;

/** What a version looks like in numbers: plain values that can be kept as JSON. */
export interface Statistics {
  edition: typeof statisticsEdition;
  name: string;
  hash: string;
  splits: readonly string[];
  classes: readonly (Named & { kind?: 'thing' | 'stuff' })[];
  attributes: readonly (Named & { kind: AttributeKind })[];
  parts: readonly (Named & { classes: readonly string[]; parent?: string })[];
  totals: Totals;
  /** Images per class and split. */
  classCounts: readonly ClassCounts[];
  /** Per class and split: how many forms were answered, and how often each attribute was marked. */
  formCounts: readonly FormCounts[];
  /** Per part, class and split, counted in objects. */
  partCounts: readonly PartCounts[];
  /** Objects and crowd regions per class and split. */
  objectCounts: readonly ObjectCounts[];
  /** Of every stuff class. */
  stuffCounts: readonly StuffCounts[];
  /** Occluded, truncated and crowd labels; only flags that occur. */
  flagCounts: readonly FlagCounts[];
  /** Of the whole version first, then of each split, where there are few. */
  attributePairs: readonly AttributePairs[];
  partPairs: PartPairs;
  sizes: readonly Sizes[];
  positions: readonly PositionMap[];
  /** Missing, contradictory and near-empty labels; only kinds that occur. */
  findings: readonly Finding[];
  classifier: Classifier;
}

interface Named {
  id: string;
  name: string;
}

export interface Totals {
  images: number;
  forms: number;
  /** Without stuff and crowd regions. */
  objects: number;
  outlines: number;
  /** Objects' parts with a mask. */
  partMasks: number;
  /** Masks of parts, counting every instance. */
  partInstances: number;
  stuffRegions: number;
  /** With regions to ignore. */
  crowdRegions: number;
  attributeMasks: number;
  /** Images whose masks were left out on purpose. */
  withoutMasks: number;
}
