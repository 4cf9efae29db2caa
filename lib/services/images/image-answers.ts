import { asc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { answers, items, stages, users } = tables;

/** Masks that a page can draw at once. */
const most = 200;

/** What workers said about an image, oldest first. One statement. */
export async function imageAnswers(db: Db, input: { imageId: string; namesWorkers: boolean }) {
  const rows = await db
    .select({
      id: answers.id,
      itemId: answers.itemId,
      worker: { id: users.id, name: users.name },
      stage: stages.name,
      stageKind: stages.kind,
      target: items.target,
      value: answers.value,
      mask: answers.mask,
      area: answers.area,
      activeMs: answers.activeMs,
      at: answers.createdAt,
    })
    .from(answers)
    .innerJoin(items, eq(items.id, answers.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(users, eq(users.id, answers.workerId))
    .where(eq(items.imageId, input.imageId))
    .orderBy(asc(stages.position), asc(items.target), asc(answers.createdAt))
    .limit(most);
  return rows.map((row) => ({ ...row, worker: input.namesWorkers ? row.worker : null }));
}

export type ImageAnswer = Awaited<ReturnType<typeof imageAnswers>>[number];
