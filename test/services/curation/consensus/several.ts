import { and, eq } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import { area, encodeCounts, rasterizeShapes } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { UserActor } from '@/lib/services/access';
import { ask, HEIGHT, WIDTH, type Workshop } from '../../crowd/workshop';

const { answers, batches, decisions, items, labels, leases } = tables;

/** A drawing of a rectangle. */
export const box = (x: number, y: number, width: number, height: number): AnswerValue => ({
  kind: 'mask',
  shapes: [
    {
      kind: 'polygon',
      op: 'add',
      outer: [x, y, x + width, y, x + width, y + height, x, y + height],
      holes: [],
    },
  ],
});

const maskOf = (value: AnswerValue) => {
  const mask = value.kind === 'mask' ? rasterizeShapes(value.shapes, HEIGHT, WIDTH) : null;
  return { mask: mask && encodeCounts(mask), area: mask && area(mask) };
};

export interface Said {
  by: UserActor;
  value: AnswerValue;
  /** It came too late, or its author was removed. */
  isSetAside?: boolean;
}

/** A settled item that several people have answered; the first answer is its label. */
export async function several(
  db: Database,
  shop: Workshop,
  stage: keyof Workshop['stages'],
  said: readonly Said[],
  more: { source?: 'answer' | 'correction'; target?: string } = {},
): Promise<{ itemId: string; labelId: string; answerIds: string[] }> {
  const counting = said.filter((each) => !each.isSetAside);
  const [itemId = ''] = await ask(db, shop, stage, 1, {
    state: 'settled',
    overlap: counting.length,
    answered: counting.length,
    ...(more.target !== undefined && { target: more.target }),
  });
  const answerIds: string[] = [];
  for (const { by, value, isSetAside } of said) {
    const [batchId, leaseId, answerId] = [newId(), newId(), newId()];
    const at = new Date();
    await db.insert(batches).values({
      id: batchId,
      projectId: shop.projectId,
      stageId: shop.stages[stage],
      workerId: by.userId,
      state: 'submitted',
      leasedUntil: at,
      submittedAt: at,
    });
    await db
      .insert(leases)
      .values({ id: leaseId, batchId, itemId, workerId: by.userId, position: 0, state: 'answered' });
    await db.insert(answers).values({
      id: answerId,
      leaseId,
      itemId,
      workerId: by.userId,
      value,
      ...maskOf(value),
      activeMs: 1000,
    });
    answerIds.push(answerId);
    if (!isSetAside) continue;
    await db.insert(decisions).values({
      projectId: shop.projectId,
      subject: 'answer',
      subjectId: answerId,
      verdict: 'set-aside',
      reason: 'Asked again.',
    });
  }
  const [item] = await db.select().from(items).where(eq(items.id, itemId));
  const labelId = newId();
  const first = said[0]?.value as AnswerValue;
  await db.insert(labels).values({
    id: labelId,
    projectId: shop.projectId,
    itemId,
    imageId: item?.imageId as string,
    target: item?.target,
    value: first,
    ...maskOf(first),
    source: more.source ?? 'answer',
    provenance: { answers: answerIds.slice(0, 1) },
    confidence: 0.9,
  });
  return { itemId, labelId, answerIds };
}

export async function currentLabel(db: Database, itemId: string) {
  const [label] = await db
    .select()
    .from(labels)
    .where(and(eq(labels.itemId, itemId), eq(labels.isCurrent, true)));
  return label;
}
