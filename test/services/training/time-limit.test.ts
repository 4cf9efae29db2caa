import { beforeAll, describe, expect, it } from 'vitest';
import { listEvents } from '@/lib/services/training/runs/keep-events';
import { getRun } from '@/lib/services/training/runs/list-runs';
import { resumeRun } from '@/lib/services/training/runs/resume-run';
import { RunClock } from '@/lib/services/training/runs/run-clock';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { cancelJob, jobContext, rita, startShort, trainingProject, waitForEvent } from './story';

const db = useDatabase();
useHome();
let projectId = '';

beforeAll(async () => {
  projectId = await trainingProject(db(), 'time-limit');
});

describe('a run that was given so many minutes', () => {
  it('stops with a checkpoint when they are over, and goes on when it is given more', async () => {
    const { id, jobId } = await startShort(db(), projectId, {
      set: { 'stages.0.epochs': 1000, 'resources.wallMinutes': 0.02 },
    });
    const ended = await superviseRun(jobContext(db(), jobId), { runId: id }).catch(String);
    expect(ended).toContain('0.02 min');
    const run = await getRun(db(), { projectId, runId: id });
    expect(run).toMatchObject({ state: 'failed', result: { error: { type: 'out-of-time' } } });
    expect((await waitForEvent(db(), id, 'checkpoint')).document.step).toBeGreaterThan(0);

    await expect(resumeRun(db(), rita, { projectId, runId: id })).rejects.toThrow('Resume it with more time');
    const told = await listEvents(db(), { runId: id });
    const again = await resumeRun(db(), rita, { projectId, runId: id, wallMinutes: 60 });
    const stopping = new AbortController();
    const going = superviseRun(jobContext(db(), again.jobId, stopping.signal), { runId: id }).catch(String);
    const begun = await waitForEvent(db(), id, 'start', told.length);
    expect(begun.document).toMatchObject({ attempt: 2, resumed: true });
    await cancelJob(db(), again.jobId);
    stopping.abort();
    expect(await going).toContain('cancelled');
  });

  it('is not charged for the time it waited, nor for an attempt that was killed long ago', async () => {
    const { id } = await startShort(db(), projectId);
    const at = (seconds: number, attempt: number, kind: string, seq: number) => ({
      seq,
      kind,
      attempt,
      t: seconds,
    });
    const clock = await RunClock.open(db(), id);
    clock.addEvents([at(100, 1, 'start', 1), at(160, 1, 'checkpoint', 2), at(190, 1, 'metrics', 3)]);
    // Killed: half a minute is lost, and the next begins a day later.
    clock.addEvents([at(90_000, 2, 'start', 4), at(90_010, 2, 'metrics', 5)]);
    expect(clock.spentMs(90_030_000)).toBe(60_000 + 30_000);
    clock.addEvents([at(90_040, 2, 'end', 6)]);
    expect(clock.spentMs(99_999_000)).toBe(60_000 + 40_000);
  });
});
