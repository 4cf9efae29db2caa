import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { area, decodeCounts } from '@/lib/core/mask';
import type { UserActor } from '@/lib/services/access';
import { buildConsensus } from '@/lib/services/curation/consensus/build-consensus';
import { listRuns } from '@/lib/services/curation/consensus/list-runs';
import { previewRun } from '@/lib/services/curation/consensus/preview';
import { JOB, resumeRun, startRun, startTakingBack } from '@/lib/services/curation/consensus/start-run';
import { takeBack } from '@/lib/services/curation/consensus/take-back';
import { cancelJob } from '@/lib/services/jobs';
import { jobHandlers } from '@/workers/jobs';
import { useDatabase } from '../../../support/database';
import { tests } from '../../access/people';
import { HEIGHT, marked, WIDTH, type Workshop, worker, workshop } from '../../crowd/workshop';
import { declare, until, withWorker } from '../../jobs/worker';
import { box, currentLabel, type Said, several } from './several';

const db = useDatabase();

beforeAll(() => declare(db(), [JOB, 'rate-labels']));

let shop: Workshop;
let [ann, bo, cy]: UserActor[] = [];

async function opened() {
  shop = await workshop(db());
  [ann, bo, cy] = await Promise.all(['Ann', 'Bo', 'Cy'].map((name) => worker(db(), shop, name)));
}

const by = (who: UserActor | undefined, value: Said['value'], isSetAside = false): Said => ({
  by: who as UserActor,
  value,
  isSetAside,
});

const quiet = () => ({ db: db(), signal: new AbortController().signal, progress: async () => {} });

/** Starts a run and does the work of its job here. */
async function built(stage: keyof Workshop['stages'], method: string) {
  const { id, jobId } = await startRun(db(), tests, {
    projectId: shop.projectId,
    stageId: shop.stages[stage],
    method,
  });
  await cancelJob(db(), jobId);
  return { id, tally: await buildConsensus(quiet(), { runId: id }) };
}

const undone = async (runId: string) => {
  const { jobId } = await startTakingBack(db(), tests, { projectId: shop.projectId, runId });
  await cancelJob(db(), jobId);
  return takeBack(quiet(), { runId });
};

describe('a curator builds a consensus of forms', () => {
  it('outvotes the one who erred, and names method, answers and the label before', async () => {
    await opened();
    const wrong = await several(db(), shop, 'attributes', [
      by(ann, marked(shop, 'wings')),
      by(bo, marked(shop, 'tail')),
      by(cy, marked(shop, 'tail')),
    ]);
    const { id, tally } = await built('attributes', 'majority');
    expect(tally).toMatchObject({ items: 1, made: 1, changed: 1, ties: 0 });
    const label = await currentLabel(db(), wrong.itemId);
    expect(label?.value).toEqual(marked(shop, 'tail'));
    expect(label).toMatchObject({ source: 'consensus', isCurrent: true });
    expect(label?.confidence).toBeCloseTo(2 / 3);
    expect(label?.provenance).toMatchObject({ run: id, method: 'majority', replaces: wrong.labelId });
    expect(new Set(label?.provenance.answers as string[])).toEqual(new Set(wrong.answerIds));
  });

  it('never touches what a person corrected, and does not count answers that were set aside', async () => {
    await opened();
    const corrected = await several(
      db(),
      shop,
      'attributes',
      [by(ann, marked(shop, 'wings')), by(bo, marked(shop, 'tail')), by(cy, marked(shop, 'tail'))],
      { source: 'correction' },
    );
    const doubted = await several(db(), shop, 'attributes', [
      by(ann, marked(shop, 'wings')),
      by(bo, marked(shop, 'wings')),
      by(cy, marked(shop, 'tail'), true),
    ]);
    const { tally } = await built('attributes', 'one-coin-dawid-skene');
    expect(tally).toMatchObject({ items: 2, made: 1, changed: 0, kept: 1 });
    expect((await currentLabel(db(), corrected.itemId))?.id).toBe(corrected.labelId);
    const label = await currentLabel(db(), doubted.itemId);
    expect(label?.provenance.answers).toHaveLength(2);
  });

  it('leaves a question without a winner as it is, and says so', async () => {
    await opened();
    const split = await several(db(), shop, 'attributes', [
      by(ann, marked(shop, 'wings')),
      by(bo, marked(shop, 'tail')),
    ]);
    const { tally } = await built('attributes', 'majority');
    expect(tally).toMatchObject({ made: 1, changed: 0, ties: 2 });
    expect((await currentLabel(db(), split.itemId))?.value).toEqual(marked(shop, 'wings'));
  });

  it('shows beforehand on a sample what would change', async () => {
    await opened();
    for (let n = 0; n < 4; n++) {
      await several(db(), shop, 'attributes', [
        by(ann, marked(shop, n < 1 ? 'wings' : 'tail')),
        by(bo, marked(shop, 'tail')),
        by(cy, marked(shop, 'tail')),
      ]);
    }
    const preview = await previewRun(db(), {
      projectId: shop.projectId,
      stageId: shop.stages.attributes,
      stageKind: 'attributes',
      method: 'dawid-skene',
      seed: 'a',
    });
    expect(preview).toMatchObject({ population: 4, sampled: 4, merged: 4, changed: { value: 0.25, n: 4 } });
    expect(preview.targets).toEqual([
      { id: 'tail', added: 1, removed: 0 },
      { id: 'wings', added: 0, removed: 1 },
    ]);
    expect(await listRuns(db(), shop.projectId)).toEqual([]);
  });
});

