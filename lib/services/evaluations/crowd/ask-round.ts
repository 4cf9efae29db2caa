import { createHash } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import sharp from 'sharp';
import { newId, type Transaction, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import { CHANNELS } from '@/lib/core/robustness/picture';
import { holdWaiting } from '@/lib/services/crowd/oracle';
import { writeQuestions } from '@/lib/services/crowd/work/ask-first-questions';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { enqueue, type JobContext } from '@/lib/services/jobs';
import { putBlob } from '@/lib/services/storage';
import { EvaluationOptions } from '../evaluation-request';
import { EVALUATE_JOB } from '../start-evaluation';
import { chainPictureBytes } from './ask-crowd';
import { type ChainState, isOver, loadChainStates, pendingSteps } from './chain-states';

const { images, items, oracleQuestions, projects, stages } = tables;

/** Above ordinary items, because an evaluation waits for the answers. */
const PRIORITY = 5;
/** Chains per transaction. */
const TOGETHER = 20;
/** Upper bound on the size of a chain. */
const MAX_BYTES = 512 * 1024 * 1024;

interface CrowdRound {
  evaluationId: string;
  projectId: string;
  stageId: string;
}

/**
 * Creates questions about the next picture of every open chain. Idempotent: a picture is one image, and an image is one item
 * of the stage.
 */
export async function askNextQuestions(
  context: Pick<JobContext, 'db' | 'storage' | 'signal'>,
  about: CrowdRound,
): Promise<{ chains: ChainState[]; left: number }> {
  const { db } = context;
  // Repeats, because questions shared with another evaluation can be answered already.
  for (;;) {
    const chains = await loadChainStates(db, about.evaluationId);
    const asking = chains.filter((chain) => !isOver(chain) && pendingSteps(chain).length > 0);
    if (asking.length === 0) return { chains, left: chains.filter((chain) => !isOver(chain)).length };
    for (let from = 0; from < asking.length; from += TOGETHER) {
      context.signal.throwIfAborted();
      const pictures: Derived[] = [];
      for (const chain of asking.slice(from, from + TOGETHER))
        pictures.push(...(await picturesOf(context, chain)));
      await db.transaction((tx) => ask(tx, about, pictures));
    }
  }
}

interface Derived {
  imageId: string;
  step: number;
  blob: string;
  width: number;
  height: number;
}

async function picturesOf(
  { db, storage }: Pick<JobContext, 'db' | 'storage'>,
  chain: ChainState,
): Promise<Derived[]> {
  const bytes = await storage.read(chain.blob, MAX_BYTES);
  const { imageId, width, height } = chain;
  return Promise.all(
    pendingSteps(chain).map(async (step) => {
      const raw = { width, height, channels: CHANNELS } as const;
      const png = await sharp(chainPictureBytes(bytes, chain, step), { raw })
        .png()
        .toBuffer();
      const { sha256 } = await putBlob(db, storage, png, { mediaType: 'image/png' });
      return { imageId, step, blob: sha256, width, height };
    }),
  );
}

/** Derived hash, so that a generated picture is never a duplicate of an uploaded file. */
const sourceOf = (blob: string): string => createHash('sha256').update(`derived|${blob}`).digest('hex');

async function ask(tx: Transaction, about: CrowdRound, pictures: readonly Derived[]): Promise<void> {
  const { projectId, stageId, evaluationId } = about;
  const { schemaVersionId, overlap } = await settingsOf(tx, about);
  const bySource = new Map(pictures.map((picture) => [sourceOf(picture.blob), picture]));
  await tx
    .insert(images)
    .values(
      [...bySource].map(([sourceSha256, { blob, width, height }]) => ({
        id: newId(),
        projectId,
        // Name and class would reveal the answer.
        name: `derived-${blob.slice(0, 12)}.png`,
        width,
        height,
        sourceSha256,
        blob,
        perceptualHash: 0n,
        state: 'derived' as const,
      })),
    )
    .onConflictDoNothing();
  const made = await tx
    .select({ id: images.id, source: images.sourceSha256 })
    .from(images)
    .where(and(eq(images.projectId, projectId), inArray(images.sourceSha256, [...bySource.keys()])));
  const idOf = new Map(made.map(({ id, source }) => [source, id]));
  await writeQuestions(
    tx,
    made.map(({ id }) => ({
      projectId,
      stageId,
      imageId: id,
      target: '',
      schemaVersionId,
      overlap,
      priority: PRIORITY,
    })),
    { reopens: true },
  );
  const itemRows = await tx
    .select({ id: items.id, imageId: items.imageId })
    .from(items)
    .where(
      and(
        eq(items.stageId, stageId),
        inArray(
          items.imageId,
          made.map(({ id }) => id),
        ),
      ),
    );
  const itemOf = new Map(itemRows.map(({ id, imageId }) => [imageId, id]));
  await tx
    .insert(oracleQuestions)
    .values(
      pictures.map(({ imageId, step, blob }) => ({
        evaluationId,
        imageId,
        step,
        itemId: itemOf.get(idOf.get(sourceOf(blob)) ?? '') as string,
      })),
    )
    .onConflictDoNothing();
}

async function settingsOf(
  tx: Transaction,
  { projectId, stageId }: CrowdRound,
): Promise<{ schemaVersionId: string; overlap: number }> {
  const [found] = await tx
    .select({
      project: projects.policy,
      own: stages.policy,
      name: stages.name,
      state: stages.state,
      schemaVersionId: projects.schemaVersionId,
    })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(and(eq(stages.id, stageId), eq(stages.projectId, projectId), eq(stages.asks, 'evaluations')));
  if (!found?.schemaVersionId) throw notFound('stage');
  if (found.state === 'closed') throw conflict(`"${found.name}" is closed. Open it and retry the job.`);
  const { overlap } = effectivePolicy(found.project, found.own);
  return { schemaVersionId: found.schemaVersionId, overlap };
}

const { evaluations } = tables;

/** Creates the next questions; without any left, enqueues the job that finishes the evaluation. */
export async function resumeEvaluation(
  context: JobContext,
  { evaluationId }: { evaluationId: string },
): Promise<{ left: number }> {
  const { db } = context;
  // Waits for concurrent submissions, whose answers are read below.
  const evaluation = await db.transaction((tx) => holdWaiting(tx, evaluationId));
  const stageId = evaluation && EvaluationOptions.parse(evaluation.options).crowd;
  if (!evaluation || !stageId) return { left: 0 };
  const { projectId, createdBy } = evaluation;
  const { chains, left } = await askNextQuestions(context, { evaluationId, projectId, stageId });
  await context.progress(chains.length - left, chains.length, 'Images judged by workers');
  if (left > 0) return { left };
  await db.transaction(async (tx) => {
    if (!(await holdWaiting(tx, evaluationId))) return;
    const title = 'Evaluate crowd verdicts';
    const jobId = await enqueue(
      tx,
      EVALUATE_JOB,
      { evaluationId },
      { title, projectId, startedBy: createdBy },
    );
    await tx.update(evaluations).set({ jobId, state: 'queued' }).where(eq(evaluations.id, evaluationId));
  });
  return { left };
}
