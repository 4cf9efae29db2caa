import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, expect, it } from 'vitest';
import { tables } from '@/db';
import type { JobSpec } from '@/lib/core/training-spec';
import { Interrupted } from '@/lib/services/jobs';
import { forgetCapabilities } from '@/lib/services/training/launch/python';
import { getRun } from '@/lib/services/training/runs/list-runs';
import { runFolder } from '@/lib/services/training/runs/prepare-run';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { runRow, versionRow } from './run-rows';
import { jobContext, startShort, trainingProject } from './story';

const db = useDatabase();
const home = useHome();

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

it('a disk too full for a verdict looked like a trainer that was killed, and was tried again and again', async () => {
  const python = path.join(home(), 'python');
  const script = `#!/bin/bash
[ "$1" = -c ] && echo '{"torch": "2.0", "gpus": []}' && exit
echo begun >> "$3/begun"
exit 73
`;
  writeFileSync(python, script, { mode: 0o755 });
  process.env.TESSERA_PYTHON = python;
  forgetCapabilities();
  const projectId = await trainingProject(db(), 'full-disk');
  const { id, jobId } = await startShort(db(), projectId);
  await expect(superviseRun(jobContext(db(), jobId), { runId: id })).rejects.toThrow('Free some space');
  expect((await getRun(db(), { projectId, runId: id })).state).toBe('failed');
  expect(readFileSync(path.join(runFolder(id), 'begun'), 'utf8')).toBe('begun\n');
});

it('a run that asks for a GPU is left to others by a worker that has none, and says so', async () => {
  const python = path.join(home(), 'python');
  writeFileSync(python, `#!/bin/bash\necho '{"torch": "2.0", "gpus": []}'\n`, { mode: 0o755 });
  process.env.TESSERA_PYTHON = python;
  forgetCapabilities();
  const { id, jobId, projectId, spec } = await runRow(db(), await versionRow(db()), { state: 'queued' });
  const { resources } = spec as unknown as JobSpec;
  await db()
    .update(tables.runs)
    .set({ spec: { ...spec, resources: { ...resources, device: 'cuda', gpus: 1 } } })
    .where(eq(tables.runs.id, id));
  const ended = superviseRun(jobContext(db(), jobId), { runId: id });
  await expect(ended).rejects.toThrow(Interrupted);
  await expect(ended).rejects.toThrow('it has no GPU');
  expect((await getRun(db(), { projectId, runId: id })).state).toBe('queued');
});