describe('a curator builds a consensus of masks', () => {
  it('settles whether there is something first, then where it is', async () => {
    await opened();
    const nothing: Said['value'] = { kind: 'nothing' };
    const drawn = await several(db(), shop, 'part-mask', [
      by(ann, box(30, 10, 20, 20)),
      by(bo, box(10, 10, 20, 20)),
      by(cy, box(12, 10, 20, 20)),
    ]);
    const denied = await several(db(), shop, 'part-mask', [
      by(ann, box(5, 5, 9, 9)),
      by(bo, nothing),
      by(cy, nothing),
    ]);
    const seen = await several(db(), shop, 'part-mask', [
      by(ann, nothing),
      by(bo, box(5, 5, 9, 9)),
      by(cy, box(5, 5, 9, 9)),
    ]);
    const { id, tally } = await built('part-mask', 'pixel-majority');
    expect(tally).toMatchObject({ made: 3, changed: 3, appeared: 1, vanished: 1 });
    const label = await currentLabel(db(), drawn.itemId);
    // Where at least two of the three drew: x from 12 to 32 but for what only one has.
    expect(label?.area).toBe(area(decodeCounts(label?.mask as string, HEIGHT, WIDTH)));
    expect(label?.area).toBe(20 * 20);
    expect((await currentLabel(db(), denied.itemId))?.value).toEqual(nothing);
    expect((await currentLabel(db(), seen.itemId))?.area).toBe(81);
    await undone(id);
    for (const each of [drawn, denied, seen])
      expect((await currentLabel(db(), each.itemId))?.id).toBe(each.labelId);
  });
});

