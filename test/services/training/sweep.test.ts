import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { putBlob, storage } from '@/lib/services/storage';
import { compareRuns } from '@/lib/services/training/report/compare-runs';
import { listRuns } from '@/lib/services/training/runs/list-runs';
import { NewRun, planStudy, startRuns } from '@/lib/services/training/runs/start-run';
import { Sweep, trialsOf, withinBudget } from '@/lib/services/training/sweep';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { insertProject } from '../../support/rows';

const db = useDatabase();
useHome();
const actor = systemActor('Test');
let projectId = '';

beforeAll(async () => {
  const project = await insertProject(db());
  projectId = project.projectId;
  const manifest = await putBlob(db(), storage(), Buffer.from('{}'), { mediaType: 'application/json' });
  await db()
    .insert(tables.versions)
    .values({
      id: newId(),
      projectId,
      number: 1,
      hash: manifest.sha256,
      manifest: manifest.sha256,
      schemaVersionId: project.schemaVersionId,
      imageCount: 0,
      labelCount: 0,
      card: { counts: { bySplit: { train: 600, val: 60, test: 60 } } },
    });
});

const start = (given: object) =>
  startRuns(db(), actor, { projectId, run: NewRun.parse({ version: '1', ...given }) });

const share = (correct: number, n: number) => ({ n, correct, accuracy: correct / n, low: 0, high: 1 });

/** As the trainer's verdict says it. */
async function finish(runId: string, validated: number, tested: number) {
  const metrics = {
    selected: { clean: share(validated, 20) },
    tests: [{ attack: 'none', ...share(tested, 20) }],
  };
  await db()
    .update(tables.runs)
    .set({ state: 'done', result: { state: 'succeeded', artifacts: [], metrics } })
    .where(eq(tables.runs.id, runId));
}

describe('a sweep within a budget', () => {
  const values = fc.uniqueArray(fc.double({ min: 0.001, max: 1, noNaN: true }), {
    minLength: 1,
    maxLength: 4,
  });
  const sweeps = fc.record({ lr: values, weightDecay: values, cSeg: values }, { requiredKeys: [] });

  it('never plans more than the budget, never drops what fits, and draws the same again', () => {
    fc.assert(
      fc.property(
        sweeps,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 100 }),
        (sweep, seeds, runs, minutes) => {
          const all = trialsOf(sweep);
          const asked = { budget: { runs, minutes }, seeds, seconds: 90 };
          const { trials, left } = withinBudget(sweep, asked);
          expect(trials.length + left).toBe(all.length);
          const planned = trials.length * seeds;
          expect(planned).toBeLessThanOrEqual(Math.min(runs, (minutes * 60) / 90));
          if (left > 0) expect(planned + seeds).toBeGreaterThan(Math.min(runs, (minutes * 60) / 90));
          expect(all).toEqual(expect.arrayContaining(trials));
          expect(withinBudget(sweep, asked).trials).toEqual(trials);
        },
      ),
    );
  });

  it('is refused with more combinations than anybody trains', () => {
    const many = Array.from({ length: 20 }, (_, at) => (at + 1) / 100);
    expect(Sweep.safeParse({ lr: many, weightDecay: many }).success).toBe(true);
    expect(Sweep.safeParse({ lr: many, weightDecay: many, cSeg: [0.1, 0.2] }).success).toBe(false);
  });
});

it('a researcher tries two learning rates with two seeds and sees which is better, by validation', async () => {
  const started = await start({ seeds: [0, 1], sweep: { lr: [0.01, 0.05], cSeg: [0.3] }, method: 'pgd' });
  expect(started.map(({ name }) => name)).toEqual([
    'downsampled, pgd, tiny-64, lr 0.01, c_seg 0.3, seed 0',
    'downsampled, pgd, tiny-64, lr 0.01, c_seg 0.3, seed 1',
    'downsampled, pgd, tiny-64, lr 0.05, c_seg 0.3, seed 0',
    'downsampled, pgd, tiny-64, lr 0.05, c_seg 0.3, seed 1',
  ]);
  const runs = (await listRuns(db(), { projectId })).toReversed();
  expect(new Set(runs.map(({ study }) => study)).size).toBe(1);
  // A learning rate is that of every stage.
  expect(runs.map(({ spec }) => spec.stages.map(({ lr }) => lr))).toEqual([
    [0.01, 0.01],
    [0.01, 0.01],
    [0.05, 0.05],
    [0.05, 0.05],
  ]);
  // The one that is better on validation images is worse in the test: it is the best all the same.
  const outcomes = [
    [15, 10],
    [17, 10],
    [12, 16],
  ] as const;
  for (const [at, [validated, tested]] of outcomes.entries())
    await finish(runs[at]?.id ?? '', validated, tested);
  const { studies } = await compareRuns(db(), { projectId });
  expect(studies).toHaveLength(1);
  expect(studies[0]).toMatchObject({ finished: 3, runs: 4 });
  // 0.05 is the preset's own value: it was tried all the same.
  expect(studies[0]?.rows.map(({ tried, isBest }) => [tried, isBest])).toEqual([
    [{ lr: '0.01' }, true],
    [{ lr: '0.05' }, false],
  ]);
  expect(studies[0]?.rows[0]?.validation).toMatchObject({ value: 0.8, seeds: 2 });
});

it('a preset of the paper is refused where no GPU is, with the days it takes, and begins on processors when that is confirmed', async () => {
  const paper = { preset: 'paper-downsampled', method: 'pgd', seeds: [3] };
  const before = (await listRuns(db(), { projectId })).length;
  await expect(start(paper)).rejects.toThrow(
    /made for 4 GPUs, and no machine of this instance has one\. On processors it takes about \d+ days\. Confirm that, or choose tiny-64, small-64, or r18-64\./,
  );
  expect(await listRuns(db(), { projectId })).toHaveLength(before);
  await start({ ...paper, confirmed: true });
  const gpus = [{ name: 'A100', memoryGb: 40 }];
  await db().insert(tables.trainers).values({ name: 'gpu-1', kind: 'local', capabilities: { gpus } });
  await start(paper);
  await expect(start({ ...paper, launcher: 'remote' })).rejects.toThrow('no machine elsewhere has one');
  const [withGpu, without] = await listRuns(db(), { projectId });
  expect(withGpu?.spec.resources).toMatchObject({ device: 'cuda', gpus: 4 });
  expect(without?.spec.resources).toMatchObject({ device: 'auto', gpus: 0 });
});

it('a budget in minutes cuts by the estimate, and one that is too small is told before anything starts', async () => {
  const version = { card: { counts: { bySplit: { train: 600, val: 60, test: 60 } } } };
  const run = { version: '1', seeds: [0, 1], sweep: { weightDecay: [0, 1e-4, 5e-4] } };
  const whole = await planStudy(db(), version, NewRun.parse(run));
  expect(whole).toMatchObject({ trials: 3, left: 0 });
  const minutes = (whole.time.seconds * 2 * 2.5) / 60;
  const cut = await planStudy(db(), version, NewRun.parse({ ...run, budget: { minutes } }));
  expect(cut).toMatchObject({ trials: 2, left: 1 });
  const before = (await listRuns(db(), { projectId })).length;
  await expect(start({ ...run, budget: { runs: 1 } })).rejects.toThrow('give it more runs');
  await expect(start({ ...run, sweep: { beta: [0.1] } })).rejects.toThrow(
    'There is no setting "stages.0.beta"',
  );
  expect(await listRuns(db(), { projectId })).toHaveLength(before);
});
