import { eq } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { ask, type Workshop } from '../workshop';

const { answers, appeals, batches, checks, decisions, exams, gold, leases, ledger, standings } = tables;

export interface PastAnswer {
  ms?: number;
  /** A hidden check, with how it came out. */
  check?: { passed: boolean; score: Record<string, number>; goldId?: string };
}

export interface PastBatch {
  stage?: keyof Workshop['stages'];
  kind?: 'work' | 'exam' | 'practice';
  /** Hours ago. */
  ago?: number;
  paidMicro?: bigint;
  answers: PastAnswer[];
}

const HOUR = 3_600_000;

/** A batch that is over, as if it had been done long ago; one second for an answer unless said otherwise. */
export async function past(db: Database, shop: Workshop, who: UserActor, what: PastBatch): Promise<string> {
  const { stage = 'attributes', kind = 'work', ago = 24, paidMicro } = what;
  const batchId = newId();
  let at = new Date(Date.now() - ago * HOUR);
  await db.insert(batches).values({
    id: batchId,
    projectId: shop.projectId,
    stageId: shop.stages[stage],
    workerId: who.userId,
    kind,
    state: 'submitted',
    leasedUntil: at,
    createdAt: at,
    submittedAt: at,
  });
  for (const [position, { ms = 1000, check }] of what.answers.entries()) {
    const itemId = check?.goldId ? await itemOfGold(db, check.goldId) : await oneItem(db, shop, stage);
    at = new Date(at.getTime() + ms);
    const [leaseId, answerId] = [newId(), newId()];
    await db
      .insert(leases)
      .values({ id: leaseId, batchId, itemId, workerId: who.userId, position, state: 'answered' });
    await db.insert(answers).values({
      id: answerId,
      leaseId,
      itemId,
      workerId: who.userId,
      value: stage === 'attributes' ? { kind: 'attributes', choices: {} } : { kind: 'nothing' },
      activeMs: ms,
      createdAt: at,
    });
    if (!check) continue;
    const goldId = check.goldId ?? (await makeGold(db, shop, itemId));
    const { passed, score } = check;
    await db
      .insert(checks)
      .values({ leaseId, goldId, workerId: who.userId, passed, score, createdAt: at, scoredAt: at });
  }
  if (paidMicro !== undefined) {
    await db.insert(ledger).values({
      projectId: shop.projectId,
      workerId: who.userId,
      kind: kind === 'exam' ? 'exam' : 'batch',
      sourceId: batchId,
      amountMicro: paidMicro,
      currency: 'USD',
    });
  }
  return batchId;
}

async function oneItem(db: Database, shop: Workshop, stage: keyof Workshop['stages']): Promise<string> {
  const [itemId] = await ask(db, shop, stage, 1, { state: 'settled', answered: 1 });
  return itemId as string;
}

async function makeGold(db: Database, shop: Workshop, itemId: string): Promise<string> {
  const id = newId();
  await db.insert(gold).values({ id, projectId: shop.projectId, itemId, value: {}, state: 'active' });
  return id;
}

/** A gold item of its own, for many to meet. */
export async function newGold(
  db: Database,
  shop: Workshop,
  stage: keyof Workshop['stages'],
): Promise<string> {
  return makeGold(db, shop, await oneItem(db, shop, stage));
}

async function itemOfGold(db: Database, goldId: string): Promise<string> {
  const [row] = await db.select({ itemId: gold.itemId }).from(gold).where(eq(gold.id, goldId));
  return row?.itemId as string;
}

/** The score of a form with these hits. */
export const form = (truePositives: number, falsePositives: number, falseNegatives: number) => ({
  level: (2 * truePositives) / (2 * truePositives + falsePositives + falseNegatives || 1),
  truePositives,
  falsePositives,
  falseNegatives,
});

export const mask = (iou: number) => ({ level: iou, iou, sizeAware: iou });

type Scores = { precision?: number; recall?: number; meanIou?: number; passed: boolean };

/** An exam that was sat, with these scores on its paper. */
export async function sat(
  db: Database,
  shop: Workshop,
  who: UserActor,
  {
    stage = 'attributes',
    attempt = 1,
    answers: given = [],
    ...scores
  }: Scores & {
    stage?: keyof Workshop['stages'];
    attempt?: number;
    answers?: PastAnswer[];
  },
): Promise<string> {
  const batchId = await past(db, shop, who, { stage, kind: 'exam', answers: given, ago: 48 - attempt });
  const id = newId();
  await db.insert(exams).values({
    id,
    projectId: shop.projectId,
    stageId: shop.stages[stage],
    workerId: who.userId,
    batchId,
    attempt,
    ...scores,
    finishedAt: new Date(),
  });
  return id;
}

/** A rule has paused the worker, who objects. */
export async function pausedAndAppealing(db: Database, shop: Workshop, who: UserActor, text = 'I was ill.') {
  const [decisionId, appealId] = [newId(), newId()];
  const stageId = shop.stages.attributes;
  await db.insert(decisions).values({
    id: decisionId,
    projectId: shop.projectId,
    subject: 'worker',
    subjectId: who.userId,
    stageId,
    verdict: 'pause',
    reason: 'Several answers differ.',
    rule: 'failed-checks',
    ruleVersion: 1,
    evidence: [newId()],
  });
  await db.insert(standings).values({
    stageId,
    workerId: who.userId,
    projectId: shop.projectId,
    state: 'paused',
    decisionId,
    since: new Date(0),
  });
  await db
    .insert(appeals)
    .values({ id: appealId, projectId: shop.projectId, decisionId, workerId: who.userId, text });
  return { decisionId, appealId };
}
