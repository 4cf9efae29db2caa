import { eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { groupScores, outcomeScores } from '@/lib/core/robustness/report/outcome-scores';
import type { RowTable } from '@/lib/core/robustness/report/row-table';
import { slicesOf } from '@/lib/core/robustness/report/slices';
import type { Variant } from '@/lib/core/robustness/types';
import { imageIds } from './image-ids';

const { evaluationImages } = tables;

const TOGETHER = 500;

/** One row for each image, for the gallery and for comparing two models image by image. Done twice, the later counts. */
export async function keepImages(
  db: Database,
  {
    evaluationId,
    versionId,
    table,
    variants,
    scores,
  }: {
    evaluationId: string;
    versionId: string;
    table: RowTable;
    variants: readonly Variant[];
    scores: ReadonlyMap<string, Record<string, number | null>>;
  },
): Promise<void> {
  const idOf = await imageIds(db, versionId);
  const groups = slicesOf(table);
  const rows = table.subjects.flatMap((subject) => {
    const imageId = idOf.get(subject.id);
    const clean = table.one('identity', subject.id);
    if (!imageId || !clean) return [];
    return [
      {
        evaluationId,
        imageId,
        className: subject.className,
        predicted: table.classes[clean.predicted] ?? '',
        isRight: clean.predicted === subject.classIndex,
        scores: {
          ...outcomeScores(table, variants, subject),
          ...groupScores(groups, subject),
          ...scores.get(subject.id),
        },
      },
    ];
  });
  await db.transaction(async (tx) => {
    await tx.delete(evaluationImages).where(eq(evaluationImages.evaluationId, evaluationId));
    for (let from = 0; from < rows.length; from += TOGETHER)
      await tx
        .insert(evaluationImages)
        .values(rows.slice(from, from + TOGETHER))
        .onConflictDoUpdate({
          target: [evaluationImages.evaluationId, evaluationImages.imageId],
          set: { scores: sql`excluded.scores` },
        });
  });
}
