import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Db, tables } from '@/db';
import { formatCount } from '@/lib/core/format';
import { describeTarget } from '@/lib/core/schema';

const {
  answers,
  auditLog,
  batches,
  decisions,
  images,
  items,
  labels,
  leases,
  stages,
  uploadFiles,
  uploads,
  users,
} = tables;

/** What an entry is about: a page marks each kind with its own sign. */
export type HistoryKind = 'image' | 'item' | 'lease' | 'answer' | 'label' | 'decision';

export interface HistoryEntry {
  at: Date;
  kind: HistoryKind;
  /** Who, or what: a person, a rule, the command line. */
  by: string | null;
  /** The worker, for a link to their page; null where it was somebody else or is not to be told. */
  workerId: string | null;
  text: string;
}

type Image = Pick<typeof images.$inferSelect, 'id' | 'projectId' | 'createdAt' | 'name' | 'origin' | 'notes'>;

/** All that happened to an image and to the questions about it, oldest first. Seven statements, however long it is. */
export async function readImageHistory(
  db: Db,
  image: Image,
  options: {
    /** Whether workers are named. Without it they are "a worker", and who had what on lease is not told. */
    namesWorkers: boolean;
  },
): Promise<HistoryEntry[]> {
  const parts = await Promise.all([
    arrival(db, image),
    asked(db, image.id),
    leaseMoments(db, image.id),
    answered(db, image.id),
    labelled(db, image.id),
    decided(db, image),
    acted(db, image),
  ]);
  const entries = options.namesWorkers ? parts.flat() : parts.flat().flatMap(withoutWorker);
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime() || order[a.kind] - order[b.kind]);
}

const withoutWorker = (entry: HistoryEntry): HistoryEntry[] => {
  if (entry.kind === 'lease') return [];
  return [entry.workerId ? { ...entry, by: 'a worker', workerId: null } : entry];
};

/** Of what happened at the same moment, causes come first. */
const order: Record<HistoryKind, number> = { image: 0, item: 1, lease: 2, answer: 3, decision: 4, label: 5 };

async function arrival(db: Db, image: Image): Promise<HistoryEntry[]> {
  const [from] = await db
    .select({ by: users.name, name: uploadFiles.name })
    .from(uploadFiles)
    .innerJoin(uploads, eq(uploads.id, uploadFiles.uploadId))
    .leftJoin(users, eq(users.id, uploads.createdBy))
    .where(and(eq(uploadFiles.imageId, image.id), eq(uploadFiles.state, 'accepted')))
    .limit(1);
  const entry = (text: string, by: string | null = null): HistoryEntry => ({
    at: image.createdAt,
    kind: 'image',
    by,
    workerId: null,
    text,
  });
  return [
    entry(image.origin ? 'generated' : `added as ${from?.name ?? image.name}`, from?.by ?? null),
    ...image.notes.map((note) => entry(note)),
  ];
}

async function asked(db: Db, imageId: string): Promise<HistoryEntry[]> {
  const rows = await db
    .select({ at: items.createdAt, stage: stages.name, target: items.target, overlap: items.overlap })
    .from(items)
    .innerJoin(stages, eq(stages.id, items.stageId))
    .where(eq(items.imageId, imageId));
  return rows.map(({ at, stage, target, overlap }) => ({
    at,
    kind: 'item',
    by: null,
    workerId: null,
    text: `asked: ${describeQuestion(stage, target)} (${overlap === 1 ? '1 answer' : `${overlap} answers`} wanted)`,
  }));
}

