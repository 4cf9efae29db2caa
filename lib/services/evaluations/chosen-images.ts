import { createHash } from 'node:crypto';
import { invalid } from '@/lib/core/errors';
import { encodeCounts } from '@/lib/core/mask';
import type { VersionImage } from '@/lib/services/datasets/manifest';
import { openVersion, type VersionRow } from '@/lib/services/datasets/versions/open-version';
import type { JobContext } from '@/lib/services/jobs';
import { chosenSplit } from './chosen-split';
import type { EvaluationOptions } from './new-evaluation';
import { type Entry, stratified } from './sample-pool';

/**
 * Images of the split whose class the model knows, at most as many as were asked for. The manifest is read twice: first
 * for what chooses, then for those that are chosen; what was drawn on all the others is never in memory.
 */
export async function chosenImages(
  { db, storage }: Pick<JobContext, 'db' | 'storage'>,
  version: VersionRow,
  classes: readonly string[],
  { split: asked, images: most, seed }: EvaluationOptions,
) {
  const dataset = await openVersion(db, storage, version);
  const split = chosenSplit(asked, dataset.splits);
  const found: { at: number; image: { source: string }; classIndex: number }[] = [];
  let [unknown, at] = [0, -1];
  for await (const { source, className, split: own } of dataset.images()) {
    at += 1;
    if (split !== null && own !== split) continue;
    const classIndex = classes.indexOf(className ?? '');
    if (classIndex === -1) unknown += 1;
    else found.push({ at, image: { source }, classIndex });
  }
  if (found.length === 0)
    throw invalid(
      unknown > 0
        ? `None of the ${unknown} images is of a class that the model knows (${classes.slice(0, 5).join(', ')} …). Choose a version with these classes.`
        : 'There is no image to evaluate on: choose another split or version.',
    );
  const places = new Map(stratified(found, most, seed).map((each) => [each.at, each.classIndex]));
  const entries: Entry[] = [];
  at = -1;
  for await (const image of dataset.images()) {
    at += 1;
    const classIndex = places.get(at);
    if (classIndex !== undefined) entries.push({ image, classIndex });
  }
  return { entries, unknown, split, schema: dataset.schema };
}

/** Which pictures: two evaluations can only be held against each other where it is the same. */
export function sourcesKey(entries: readonly Entry[]): string {
  const hash = createHash('sha256');
  for (const { image } of entries) hash.update(`${image.source}\n`);
  return hash.digest('hex');
}

/** All that may be lent by other images: rows of variants with donors depend on it. */
export function poolKey(entries: readonly Entry[]): string {
  const hash = createHash('sha256');
  for (const { image, classIndex } of entries) hash.update(`${JSON.stringify(lent(image, classIndex))}\n`);
  return hash.digest('hex');
}

const lent = (image: VersionImage, classIndex: number) => [
  image.source,
  classIndex,
  image.split,
  image.attributes?.present.toSorted() ?? null,
  image.attributeMasks.map(({ id, mask }) => [id, encodeCounts(mask)]),
  image.objects
    .filter(({ className }) => className === image.className)
    .map(({ outline, parts }) => [
      outline && encodeCounts(outline.mask),
      parts.map(({ id, mask }) => [id, encodeCounts(mask)]),
    ]),
];
