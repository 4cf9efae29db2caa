import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { invalid } from '@/lib/core/errors';
import { encodeCounts } from '@/lib/core/mask';
import type { Subject } from '@/lib/core/robustness/report/row-table';
import { compareDrawings } from '@/lib/services/curation/agreement/drawing-agreement';
import { readItems, shuffled } from '@/lib/services/curation/consensus/read-items';
import type { VersionImage } from '@/lib/services/datasets/manifest';
import type { VersionRow } from '@/lib/services/datasets/versions/open-version';
import { openVersion } from '@/lib/services/datasets/versions/open-version';
import type { JobContext } from '@/lib/services/jobs';
import type { EvaluationOptions } from './evaluation-request';
import { type Entry, sampleStratified } from './sample-pool';

/**
 * Selects a stratified sample of the images of the split whose class the model has. The manifest is read twice, so that
 * only the annotations of selected images are in memory.
 */
export async function selectImages(
  { db, storage }: Pick<JobContext, 'db' | 'storage'>,
  version: VersionRow,
  classes: readonly string[],
  { split: requested, images: most, seed }: EvaluationOptions,
) {
  const dataset = await openVersion(db, storage, version);
  const split = resolveSplit(requested, dataset.splits);
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
        ? `None of the ${unknown} images has a class of the model (${classes.slice(0, 5).join(', ')} …). Choose a version with these classes.`
        : 'The split has no images. Choose another split or version.',
    );
  const places = new Map(sampleStratified(found, most, seed).map((each) => [each.at, each.classIndex]));
  const entries: Entry[] = [];
  at = -1;
  for await (const image of dataset.images()) {
    at += 1;
    const classIndex = places.get(at);
    if (classIndex !== undefined) entries.push({ image, classIndex });
  }
  return { entries, unknown, split, schema: dataset.schema };
}

/** Hash of the evaluated images. Only evaluations with equal hashes are comparable. */
export function hashSources(entries: readonly Entry[]): string {
  const hash = createHash('sha256');
  for (const { image } of entries) hash.update(`${image.source}\n`);
  return hash.digest('hex');
}

/** Hash of everything that donors can contribute; part of the key of variants with donors. */
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

/** Selects the images of all splits. */
export const ALL_SPLITS = 'all';

/** Returns the requested split, or null for all splits. Throws if the version does not have it. */
export function resolveSplit(requested: string, splits: readonly string[]): string | null {
  if (splits.includes(requested)) return requested;
  if (requested === ALL_SPLITS) return null;
  throw invalid(
    `The version has no split "${requested}". It has ${splits.toSorted().join(', ')}. Use "${ALL_SPLITS}" for all images.`,
    { splits },
  );
}

const { images, items, labelRisks, labels, sliceImages, slices, stages, versionImages } = tables;

/** Facts about an image besides its frozen labels, used for slices. */
export type ImageFacts = Pick<Subject, 'agreement' | 'drawnIou' | 'lookalike' | 'slices'>;

/** Number of compared drawings. */
const DRAWINGS = 300;
/** Fixed seed, so that repeated evaluations use the same sample. */
const SEED = 'agreement';

/** Loads the facts of all images of a version by the sha256 of the file. Four statements. */
export async function loadImageFacts(
  db: Db,
  { projectId, versionId }: { projectId: string; versionId: string },
): Promise<Map<string, ImageFacts>> {
  const [known, saved, drawn] = [
    await imagesOf(db, versionId),
    await slicesOf(db, projectId, versionId),
    await loadDrawingAgreement(db, projectId, versionId),
  ];
  const splits = new Map<string, string[]>();
  for (const { group, split } of known) if (group) splits.set(group, [...(splits.get(group) ?? []), split]);
  return new Map(
    known.map(({ imageId, source, split, agreement, group }) => {
      const alike = (group && splits.get(group)) || [];
      return [
        source,
        {
          agreement,
          drawnIou: drawn.get(imageId) ?? null,
          lookalike:
            alike.length < 2 ? 'none' : alike.some((other) => other !== split) ? 'other split' : 'same split',
          slices: saved.get(imageId) ?? [],
        } satisfies ImageFacts,
      ];
    }),
  );
}

async function imagesOf(db: Db, versionId: string) {
  const found = await db.execute<{
    imageId: string;
    source: string;
    split: string;
    group: string | null;
    agreement: number | null;
  }>(sql`
    select image.id as "imageId", image.source_sha256 as source, v.split, image.lookalike_of as "group",
      (select min(risk.agreement) from ${labels} l join ${labelRisks} risk on risk.label_id = l.id
        where l.image_id = image.id and l.is_current) as agreement
    from ${versionImages} v join ${images} image on image.id = v.image_id
    where v.version_id = ${versionId}`);
  return found.rows;
}

/** Sorted names of saved slices by image. */
async function slicesOf(db: Db, projectId: string, versionId: string): Promise<Map<string, string[]>> {
  const found = await db.execute<{ imageId: string; names: string[] }>(sql`
    select member.image_id as "imageId", array_agg(s.name order by s.name) as names
    from ${slices} s join ${sliceImages} member on member.slice_id = s.id
    where s.project_id = ${projectId} and member.image_id in
      (select image_id from ${versionImages} where version_id = ${versionId})
    group by member.image_id`);
  return new Map(found.rows.map(({ imageId, names }) => [imageId, names]));
}

/** Mean IoU between workers' object masks by image: the human ceiling of saliency alignment. */
async function loadDrawingAgreement(
  db: Db,
  projectId: string,
  versionId: string,
): Promise<Map<string, number>> {
  const sample = await readItems(db, {
    where: sql`i.id in (select item.id from ${items} item join ${stages} s on s.id = item.stage_id
      where item.project_id = ${projectId} and s.kind = 'object-mask' and item.answered > 1
        and item.image_id in (select image_id from ${versionImages} where version_id = ${versionId}))`,
    order: shuffled(SEED),
    limit: DRAWINGS,
  });
  return new Map(
    sample.flatMap((item): [string, number][] => {
      const { iou } = compareDrawings(item);
      return iou === null ? [] : [[item.imageId, iou]];
    }),
  );
}

/** Maps the sha256 of uploaded files to image ids. */
export async function mapSourcesToImages(db: Db, versionId: string): Promise<Map<string, string>> {
  const known = await db
    .select({ imageId: versionImages.imageId, source: images.sourceSha256 })
    .from(versionImages)
    .innerJoin(images, eq(images.id, versionImages.imageId))
    .where(eq(versionImages.versionId, versionId));
  return new Map(known.map(({ imageId, source }) => [source, imageId]));
}