async function answered(db: Db, imageId: string): Promise<HistoryEntry[]> {
  const rows = await db
    .select({
      at: answers.createdAt,
      by: users.name,
      workerId: answers.workerId,
      stage: stages.name,
      target: items.target,
      kind: sql<string>`${answers.value}->>'kind'`,
      area: answers.area,
      activeMs: answers.activeMs,
    })
    .from(answers)
    .innerJoin(items, eq(items.id, answers.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(users, eq(users.id, answers.workerId))
    .where(eq(items.imageId, imageId));
  return rows.map(({ at, by, workerId, stage, target, kind, area, activeMs }) => ({
    at,
    kind: 'answer',
    by,
    workerId,
    text: `answered: ${describeQuestion(stage, target)} – ${said(kind, area)}, ${Math.round(activeMs / 1000)} s`,
  }));
}

const said = (kind: string, area: number | null): string =>
  kind === 'nothing' ? 'nothing to label' : area === null ? kind : `mask of ${area} pixels`;

async function labelled(db: Db, imageId: string): Promise<HistoryEntry[]> {
  const rows = await db
    .select({
      at: labels.createdAt,
      stage: stages.name,
      target: labels.target,
      kind: sql<string>`${labels.value}->>'kind'`,
      area: labels.area,
      source: labels.source,
      confidence: labels.confidence,
      isCurrent: labels.isCurrent,
      method: sql<string | null>`${labels.provenance}->>'method'`,
      inputs: sql<number>`jsonb_array_length(case when jsonb_typeof(${labels.provenance}->'answers') = 'array'
        then ${labels.provenance}->'answers' else '[]' end)`,
    })
    .from(labels)
    .innerJoin(items, eq(items.id, labels.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .where(eq(labels.imageId, imageId));
  return rows.map((row) => {
    const from = [
      row.source,
      row.method,
      row.inputs > 0 ? `from ${formatCount(row.inputs, 'answer')}` : null,
    ];
    const words = `${describeQuestion(row.stage, row.target)} – ${said(row.kind, row.area)}`;
    const confidence = `confidence ${Math.round(row.confidence * 100)} %`;
    return {
      at: row.at,
      kind: 'label',
      by: null,
      workerId: null,
      text: `${row.isCurrent ? 'label' : 'label, since replaced'}: ${words} (${from.filter(Boolean).join(', ')}, ${confidence})`,
    };
  });
}

/** About the image itself, its labels and the answers about it. */
async function decided(db: Db, image: Image): Promise<HistoryEntry[]> {
  const of = alias(items, 'of');
  const answersOf = db
    .select({ id: answers.id })
    .from(answers)
    .innerJoin(of, eq(of.id, answers.itemId))
    .where(eq(of.imageId, image.id));
  const labelsOf = db.select({ id: labels.id }).from(labels).where(eq(labels.imageId, image.id));
  const rows = await db
    .select({
      at: decisions.createdAt,
      by: users.name,
      subject: decisions.subject,
      rule: decisions.rule,
      verdict: decisions.verdict,
      reason: decisions.reason,
    })
    .from(decisions)
    .leftJoin(users, eq(users.id, decisions.decidedBy))
    .where(
      or(
        and(eq(decisions.subject, 'image'), eq(decisions.subjectId, image.id)),
        and(eq(decisions.subject, 'label'), inArray(decisions.subjectId, labelsOf)),
        and(eq(decisions.subject, 'answer'), inArray(decisions.subjectId, answersOf)),
      ),
    );
  return rows.map((row) => ({
    at: row.at,
    kind: 'decision',
    by: row.by ?? row.rule,
    workerId: null,
    text: `${row.subject === 'image' ? '' : `${row.subject} `}${row.verdict}: ${row.reason}`,
  }));
}

async function acted(db: Db, image: Image): Promise<HistoryEntry[]> {
  const rows = await db
    .select({ at: auditLog.createdAt, by: auditLog.actor, verb: auditLog.verb })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.projectId, image.projectId),
        eq(auditLog.subject, 'image'),
        eq(auditLog.subjectId, image.id),
      ),
    );
  return rows.map(({ at, by, verb }) => ({ at, kind: 'image', by, workerId: null, text: verb }));
}

/** When questions about an image were handed out and came back without an answer; answers tell the rest. */
async function leaseMoments(db: Db, imageId: string): Promise<HistoryEntry[]> {
  const rows = await db
    .select({
      at: batches.createdAt,
      state: leases.state,
      batch: batches.kind,
      by: users.name,
      workerId: leases.workerId,
      stage: stages.name,
      target: items.target,
    })
    .from(leases)
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(users, eq(users.id, leases.workerId))
    .where(and(eq(items.imageId, imageId), notInArray(leases.state, ['answered', 'late'])));
  return rows.map(({ at, state, batch, by, workerId, stage, target }) => ({
    at,
    kind: 'lease',
    by,
    workerId,
    text: `${state === 'open' ? 'handed out' : 'handed out, given back'}: ${describeQuestion(stage, target)}${
      batch === 'work' ? '' : ` (${batch})`
    }`,
  }));
}

/** What is asked, for a line of text: "Object masks", "Part masks, head of object 2 (dog)". */
const describeQuestion = (stage: string, target: string): string =>
  target ? `${stage}, ${describeTarget(target, (id) => id, '')}` : stage;
