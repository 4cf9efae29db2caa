import { z } from 'zod';
import { area, boundingBox, encodeCounts } from '@/lib/core/mask';
import { labelFlags } from '@/lib/core/schema/types';
import type { DatasetImage } from '../dataset';
import { importProvenance, listAnnotations, type ObjectFacts } from './annotations';
import { lazyMask, type RawAnnotation, unreadable } from './raw-source';
import { asRecords } from './read-tree';
import { type PictureSize, parseSegmentation } from './segmentation';
import type { LabelTable } from './vocabulary';

/** Everything known about an image except its masks, as a JSON object with a fixed key order. */
export function toFacts(image: DatasetImage) {
  return {
    class: image.className,
    wnid: image.wnid,
    group: image.groupKey,
    columns: sortKeys(image.columns),
    attributes: image.attributes?.present ?? null,
    has_masks: image.hasMasks,
    objects: image.objects.map(({ instance, className, absent }) => ({
      instance,
      class: className,
      absent,
    })),
  };
}

const sortKeys = (columns: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1)));

const Text = z.string().max(1000);
const Facts = z.object({
  class: Text.nullish(),
  wnid: z
    .string()
    .regex(/^n\d{8}$/)
    .nullish()
    .catch(null),
  group: Text.nullish(),
  columns: z.record(z.string().max(100), Text).default({}),
  attributes: z.array(Text).max(1000).nullish(),
  has_masks: z.boolean().default(true),
  objects: z
    .array(
      z.object({
        instance: z.number().int().min(1).max(999_999),
        class: Text.nullish(),
        absent: z.array(Text).max(1000).default([]),
      }),
    )
    .max(100_000)
    .default([]),
});

export type ReadFacts = Pick<
  DatasetImage,
  'className' | 'wnid' | 'groupKey' | 'columns' | 'attributes' | 'hasMasks'
> & { objects: ObjectFacts[] };

export const noFacts: ReadFacts = {
  className: null,
  wnid: null,
  groupKey: null,
  columns: {},
  attributes: null,
  hasMasks: true,
  objects: [],
};

/** Parses the facts of an image. Missing or foreign values give `noFacts`. */
export function parseFacts(given: unknown): ReadFacts {
  const parsed = Facts.safeParse(given);
  if (!parsed.success) return noFacts;
  const { data } = parsed;
  return {
    className: data.class ?? null,
    wnid: data.wnid ?? null,
    groupKey: data.group ?? null,
    columns: data.columns,
    attributes: data.attributes ? { ...importProvenance, present: data.attributes } : null,
    hasMasks: data.has_masks,
    objects: data.objects.map(({ instance, class: className, absent }) => ({
      instance,
      className: className ?? null,
      absent,
    })),
  };
}

/** An image with its facts and its masks as COCO run lengths: the JSON record of formats that store one row per image. */
export function toRecord(image: DatasetImage, table: LabelTable) {
  const { name, width, height, split } = image;
  return {
    name,
    width,
    height,
    split,
    ...toFacts(image),
    masks: listAnnotations(image).map((annotation) => ({
      kind: annotation.kind,
      label: table.labels[table.indexOf(annotation)]?.name ?? annotation.id,
      instance: annotation.instance,
      bbox: boundingBox(annotation.mask),
      area: area(annotation.mask),
      size: [height, width],
      counts: encodeCounts(annotation.mask),
      source: annotation.source,
      confidence: annotation.confidence,
      flags: annotation.flags ?? [],
    })),
  };
}

/** Parses the flags of a label, as an object to spread: labels without flags have no such field. */
export function parseFlags(given: unknown) {
  const flags = labelFlags.filter((flag) => Array.isArray(given) && given.includes(flag));
  return flags.length > 0 ? { flags } : {};
}

const normalizeSize = (given: unknown): unknown =>
  Array.isArray(given) ? given.map((side) => (typeof side === 'bigint' ? Number(side) : side)) : given;

/** The masks of a record. */
export const parseRecordMasks = (masks: unknown, size: PictureSize | null): RawAnnotation[] =>
  asRecords(masks).map((row): RawAnnotation => {
    if (typeof row.label !== 'string') return unreadable('', 'masks of which one has no label');
    if (!size) return unreadable(row.label, 'masks of images whose size is not said');
    const instance = Number(row.instance);
    return {
      category: row.label,
      instance: Number.isInteger(instance) && instance < 1e6 ? instance : null,
      ...parseFlags(row.flags),
      mask: lazyMask('masks of which one', () =>
        parseSegmentation({ size: normalizeSize(row.size), counts: row.counts }, size),
      ),
    };
  });
