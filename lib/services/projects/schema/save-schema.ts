import { and, desc, eq, max, min, sql } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import { actorId } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { DatasetSchema, schemaChange } from '@/lib/core/schema';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { endRunningBatches } from '@/lib/services/crowd/end-running-batches';
import { enqueue } from '@/lib/services/jobs';
import { isActive } from '@/lib/services/jobs/job-row';
import { queueOptions } from '@/lib/services/jobs/queue';
import { applySchemaChange } from './apply-schema-change';
import { missingStages } from './missing-stages';

const { images, jobs, projects, schemaVersions, stages } = tables;

/** With more images than this, what a change does to them is done by a job. */
const AT_ONCE = 2000;

export interface SavedSchema {
  projectId: string;
  /** The number of the version that the editor started from. */
  from: number;
  document: unknown;
  /** Whether forms that say too little under the new schema are asked again. */
  askAgain: boolean;
}

export interface SchemaSaved {
  number: number;
  /** The job that applies the change to many images; null when it is done. */
  jobId: string | null;
}

/** Saves a new version of the schema and applies it to what was collected. Rejects changes based on an older version. */
export async function saveSchema(db: Database, actor: Actor, input: SavedSchema): Promise<SchemaSaved> {
  await authorise(db, actor, 'schema.write', { project: input.projectId });
  const next = readSchema(input.document);
  return db.transaction(async (tx) => {
    const current = await holdCurrent(tx, input.projectId);
    if (current.number !== input.from) {
      const message = `Version ${current.number} was saved meanwhile, and you started from version ${input.from}. Compare your changes with it, then save again.`;
      throw conflict(message, { current: current.number });
    }
    const changes = schemaChange(current.document, next);
    const about = next.name !== current.document.name || next.description !== current.document.description;
    if (changes.length === 0 && !about) throw invalid('Nothing was changed, so there is nothing to save.');
    // Hidden checks change with the gold, the items around them do not: in a batch that ran on they would stand out.
    await endRunningBatches(tx, input.projectId);
    const versionId = newId();
    const number = current.number + 1;
    await tx.insert(schemaVersions).values({
      id: versionId,
      projectId: input.projectId,
      number,
      document: next,
      createdBy: actorId(actor),
    });
    await tx
      .update(projects)
      .set({ schemaVersionId: versionId, updatedAt: sql`now()` })
      .where(eq(projects.id, input.projectId));
    await addStages(tx, input.projectId, next);
    await record(tx, {
      actor,
      verb: 'schema.save',
      subject: 'schema',
      subjectId: versionId,
      projectId: input.projectId,
      detail: {
        number,
        askAgain: input.askAgain,
        changes: changes.map(({ entry, id, change }) => `${change} ${entry} ${id}`),
      },
    });
    const applying = {
      projectId: input.projectId,
      from: current.id,
      to: versionId,
      askAgain: input.askAgain,
    };
    const [count] = await tx
      .select({ n: sql<number>`count(*)::int` })
      .from(images)
      .where(eq(images.projectId, input.projectId));
    if ((count?.n ?? 0) <= AT_ONCE) {
      await applySchemaChange(tx, applying);
      return { number, jobId: null };
    }
    const title = `Apply schema version ${number}`;
    const jobId = await enqueue(tx, 'change-schema', applying, { title, projectId: input.projectId });
    return { number, jobId };
  });
}

/** A schema from outside, or what is wrong with it, first things first. */
export function readSchema(document: unknown): DatasetSchema {
  const parsed = DatasetSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const descriptions = problems
    .slice(0, 3)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const more = problems.length > 3 ? ` and ${problems.length - 3} more` : '';
  throw invalid(`The schema is not valid: ${descriptions.join('; ')}${more}.`, { problems });
}

async function holdCurrent(tx: Transaction, projectId: string) {
  const [held] = await tx
    .select({ versionId: projects.schemaVersionId })
    .from(projects)
    .where(eq(projects.id, projectId))
    // Who takes a batch waits for this; who answers an item of one, and only refers to the project, does not.
    .for('no key update');
  if (!held?.versionId) throw notFound('project');
  await requireApplied(tx, projectId);
  const [current] = await tx.select().from(schemaVersions).where(eq(schemaVersions.id, held.versionId));
  if (!current) throw new Error('The schema version of a project exists.');
  return current;
}

/** A version on top of one that is applied by half would never get the other half. */
async function requireApplied(tx: Transaction, projectId: string): Promise<void> {
  const [last] = await tx
    .select({ id: jobs.id, state: jobs.state, finishedAt: jobs.finishedAt })
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, 'change-schema')))
    .orderBy(desc(jobs.id))
    .limit(1);
  if (!last || last.state === 'done') return;
  if (isActive(last.state)) {
    throw conflict(
      'The version before is still being applied to the images. Save again when that job is done.',
    );
  }
  // The queue forgets what it could not do after a while: then nobody can retry it, and saving is the way on.
  const keptMs = (queueOptions.deleteAfterSeconds ?? 0) * 1000;
  if (last.finishedAt && last.finishedAt.getTime() + keptMs < Date.now()) return;
  throw conflict('The last change was not finished: retry its job first, then save.', { job: last.id });
}

async function addStages(tx: Transaction, projectId: string, schema: DatasetSchema): Promise<void> {
  const there = await tx.select({ kind: stages.kind }).from(stages).where(eq(stages.projectId, projectId));
  const [ends] = await tx
    .select({ first: min(stages.position), last: max(stages.position) })
    .from(stages)
    .where(eq(stages.projectId, projectId));
  const missing = missingStages(schema, there);
  if (missing.length === 0) return;
  await tx.insert(stages).values(
    missing.map((stage, index) => ({
      ...stage,
      projectId,
      // Masks follow from forms: a stage of forms comes first.
      position: stage.kind === 'attributes' ? (ends?.first ?? 1) - 1 : (ends?.last ?? 0) + 1 + index,
    })),
  );
}
