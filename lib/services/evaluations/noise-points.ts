import { and, inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { rightKey } from '@/lib/core/robustness/report/outcome-scores';
import { noisePairs } from '@/lib/core/robustness/suites/noise';

const { evaluationImages } = tables;

/** Accuracy of each evaluation with noise in the object and beside it, every class counting the same. One statement. */
export async function noisePoints(
  db: Db,
  evaluationIds: readonly string[],
): Promise<Map<string, { object: number; background: number }>> {
  if (evaluationIds.length === 0) return new Map();
  const share = (variant: string) =>
    sql<number>`(${evaluationImages.scores} ->> ${rightKey(variant)})::float`;
  const [inObject, beside] = [share(noisePairs.irfs.object), share(noisePairs.irfs.background)];
  const classes = db
    .select({
      evaluationId: evaluationImages.evaluationId,
      object: sql<number>`avg(${inObject})`.as('object'),
      background: sql<number>`avg(${beside})`.as('background'),
    })
    .from(evaluationImages)
    .where(
      and(
        inArray(evaluationImages.evaluationId, [...evaluationIds]),
        sql`${inObject} is not null and ${beside} is not null`,
      ),
    )
    .groupBy(evaluationImages.evaluationId, evaluationImages.className)
    .as('classes');
  const rows = await db
    .select({
      id: classes.evaluationId,
      object: sql<number>`avg(${classes.object})`,
      background: sql<number>`avg(${classes.background})`,
    })
    .from(classes)
    .groupBy(classes.evaluationId);
  return new Map(rows.map(({ id, ...point }) => [id, point]));
}
