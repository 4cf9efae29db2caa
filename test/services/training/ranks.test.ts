import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listEvents } from '@/lib/services/training/runs/keep-events';
import { getRun } from '@/lib/services/training/runs/list-runs';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { checkpointIn, jobContext, startShort, trainingProject } from './story';

const db = useDatabase();
const home = useHome();
let projectId = '';

beforeAll(async () => {
  projectId = await trainingProject(db(), 'ranks');
});

/** Loss by step; of steps told twice the later attempt counts. */
async function lossesOf(runId: string): Promise<Map<number, number>> {
  const told = await listEvents(db(), { runId, kinds: ['metrics'] });
  return new Map(
    told
      .filter(({ document }) => document.split === 'step')
      .map(({ document }) => [document.step as number, document.loss as number]),
  );
}

const slowly = { 'stages.0.epochs': 16, 'stages.0.lr': 0.002, 'train.logEvery': 1 };
const twoRanks = { ...slowly, 'resources.device': 'auto', 'resources.gpus': 2, 'resources.threads': 1 };

describe('a researcher trains with two processes', () => {
  it('learns what one process learns, although one of the two is killed on the way', async () => {
    const alone = await startShort(db(), projectId, { set: slowly });
    await superviseRun(jobContext(db(), alone.jobId), { runId: alone.id });

    const { id, jobId } = await startShort(db(), projectId, { set: twoRanks });
    const running = superviseRun(jobContext(db(), jobId), { runId: id });
    const folder = path.join(home(), 'runs', id);
    await checkpointIn(folder);
    const { pids } = JSON.parse(readFileSync(path.join(folder, 'process.json'), 'utf8'));
    expect(pids).toHaveLength(2);
    process.kill(pids[1], 'SIGKILL');
    await running;

    const run = await getRun(db(), { projectId, runId: id });
    expect(run).toMatchObject({ state: 'done', attempt: 2 });
    const begun = await listEvents(db(), { runId: id, kinds: ['start'] });
    expect(begun.map(({ document }) => [document.world, document.resumed])).toEqual([
      [2, false],
      [2, true],
    ]);
    const [one, two] = [await lossesOf(alone.id), await lossesOf(id)];
    expect([...two.keys()].toSorted((a, b) => a - b)).toEqual([...one.keys()]);
    // Rounding alone: of it batch norm makes more where a channel of a flat picture hardly varies, in one process as well.
    for (const step of [1, 2]) expect(two.get(step), `step ${step}`).toBeCloseTo(one.get(step) ?? 0, 4);
    const mean = (losses: Map<number, number>) => [...losses.values()].reduce((a, b) => a + b) / losses.size;
    expect(Math.abs(mean(two) - mean(one))).toBeLessThan(0.1);
  });
});
