import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { getBatch, submitAnswer, submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { listQueue } from '@/lib/services/curation/audit/queue';
import { rateLabels } from '@/lib/services/curation/audit/rate-labels';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { findVersion, openVersion } from '@/lib/services/datasets/versions/open-version';
import { planAnswerRequest, requestAnswers } from '@/lib/services/evaluations/request-answers';
import { createTag, freezeSelection, sliceSelection } from '@/lib/services/evaluations/selection';
import { readImages } from '@/lib/services/images/list-images';
import { deleteSlice, listSlices } from '@/lib/services/images/slices';
import { putBlob, storage } from '@/lib/services/storage';
import { freeze } from '@/workers/jobs/datasets';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';
import { join, person, tests } from '../access/people';
import { agree } from '../crowd/workshop';
import { jobIn } from '../curation/audit/rated';

useHome();
const db = useDatabase();

/** An evaluation of labelled images in which the model took two of three for something else. */
async function gallery(slug: string) {
  const { projectId } = await labelledProject(db(), {
    preset: 'part-imagenet',
    slug,
    count: 6,
    classes: ['Aeroplane', 'Bird'],
  });
  await db()
    .update(tables.projects)
    .set({
      state: 'collecting',
      policy: {
        maskExam: { isRequired: false },
        checkRate: 0,
        maxOverlap: 2,
        payReview: { minFormSeconds: 0, minMaskSeconds: 0, constantAnswers: null },
      },
    })
    .where(eq(tables.projects.id, projectId));
  const { versionId } = await freezeVersion(patiently(db()), tests, {
    projectId,
    request: FreezeRequest.parse({}),
  });
  const blob = await putBlob(db(), storage(), Buffer.from(slug), { mediaType: 'application/octet-stream' });
  const [modelId, evaluationId] = [newId(), newId()];
  await db()
    .insert(tables.models)
    .values({ id: modelId, projectId, name: 'M', blob: blob.sha256, contract: {} });
  await db()
    .insert(tables.evaluations)
    .values({ id: evaluationId, projectId, versionId, modelId, suite: 'noise', options: {} });
  const images = await db()
    .select({ id: tables.images.id, className: tables.images.className })
    .from(tables.images)
    .where(eq(tables.images.projectId, projectId))
    .orderBy(tables.images.id);
  await db()
    .insert(tables.evaluationImages)
    .values(
      images.map(({ id, className }, i) => ({
        evaluationId,
        imageId: id,
        className: className ?? '',
        predicted: i % 3 === 0 ? (className ?? '') : 'Boat',
        isRight: i % 3 === 0,
      })),
    );
  const [stage] = await db()
    .select()
    .from(tables.stages)
    .where(and(eq(tables.stages.projectId, projectId), eq(tables.stages.kind, 'part-mask')));
  const [curator, researcher] = [await person(db(), 'Cora'), await person(db(), 'Rita')];
  await join(db(), curator, projectId, 'curator');
  await join(db(), researcher, projectId, 'researcher');
  const ids = images.map(({ id }) => id);
  const selected = (selection: { images: string[] } | { filter: { right?: 'yes' | 'no' } }) => ({
    projectId,
    evaluationId,
    selection,
  });
  return { projectId, evaluationId, ids, stageId: stage?.id as string, curator, researcher, selected };
}

/** Answers one batch with "nothing to label". */
async function work(actor: UserActor, stageId: string): Promise<number> {
  const taken = await takeBatch(db(), actor, { stageId });
  if (!taken) return 0;
  const batch = await getBatch(db(), actor, { batchId: taken.id });
  for (const { leaseId } of batch.items)
    await submitAnswer(db(), actor, {
      leaseId,
      answerId: newId(),
      value: { kind: 'nothing' },
      activeMs: 900,
    });
  await submitBatch(db(), actor, { batchId: taken.id });
  return batch.items.length;
}

describe('a researcher picks images that the model got wrong', () => {
  it('makes a slice of all that match, finds it among the images and in the queue, and deletes it', async () => {
    const { projectId, ids, researcher, selected } = await gallery('sliced');
    const wrong = ids.filter((_, i) => i % 3 !== 0);
    const slice = await sliceSelection(db(), researcher, {
      ...selected({ filter: { right: 'no' } }),
      name: 'Taken for boats',
    });
    expect(slice.images).toBe(wrong.length);
    const found = await readImages(db(), { projectId, slice: slice.id, limit: 100 });
    expect(found.images.map(({ id }) => id).sort()).toEqual([...wrong].sort());
    await rateLabels({ ...jobIn(db()), storage: storage() }, { projectId, all: false });
    const { rows } = await listQueue(db(), { projectId, sliceId: slice.id, limit: 500 });
    const ofOne = await listQueue(db(), { projectId, imageId: wrong[0], limit: 500 });
    expect(rows.length).toBeGreaterThan(ofOne.rows.length);
    expect(ofOne.rows.length).toBeGreaterThan(0);
    await expect(
      sliceSelection(db(), researcher, { ...selected({ images: wrong }), name: 'Taken for boats' }),
    ).rejects.toThrow(/slice called "Taken for boats" already/);
    await expect(
      sliceSelection(db(), researcher, { ...selected({ images: [newId()] }), name: 'Strangers' }),
    ).rejects.toThrow(/No images selected/);
    expect((await listSlices(db(), { projectId })).map(({ name, images }) => [name, images])).toEqual([
      ['Taken for boats', wrong.length],
    ]);
    await deleteSlice(db(), researcher, { projectId, sliceId: slice.id });
    expect(await listSlices(db(), { projectId })).toEqual([]);
  });

  it('freezes them as an evaluation set: exactly these, all in test, with a tag', async () => {
    const { projectId, ids, researcher, selected } = await gallery('set');
    const wanted = ids.slice(0, 3);
    const set = await freezeSelection(db(), researcher, {
      ...selected({ images: wanted }),
      name: 'Hard ones, Nov.',
    });
    const [queued] = await db().select().from(tables.jobs).where(eq(tables.jobs.id, set.jobId));
    expect(queued?.kind).toBe(freeze.kind);
    await freeze.run(
      { ...jobIn(db()), storage: storage() },
      freeze.input.parse({
        projectId,
        author: { kind: 'system', name: 'tests' },
        tag: set.tag,
        request: FreezeRequest.parse({
          filter: { slice: set.sliceId },
          split: { kind: 'stratified', shares: { test: 1 } },
        }),
      }),
    );
    expect(set.tag).toBe('evaluation-set-hard-ones-nov');
    const version = await findVersion(db(), { projectId, version: set.tag });
    expect(version.imageCount).toBe(3);
    const splits: string[] = [];
    for await (const { split } of (await openVersion(db(), storage(), version)).images()) splits.push(split);
    expect(splits).toEqual(['test', 'test', 'test']);
  });

  it('cannot send them to annotators: that spends money, and is the curator’s', async () => {
    const { ids, stageId, researcher, selected } = await gallery('refused-send');
    const asking = { ...selected({ images: ids }), stageId, answers: 1 };
    await expect(requestAnswers(db(), researcher, asking)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(planAnswerRequest(db(), researcher, asking)).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describe('a curator sends images of an evaluation to annotators', () => {
  it('knows the price, asks only about these, once, and labels stay until the answers are in', async () => {
    const { projectId, ids, stageId, curator, selected } = await gallery('sent');
    const asked = ids[0] as string;
    const asking = { ...selected({ images: [asked] }), stageId, answers: 2 };
    const current = () =>
      db()
        .select()
        .from(tables.labels)
        .innerJoin(tables.items, eq(tables.items.id, tables.labels.itemId))
        .where(
          and(
            eq(tables.labels.imageId, asked),
            eq(tables.items.stageId, stageId),
            eq(tables.labels.isCurrent, true),
          ),
        );
    const before = await current();
    const plan = await planAnswerRequest(db(), curator, asking);
    expect(plan).toMatchObject({ images: 1, questions: before.length, waiting: 0, gold: 0 });
    expect(plan.costMicro).toBeGreaterThan(0n);
    expect(plan.mostMicro).toBe(plan.costMicro);
    await requestAnswers(db(), curator, asking);
    const again = await requestAnswers(db(), curator, asking);
    // Asked a second time, nothing more is asked.
    expect(again).toMatchObject({ questions: 0, waiting: before.length, costMicro: 0n });
    expect((await current()).map(({ labels }) => labels.id)).toEqual(before.map(({ labels }) => labels.id));
    const people = [await person(db(), 'Will'), await person(db(), 'Wanda'), await person(db(), 'Wes')];
    const done: number[] = [];
    for (const worker of people) {
      await join(db(), worker, projectId, 'worker');
      await agree(db(), worker, projectId);
      done.push(await work(worker, stageId));
    }
    expect(done).toEqual([before.length, before.length, 0]);
    const after = await current();
    expect(after).toHaveLength(before.length);
    expect(after.every(({ labels }) => labels.source === 'consensus')).toBe(true);
    const [paid] = await db()
      .select({ micro: tables.ledger.amountMicro })
      .from(tables.ledger)
      .where(eq(tables.ledger.workerId, (people[0] as UserActor).userId));
    expect(2n * (paid?.micro ?? 0n)).toBe(plan.costMicro);
    const log = await db()
      .select({ verb: tables.auditLog.verb })
      .from(tables.auditLog)
      .where(eq(tables.auditLog.projectId, projectId));
    expect(log.map(({ verb }) => verb)).toContain('stage.ask-anew');
  });
});

describe('the tag of an evaluation set', () => {
  it.each([
    ['Été à la plage', 'evaluation-set-ete-a-la-plage'],
    ['---', /^evaluation-set-[0-9a-f]{8}$/],
    ['x'.repeat(80), `evaluation-set-${'x'.repeat(24)}`],
  ])('of %s is a word that a tag may be', (name, tag) => {
    expect(createTag(name)).toMatch(tag);
  });
});
