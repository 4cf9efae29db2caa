import { and, asc, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { type Database, newId, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { encodeCounts, rasterizeShapes } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { rival10Policy } from '@/lib/core/quality/rival10';
import type { RuleSetting } from '@/lib/core/quality/rules';
import { choicesFrom, type DatasetSchema } from '@/lib/core/schema';
import type { UserActor } from '@/lib/services/access';
import {
  getBatch,
  settleOverdueLateAnswers,
  submitAnswer,
  submitBatch,
  takeBatch,
} from '@/lib/services/crowd/work';
import { createProject } from '@/lib/services/projects';
import { join, person, tests } from '../access/people';

const { batches, blobs, consents, consentTexts, images, items, leases, projects, schemaVersions, stages } =
  tables;

export const WIDTH = 64;
export const HEIGHT = 48;

export interface Workshop {
  projectId: string;
  slug: string;
  schema: DatasetSchema;
  schemaVersionId: string;
  stages: Record<'attributes' | 'object-mask' | 'part-mask', string>;
}

/** Small batches without exams, checks, pay reviews and second answers. Stories turn on what they need. */
const short = {
  batchSize: { attributes: 4, masks: 4 },
  attributeExam: { isRequired: false },
  maskExam: { isRequired: false },
  checkRate: 0,
  payReview: { minFormSeconds: 0, minMaskSeconds: 0, constantAnswers: null },
  confirmation: rival10Policy.confirmation,
};

/** A project that collects, without rules unless they are given, and no items yet. */
export async function workshop(
  db: Database,
  policy: Record<string, unknown> = {},
  rules: RuleSetting[] = [],
): Promise<Workshop> {
  const made = await createProject(db, tests, {
    name: 'Birds',
    slug: `p${newId().slice(-10)}`,
    preset: 'rival10',
  });
  await db
    .update(projects)
    .set({ state: 'collecting', policy: { ...short, ...policy } })
    .where(eq(projects.id, made.id));
  await db.insert(tables.ruleSets).values({ projectId: made.id, number: 1, rules });
  const [version] = await db.select().from(schemaVersions).where(eq(schemaVersions.projectId, made.id));
  const asked = await db.select().from(stages).where(eq(stages.projectId, made.id));
  const stage = (kind: StageKind) => asked.find((entry) => entry.kind === kind)?.id as string;
  return {
    projectId: made.id,
    slug: made.slug,
    schema: version?.document as DatasetSchema,
    schemaVersionId: version?.id as string,
    stages: {
      attributes: stage('attributes'),
      'object-mask': stage('object-mask'),
      'part-mask': stage('part-mask'),
    },
  };
}

export async function worker(db: Database, shop: Workshop, name = 'Wanda'): Promise<UserActor> {
  const actor = await person(db, name);
  await join(db, actor, shop.projectId, 'worker');
  await agree(db, actor, shop.projectId);
  return actor;
}

/** Agrees to the newest consent text of a project. */
export async function agree(db: Database, actor: UserActor, projectId: string): Promise<void> {
  const [text] = await db
    .select({ id: consentTexts.id })
    .from(consentTexts)
    .where(eq(consentTexts.projectId, projectId))
    .orderBy(desc(consentTexts.number))
    .limit(1);
  if (!text) throw new Error('A project has a consent text from the start.');
  await db
    .insert(consents)
    .values({ projectId, workerId: actor.userId, consentTextId: text.id, kind: 'agreed' });
}

export async function addImage(db: Database, projectId: string, className = 'dog'): Promise<string> {
  const sha256 = `${newId()}${newId()}`.replaceAll('-', '');
  await db.insert(blobs).values({ sha256, bytes: 1, mediaType: 'image/png' });
  const [image] = await db
    .insert(images)
    .values({
      projectId,
      name: 'a.png',
      className,
      width: WIDTH,
      height: HEIGHT,
      sourceSha256: sha256,
      blob: sha256,
      perceptualHash: 0n,
    })
    .returning({ id: images.id });
  return image?.id as string;
}

/** Images with one open question each. */
export async function ask(
  db: Database,
  shop: Workshop,
  kind: keyof Workshop['stages'],
  count: number,
  more: Partial<typeof items.$inferInsert> = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const imageId = await addImage(db, shop.projectId);
    const [item] = await db
      .insert(items)
      .values({
        projectId: shop.projectId,
        stageId: shop.stages[kind],
        imageId,
        schemaVersionId: shop.schemaVersionId,
        target: kind === 'part-mask' ? 'long-snout' : '',
        ...more,
      })
      .returning({ id: items.id });
    ids.push(item?.id as string);
  }
  return ids;
}

/** The worker's batch of a stage with its leases; fails when there is nothing to do. */
export async function take(
  db: Database,
  actor: UserActor,
  stageId: string,
  kind?: 'work' | 'exam' | 'practice',
) {
  const taken = await takeBatch(db, actor, { stageId, kind });
  if (!taken) throw new Error('There was no work.');
  return getBatch(db, actor, { batchId: taken.id });
}

/** The same while nothing else is asked, so that two workers can hold targets of one image. */
export async function takeTargets(db: Database, actor: UserActor, stageId: string, targets: string[]) {
  const others = await db
    .update(items)
    .set({ state: 'withdrawn' })
    .where(and(eq(items.stageId, stageId), eq(items.state, 'open'), notInArray(items.target, targets)))
    .returning({ id: items.id });
  const batch = await take(db, actor, stageId);
  const ids = others.map(({ id }) => id);
  await db.update(items).set({ state: 'open' }).where(inArray(items.id, ids));
  return batch;
}

export type WorkItem = Awaited<ReturnType<typeof take>>['items'][number];

export const square: AnswerValue = {
  kind: 'mask',
  shapes: [{ kind: 'polygon', op: 'add', outer: [10, 10, 30, 10, 30, 30, 10, 30], holes: [] }],
};

/** A drawing elsewhere: no pixel of it is in the square. */
export const elsewhere: AnswerValue = {
  kind: 'mask',
  shapes: [{ kind: 'polygon', op: 'add', outer: [40, 32, 60, 32, 60, 46, 40, 46], holes: [] }],
};

/** A form filled in by the rules, with these attributes. */
export const marked = (shop: Workshop, ...positives: string[]): AnswerValue => ({
  kind: 'attributes',
  choices: choicesFrom(shop.schema, positives),
});

export const answer = (
  db: Database,
  actor: UserActor,
  leaseId: string,
  value: AnswerValue = square,
  answerId = newId(),
) => submitAnswer(db, actor, { leaseId, answerId, value, activeMs: 1500 });

/** Takes a batch of a stage, answers all of it, and hands it in. */
export async function doBatch(
  db: Database,
  actor: UserActor,
  stageId: string,
  value: (item: WorkItem) => AnswerValue,
  kind?: 'work' | 'exam' | 'practice',
) {
  const batch = await take(db, actor, stageId, kind);
  for (const item of batch.items) await answer(db, actor, item.leaseId, value(item));
  await submitBatch(db, actor, { batchId: batch.id });
  return batch;
}

/** Pictures whose answer is known, one question each. */
export async function addGold(
  db: Database,
  shop: Workshop,
  kind: keyof Workshop['stages'],
  count: number,
  value: AnswerValue,
  more: Partial<typeof tables.gold.$inferInsert> = {},
): Promise<string[]> {
  const itemIds = await ask(db, shop, kind, count, { state: 'settled', answered: 1 });
  const mask = value.kind === 'mask' ? encodeCounts(rasterizeShapes(value.shapes, HEIGHT, WIDTH)) : null;
  const made = await db
    .insert(tables.gold)
    .values(
      itemIds.map((itemId) => ({
        projectId: shop.projectId,
        itemId,
        value,
        mask,
        state: 'active' as const,
        ...more,
      })),
    )
    .returning({ id: tables.gold.id });
  return made.map((row) => row.id);
}

/** The leases of a batch that are checks. */
export async function checkLeases(db: Database, batchId: string): Promise<Set<string>> {
  const rows = await db
    .select({ leaseId: tables.checks.leaseId })
    .from(tables.checks)
    .innerJoin(leases, eq(leases.id, tables.checks.leaseId))
    .where(eq(leases.batchId, batchId));
  return new Set(rows.map((row) => row.leaseId));
}

/** The clock of a lease runs out, without waiting for it. */
export const runOut = (db: Database, batchId: string) =>
  db.update(batches).set({ leasedUntil: sql`now() - interval '1 second'` }).where(eq(batches.id, batchId));

/** Late answers become an hour old, and the job that settles them runs. */
export async function settleLate(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    // Answers are append-only.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      update answers a set created_at = a.created_at - interval '61 minutes'
      from leases l where l.id = a.lease_id and l.state = 'late'`);
  });
  await settleOverdueLateAnswers(db);
}

export const itemsOf = (db: Database, stageId: string) =>
  db.select().from(items).where(eq(items.stageId, stageId)).orderBy(asc(items.id));

export const itemOf = async (db: Database, leaseId: string) => {
  const [row] = await db
    .select({ item: items })
    .from(leases)
    .innerJoin(items, eq(items.id, leases.itemId))
    .where(eq(leases.id, leaseId));
  return row?.item as typeof items.$inferSelect;
};

export const paidTo = (db: Database, actor: UserActor) =>
  db
    .select({
      kind: tables.ledger.kind,
      sourceId: tables.ledger.sourceId,
      amountMicro: tables.ledger.amountMicro,
    })
    .from(tables.ledger)
    .where(and(eq(tables.ledger.workerId, actor.userId)))
    .orderBy(asc(tables.ledger.id));