describe('a run', () => {
  it('is taken back twice with the same outcome, and a correction made since stays', async () => {
    await opened();
    const said = () => [
      by(ann, marked(shop, 'wings')),
      by(bo, marked(shop, 'tail')),
      by(cy, marked(shop, 'tail')),
    ];
    const [first, second] = [
      await several(db(), shop, 'attributes', said()),
      await several(db(), shop, 'attributes', said()),
    ];
    const { id } = await built('attributes', 'majority');
    const made = await currentLabel(db(), second.itemId);
    await db()
      .update(tables.labels)
      .set({ isCurrent: false })
      .where(eq(tables.labels.id, made?.id as string));
    await db()
      .insert(tables.labels)
      .values({
        ...(made as typeof tables.labels.$inferInsert),
        id: undefined,
        source: 'correction',
        provenance: {},
      });
    expect(await undone(id)).toMatchObject({ made: 2, restored: 1 });
    expect((await currentLabel(db(), first.itemId))?.id).toBe(first.labelId);
    expect((await currentLabel(db(), second.itemId))?.source).toBe('correction');
    expect(await takeBack(quiet(), { runId: id })).toMatchObject({ restored: 1 });
    await expect(startTakingBack(db(), tests, { projectId: shop.projectId, runId: id })).rejects.toThrow(
      'taken back already',
    );
    // Everything that ever was a label is still there.
    const history = await db()
      .select()
      .from(tables.labels)
      .where(eq(tables.labels.projectId, shop.projectId));
    expect(history).toHaveLength(5);
  });

  it('is carried on with after its worker stopped, and no label is made twice', async () => {
    await opened();
    for (let n = 0; n < 5; n++)
      await several(db(), shop, 'attributes', [
        by(ann, marked(shop, 'wings')),
        by(bo, marked(shop, 'wings')),
      ]);
    const { id, jobId } = await startRun(db(), tests, {
      projectId: shop.projectId,
      stageId: shop.stages.attributes,
      method: 'majority',
    });
    await expect(
      startRun(db(), tests, {
        projectId: shop.projectId,
        stageId: shop.stages.attributes,
        method: 'majority',
      }),
    ).rejects.toThrow('at work');
    await cancelJob(db(), jobId);
    const stop = new AbortController();
    const killed = { ...quiet(), signal: stop.signal, progress: async () => stop.abort() };
    await expect(buildConsensus(killed, { runId: id, chunk: 2 })).rejects.toThrow();
    expect((await listRuns(db(), shop.projectId))[0]).toMatchObject({
      state: 'building',
      tally: { made: 2 },
    });
    await resumeRun(db(), tests, { projectId: shop.projectId, runId: id });
    // Two workers were given the job: the one that comes later finds its part done.
    await Promise.all([1, 2].map(() => buildConsensus(quiet(), { runId: id, chunk: 2 })));
    expect((await listRuns(db(), shop.projectId))[0]).toMatchObject({
      state: 'applied',
      tally: { items: 5, made: 5 },
    });
    const labels = await db().select().from(tables.labels).where(eq(tables.labels.projectId, shop.projectId));
    expect(labels.filter(({ source }) => source === 'consensus')).toHaveLength(5);
    expect(labels.filter(({ isCurrent }) => isCurrent)).toHaveLength(5);
  });

  it('cannot be taken back while a newer one lies above it', async () => {
    await opened();
    await several(db(), shop, 'attributes', [by(ann, marked(shop, 'wings')), by(bo, marked(shop, 'wings'))]);
    const older = await built('attributes', 'majority');
    const newer = await built('attributes', 'dawid-skene');
    await expect(
      startTakingBack(db(), tests, { projectId: shop.projectId, runId: older.id }),
    ).rejects.toThrow('take that back first');
    await undone(newer.id);
    await undone(older.id);
    expect((await listRuns(db(), shop.projectId)).map((run) => run.state)).toEqual([
      'taken-back',
      'taken-back',
    ]);
  });

  it('is a job like any other: a worker does it, with progress and outcome', async () => {
    await opened();
    await several(db(), shop, 'attributes', [by(ann, marked(shop, 'wings')), by(bo, marked(shop, 'wings'))]);
    const handlers = jobHandlers.filter(({ kind }) => kind === JOB);
    await withWorker(db(), handlers, async () => {
      const { jobId } = await startRun(db(), tests, {
        projectId: shop.projectId,
        stageId: shop.stages.attributes,
        method: 'mace',
      });
      expect(await until(db(), jobId, 'done')).toMatchObject({ done: 1, total: 1, result: { made: 1 } });
    });
    const [run] = await listRuns(db(), shop.projectId);
    expect(run).toMatchObject({ state: 'applied', method: 'mace' });
  });

  it('is refused where nothing can be merged, and for a method of another kind of stage', async () => {
    await opened();
    const start = (method: string) =>
      startRun(db(), tests, { projectId: shop.projectId, stageId: shop.stages.attributes, method });
    await expect(start('majority')).rejects.toThrow('nothing to merge');
    await expect(start('staple')).rejects.toThrow('does not merge answers of this stage');
  });
});
