import { afterEach, expect, it } from 'vitest';
import { forgetCapabilities } from '@/lib/training/launch/python';
import { getRun } from '@/lib/training/runs/list-runs';
import { superviseRun } from '@/lib/training/runs/supervise-run';
import { useDatabase } from '../support/database';
import { useHome } from '../support/home';
import { jobContext, startShort, trainingProject } from './support/story';

const db = useDatabase();
useHome();

const named = process.env.TESSERA_PYTHON;

afterEach(() => {
  if (named === undefined) delete process.env.TESSERA_PYTHON;
  else process.env.TESSERA_PYTHON = named;
  forgetCapabilities();
});

it('a run on a machine without PyTorch waits, says the command that brings it, and is not lost', async () => {
  process.env.TESSERA_PYTHON = '/nowhere/python';
  forgetCapabilities();
  const projectId = await trainingProject(db(), 'no-python');
  const { id, jobId } = await startShort(db(), projectId);
  const stopping = new AbortController();
  const told: string[] = [];
  const context = {
    ...jobContext(db(), jobId, stopping.signal),
    progress: async (_done: number, _total: number | null, text?: string) => {
      told.push(text ?? '');
      stopping.abort();
    },
  };
  await expect(superviseRun(context, { runId: id })).rejects.toThrow();
  expect(told.at(-1)).toContain('npx tessera trainer install');
  expect((await getRun(db(), { projectId, runId: id })).state).toBe('queued');
});
