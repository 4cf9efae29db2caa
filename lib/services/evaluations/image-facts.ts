import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Subject } from '@/lib/core/robustness/report/row-table';
import { compareDrawings } from '@/lib/services/curation/agreement/drawing-agreement';
import { readItems, shuffled } from '@/lib/services/curation/consensus/read-items';

const { images, items, labelRisks, labels, sliceImages, slices, stages, versionImages } = tables;

/** What the platform knows of an image beside its frozen labels: groups are made of it, and it costs no run. */
export type ImageFacts = Pick<Subject, 'agreement' | 'drawnIou' | 'lookalike' | 'slices'>;

/** Drawings that are compared: more say the same with a narrower interval. */
const DRAWINGS = 300;
/** One for all: whoever evaluates again sees the same sample, until items are added. */
const SEED = 'agreement';

/** By the sha256 of the given file, of all images of a version. Four statements, whatever its size. */
export async function imageFacts(
  db: Db,
  { projectId, versionId }: { projectId: string; versionId: string },
): Promise<Map<string, ImageFacts>> {
  const [known, saved, drawn] = [
    await imagesOf(db, versionId),
    await slicesOf(db, projectId, versionId),
    await drawnIous(db, projectId, versionId),
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

/** Names of saved slices by image, in the order of the names. */
async function slicesOf(db: Db, projectId: string, versionId: string): Promise<Map<string, string[]>> {
  const found = await db.execute<{ imageId: string; names: string[] }>(sql`
    select member.image_id as "imageId", array_agg(s.name order by s.name) as names
    from ${slices} s join ${sliceImages} member on member.slice_id = s.id
    where s.project_id = ${projectId} and member.image_id in
      (select image_id from ${versionImages} where version_id = ${versionId})
    group by member.image_id`);
  return new Map(found.rows.map(({ imageId, names }) => [imageId, names]));
}

/** How far people agree on whole objects, by image: what a model's map cannot be asked to surpass. */
async function drawnIous(db: Db, projectId: string, versionId: string): Promise<Map<string, number>> {
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
