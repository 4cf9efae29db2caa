import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { CANNOT_TELL } from '@/lib/core/quality/answer';
import type { UserActor } from '@/lib/services/access';
import { getBatch, submitAnswer, submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { askFirstQuestions } from '@/lib/services/crowd/work/ask-first-questions';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { resumeEvaluation } from '@/lib/services/evaluations/crowd/ask-round';
import { loadCrowdProgress } from '@/lib/services/evaluations/crowd/chain-states';
import {
  createOracleStage,
  estimateCrowdCost,
  findOracleStages,
  stopCrowdQuestions,
} from '@/lib/services/evaluations/crowd/oracle-stage';
import { NewEvaluation, planText } from '@/lib/services/evaluations/evaluation-request';
import { getEvaluation } from '@/lib/services/evaluations/list-evaluations';
import { planEvaluation } from '@/lib/services/evaluations/plan-evaluation';
import { runEvaluation } from '@/lib/services/evaluations/run-evaluation';
import { startEvaluation } from '@/lib/services/evaluations/start-evaluation';
import { countByClass } from '@/lib/services/images/filters';
import { readImages } from '@/lib/services/images/list-images';
import type { JobContext } from '@/lib/services/jobs';
import { putBlob, storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';
import { join, person, tests } from '../access/people';
import { agree } from '../crowd/workshop';
import { jobIn } from '../curation/audit/rated';
import { brightContract, brightParts } from '../training/loop-model';

useHome();
const db = useDatabase();
const CLASSES = ['Aeroplane', 'Bird'];
const PAY = 200_000;

const context = (more: Partial<JobContext> = {}): JobContext => ({
  ...jobIn(db()),
  storage: storage(),
  ...more,
});

/** A project that collects, a version and a model of it, three people, and a stage in which evaluations ask them. */
async function studio(slug: string) {
  const { projectId } = await labelledProject(db(), {
    preset: 'part-imagenet',
    slug,
    count: 12,
    classes: CLASSES,
  });
  await db()
    .update(tables.projects)
    .set({
      state: 'collecting',
      policy: {
        checkRate: 0,
        payReview: { minFormSeconds: 0, minMaskSeconds: 0, constantAnswers: null },
      },
    })
    .where(eq(tables.projects.id, projectId));
  await freezeVersion(patiently(db()), tests, { projectId, request: FreezeRequest.parse({}) });
  const blob = await putBlob(db(), storage(), brightParts(), { mediaType: 'application/octet-stream' });
  const model = newId();
  await db()
    .insert(tables.models)
    .values({
      id: model,
      projectId,
      name: 'Bright',
      blob: blob.sha256,
      contract: { ...brightContract, classes: CLASSES, parts: [], maskValues: [] },
    });
  const curator = await person(db(), 'Cora');
  await join(db(), curator, projectId, 'curator');
  const stage = { name: 'What is it', people: 3, batch: 50, payMicro: PAY };
  const { id: stageId } = await createOracleStage(db(), curator, { projectId, stage });
  const workers: UserActor[] = [];
  for (const name of ['Wanda', 'Will', 'Wes']) {
    const worker = await person(db(), name);
    await join(db(), worker, projectId, 'worker');
    await agree(db(), worker, projectId);
    workers.push(worker);
  }
  const asked = { model, version: '1', split: 'train', suite: 'fmr', images: 4, crowd: stageId };
  const start = (actor: UserActor = curator) =>
    startEvaluation(db(), actor, { projectId, evaluation: NewEvaluation.parse(asked) });
  const read = (evaluationId: string) => getEvaluation(db(), { projectId, evaluationId });
  return { projectId, model, stageId, curator, workers, start, read };
}

/** What is really to be seen in the picture of a lease, and how far it was driven. */
async function truthOf(leaseId: string): Promise<{ className: string; step: number }> {
  const found = await db().execute<{ className: string; step: number }>(sql`
    select c.class_name as "className", q.step from ${tables.leases} l
    join ${tables.oracleQuestions} q on q.item_id = l.item_id
    join ${tables.oracleChains} c on c.evaluation_id = q.evaluation_id and c.image_id = q.image_id
    where l.id = ${leaseId} limit 1`);
  return found.rows[0] as { className: string; step: number };
}

/** Sees the class up to a step, and says beyond it that they cannot tell. */
async function work(actor: UserActor, stageId: string, upTo: number): Promise<number> {
  const taken = await takeBatch(db(), actor, { stageId });
  if (!taken) return 0;
  const batch = await getBatch(db(), actor, { batchId: taken.id });
  for (const { leaseId, className } of batch.items) {
    expect(className).toBeNull();
    const truth = await truthOf(leaseId);
    await submitAnswer(db(), actor, {
      leaseId,
      answerId: newId(),
      value: { kind: 'class', className: truth.step <= upTo ? truth.className : CANNOT_TELL },
      activeMs: 800,
    });
  }
  await submitBatch(db(), actor, { batchId: taken.id });
  return batch.items.length;
}

describe('a curator has people judge how far pictures may be driven', () => {
  it('asks the middle, then what follows, and ends with FMR by the crowd', async () => {
    const { projectId, model, stageId, curator, workers, start, read } = await studio('crowd');
    const shownBefore = await readImages(db(), { projectId, limit: 100 });
    const classesBefore = await countByClass(db(), projectId);
    const labelsBefore = await db().$count(tables.labels);
    const asking = { model, version: '1', split: 'train', suite: 'fmr', images: 4, crowd: stageId };
    const plan = await planEvaluation(context(), {
      ...{ projectId, evaluation: NewEvaluation.parse(asking), measures: false },
    });
    // The price is known first; nothing is left out, for people are the oracle.
    expect(plan).toMatchObject({
      left: [],
      crowd: { stage: 'What is it', images: 4, questions: 24, people: 3 },
    });
    expect(planText(plan)).toContain('at most 24 questions about 4 images');
    const { id } = await start();
    await runEvaluation(context(), { evaluationId: id });
    expect(await read(id)).toMatchObject({ state: 'waiting', metrics: null });
    const [stage] = await findOracleStages(db(), projectId);
    const cost = estimateCrowdCost(stage as NonNullable<typeof stage>, 4, 10);
    // The clean picture, the first, and the four that halve ten.
    expect(cost).toMatchObject({ questions: 4 * 6, people: 3, costMicro: BigInt((4 * 6 * 3 * PAY) / 50) });
    expect(await loadCrowdProgress(db(), id)).toMatchObject({ images: 4, questions: 8, open: 8, most: 24 });
    // Two of three see the class up to step 6, one of them never.
    for (let round = 0; round < 8 && (await read(id)).state === 'waiting'; round++) {
      for (const [i, worker] of workers.entries()) await work(worker, stageId, i === 2 ? -2 : 6);
      await resumeEvaluation(context(), { evaluationId: id });
    }
    expect((await read(id)).state).toBe('queued');
    const progress = await loadCrowdProgress(db(), id);
    expect(progress).toMatchObject({ open: 0, people: 3, answers: 3 * progress.questions });
    expect(progress.questions).toBeLessThanOrEqual(24);
    await runEvaluation(context(), { evaluationId: id });
    const { state, metrics } = await read(id);
    expect(state).toBe('done');
    const found = new Map(metrics?.findings.map((finding) => [finding.id, finding]));
    expect(found.get('fmr-steps')).toMatchObject({ value: 7, n: 4 });
    expect(found.get('fmr-validation-rate')).toMatchObject({ value: 1, n: 4 });
    expect(found.get('fmr-oracle-agreement')?.value).toBe(1);
    expect(found.get('fmr')?.low).not.toBeNull();
    expect(metrics?.notes.join(' ')).toContain(`asked ${progress.questions} questions about 4 images`);
    // Everybody was paid for every picture.
    const paid = await db()
      .select({ micro: sql<string>`sum(${tables.ledger.amountMicro})` })
      .from(tables.ledger)
      .where(eq(tables.ledger.projectId, projectId));
    expect(Number(paid[0]?.micro)).toBe((progress.answers * PAY) / 50);
    // Nothing of it is in the dataset.
    expect(await db().$count(tables.labels)).toBe(labelsBefore);
    expect(await db().$count(tables.images, eq(tables.images.state, 'derived'))).toBe(progress.questions);
    expect(await readImages(db(), { projectId, limit: 100 })).toMatchObject({
      images: shownBefore.images.map(({ id: image }) => ({ id: image })),
    });
    expect(await countByClass(db(), projectId)).toEqual(classesBefore);
    const first = await findVersion(db(), { projectId, version: '1' });
    const again = await freezeVersion(patiently(db()), tests, {
      projectId,
      request: FreezeRequest.parse({}),
    });
    expect(again).toMatchObject({ isNew: false, versionId: first.id });
    // Nor is the stage asked about the project's own images.
    await db().transaction((tx) => askFirstQuestions(tx, { projectId }));
    expect(await db().$count(tables.items, eq(tables.items.stageId, stageId))).toBe(progress.questions);
    const log = await db().select().from(tables.auditLog).where(eq(tables.auditLog.projectId, projectId));
    expect(log.map(({ verb }) => verb)).toEqual(expect.arrayContaining(['stage.make', 'evaluation.start']));
    expect(log.find(({ verb }) => verb === 'stage.make')?.actorId).toBe(curator.userId);
  });

  it('is stopped while pictures are made and begun anew, and asks nothing twice', async () => {
    const { projectId, stageId, workers, start, read } = await studio('killed');
    const { id } = await start();
    const stopping = new AbortController();
    let told = 0;
    const stopped = runEvaluation(
      context({
        signal: stopping.signal,
        progress: async () => {
          if (++told === 3) stopping.abort();
        },
      }),
      { evaluationId: id },
    );
    await expect(stopped).rejects.toThrow();
    expect(await db().$count(tables.oracleChains, eq(tables.oracleChains.evaluationId, id))).toBe(2);
    const count = () => db().$count(tables.items, eq(tables.items.stageId, stageId));
    expect(await count()).toBe(0);
    // Two at once, as when a worker was thought dead.
    await Promise.all([
      runEvaluation(context(), { evaluationId: id }),
      runEvaluation(context(), { evaluationId: id }),
    ]);
    expect(await count()).toBe(8);
    for (const worker of workers) await work(worker, stageId, 20);
    // Whoever handed in has it go on: one job waits, however many handed in.
    const jobs = await db()
      .select({ id: tables.jobs.id })
      .from(tables.jobs)
      .where(and(eq(tables.jobs.projectId, projectId), eq(tables.jobs.kind, 'ask-oracle')));
    expect(jobs).toHaveLength(1);
    await Promise.all([
      resumeEvaluation(context(), { evaluationId: id }),
      resumeEvaluation(context(), { evaluationId: id }),
    ]);
    await resumeEvaluation(context(), { evaluationId: id });
    expect(await count()).toBe(12);
    expect((await read(id)).state).toBe('waiting');
    expect(await loadCrowdProgress(db(), id)).toMatchObject({ questions: 12, open: 4 });
  });

  it('stops asking, and the same evaluation begun again asks only what nobody answered', async () => {
    const { projectId, stageId, curator, workers, start, read } = await studio('stopped-asking');
    const { id } = await start();
    await runEvaluation(context(), { evaluationId: id });
    for (const worker of workers) await work(worker, stageId, 20);
    await resumeEvaluation(context(), { evaluationId: id });
    expect(await stopCrowdQuestions(db(), curator, { projectId, evaluationId: id })).toEqual({
      withdrawn: 4,
    });
    expect((await read(id)).state).toBe('cancelled');
    expect(await work(workers[0] as UserActor, stageId, 20)).toBe(0);
    await resumeEvaluation(context(), { evaluationId: id });
    expect((await read(id)).state).toBe('cancelled');
    await expect(stopCrowdQuestions(db(), curator, { projectId, evaluationId: id })).rejects.toThrow(
      /does not wait/,
    );
    const second = await start();
    await runEvaluation(context(), { evaluationId: second.id });
    // The first two rounds are answered; the third was asked before and is asked again.
    expect(await loadCrowdProgress(db(), second.id)).toMatchObject({ questions: 12, open: 4, answers: 24 });
    expect(await db().$count(tables.items, eq(tables.items.stageId, stageId))).toBe(12);
  });
});

describe('the crowd as oracle', () => {
  it('is stopped while somebody is answering and begun again, and what they are at is asked and counts', async () => {
    const { projectId, stageId, curator, workers, start, read } = await studio('stopped-meanwhile');
    const [wanda, ...others] = workers as [UserActor, ...UserActor[]];
    const { id } = await start();
    await runEvaluation(context(), { evaluationId: id });
    await takeBatch(db(), wanda, { stageId });
    expect(await stopCrowdQuestions(db(), curator, { projectId, evaluationId: id })).toEqual({
      withdrawn: 8,
    });
    const second = await start();
    await runEvaluation(context(), { evaluationId: second.id });
    expect(await loadCrowdProgress(db(), second.id)).toMatchObject({ questions: 8, open: 8 });
    for (const worker of [wanda, ...others]) expect(await work(worker, stageId, 20)).toBe(8);
    await resumeEvaluation(context(), { evaluationId: second.id });
    expect((await read(second.id)).state).toBe('waiting');
    expect(await loadCrowdProgress(db(), second.id)).toMatchObject({ questions: 12, open: 4, answers: 24 });
  });

  it('is named by who may spend money, in its own suite, and not beside models', async () => {
    const { projectId, model, stageId, curator, start } = await studio('crowd-refused');
    const researcher = await person(db(), 'Rita');
    await join(db(), researcher, projectId, 'researcher');
    await expect(start(researcher)).rejects.toMatchObject({ kind: 'not-found' });
    const given = { model, version: '1', split: 'train', crowd: stageId };
    const refused = (more: object) =>
      startEvaluation(db(), curator, { projectId, evaluation: NewEvaluation.parse({ ...given, ...more }) });
    await expect(refused({ suite: 'noise' })).rejects.toThrow(/Choose that suite/);
    await db().update(tables.stages).set({ state: 'closed' }).where(eq(tables.stages.id, stageId));
    await expect(refused({ suite: 'fmr' })).rejects.toThrow(/"What is it" is closed/);
    const [other] = await db()
      .select()
      .from(tables.stages)
      .where(and(eq(tables.stages.projectId, projectId), eq(tables.stages.kind, 'part-mask')));
    await expect(refused({ suite: 'fmr', crowd: other?.id })).rejects.toMatchObject({ kind: 'not-found' });
    const stage = { name: 'Even', people: 4, batch: 10, payMicro: 0 };
    await expect(createOracleStage(db(), curator, { projectId, stage })).rejects.toThrow(/an odd number/);
  });
});
