import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { slurmLauncher } from '@/lib/services/training/launch/slurm';
import { listEvents } from '@/lib/services/training/runs/keep-events';
import { getRun } from '@/lib/services/training/runs/list-runs';
import { resumeRun } from '@/lib/services/training/runs/resume-run';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import {
  cancelJob,
  checkpointIn,
  jobContext,
  modelOf,
  rita,
  startShort,
  trainingProject,
  waitForEvent,
} from './story';

const db = useDatabase();
const home = useHome();
let projectId = '';
let jobs = '';

// Commands with the names of Slurm's run what they are given on this machine: nothing else of Slurm is needed.
beforeAll(async () => {
  jobs = path.join(home(), 'jobs');
  mkdirSync(jobs);
  process.env.SLURM_FAKE_STATE = jobs;
  process.env.TESSERA_SLURM = 'train';
  process.env.TESSERA_SLURM_OPTIONS = '--account=lab';
  process.env.PATH = `${path.join(import.meta.dirname, 'fake-slurm')}${path.delimiter}${process.env.PATH}`;
  // A name that a careless shell would read as commands.
  process.env.TESSERA_HOME = path.join(home(), `it's 100 % $(touch x) "of" a home`);
  mkdirSync(process.env.TESSERA_HOME);
  projectId = await trainingProject(db(), 'by-slurm');
});

const folderOf = (runId: string) => path.join(process.env.TESSERA_HOME as string, 'runs', runId);

describe('a researcher trains by Slurm', () => {
  it('gets the bytes of a run on this machine, although Slurm interrupts it and the worker is stopped', async () => {
    const set = { 'stages.0.epochs': 16 };
    const here = await startShort(db(), projectId, { set });
    await superviseRun(jobContext(db(), here.jobId), { runId: here.id });

    const { id, jobId } = await startShort(db(), projectId, { launcher: 'slurm', set });
    const stopping = new AbortController();
    const first = superviseRun(jobContext(db(), jobId, stopping.signal), { runId: id }).catch(String);
    await checkpointIn(folderOf(id));
    slurmTerm(id);
    stopping.abort();
    await first;
    expect((await slurmLauncher.status({ name: folderOf(id) })).state).not.toBe('gone');

    await superviseRun(jobContext(db(), jobId), { runId: id });
    const run = await getRun(db(), { projectId, runId: id });
    expect(run).toMatchObject({ state: 'done', launcher: 'slurm', trainer: 'Slurm', attempt: 2 });
    const begun = await listEvents(db(), { runId: id, kinds: ['start'] });
    expect(begun.map(({ document }) => document.attempt)).toEqual([1, 2]);
    expect(await modelOf(db(), projectId, id)).toBe(await modelOf(db(), projectId, here.id));
    expect(readdirSync(jobs)).toEqual(['1']);
  });

  it('hands Slurm the options of the site, and none of the secrets of the worker', async () => {
    const options = readFileSync(path.join(jobs, '1', 'options'), 'utf8');
    expect(options.split('\n')).toEqual(
      expect.arrayContaining(['--partition=train', '--account=lab', '--requeue', '--cpus-per-task=2']),
    );
    const environment = readFileSync(path.join(jobs, '1', 'environment'), 'utf8');
    expect(environment).not.toMatch(/DATABASE_URL|TESSERA_SECRET/);
    expect(existsSync(path.join(process.cwd(), 'x'))).toBe(false);
  });

  it('cancels it with a checkpoint, after which Slurm does not begin it anew, and goes on here', async () => {
    const { id, jobId } = await startShort(db(), projectId, {
      launcher: 'slurm',
      set: { 'stages.0.epochs': 200 },
    });
    const stopping = new AbortController();
    const running = superviseRun(jobContext(db(), jobId, stopping.signal), { runId: id }).catch(String);
    await waitForEvent(db(), id, 'checkpoint');
    await cancelJob(db(), jobId);
    stopping.abort();
    expect(await running).toContain('cancelled');
    expect((await getRun(db(), { projectId, runId: id })).state).toBe('cancelled');
    expect((await slurmLauncher.status({ name: folderOf(id) })).state).toBe('gone');

    const before = await listEvents(db(), { runId: id });
    const again = await resumeRun(db(), rita, { projectId, runId: id, launcher: 'local' });
    const goingOn = new AbortController();
    const resumed = superviseRun(jobContext(db(), again.jobId, goingOn.signal), { runId: id }).catch(String);
    const begun = await waitForEvent(db(), id, 'start', before.length);
    expect(begun.document).toMatchObject({ attempt: 2, resumed: true });
    goingOn.abort();
    // Nobody cancelled: the run waits for the next worker of this machine.
    expect(await resumed).toContain('goes on');
    expect(await getRun(db(), { projectId, runId: id })).toMatchObject({
      state: 'queued',
      launcher: 'local',
    });
  });

  it('is told what is missing where no Slurm is', async () => {
    const { TESSERA_SLURM, PATH } = process.env;
    delete process.env.TESSERA_SLURM;
    expect((await slurmLauncher.capabilities()).missing).toContain('set TESSERA_SLURM');
    process.env.TESSERA_SLURM = TESSERA_SLURM;
    process.env.PATH = '/nowhere';
    expect((await slurmLauncher.capabilities()).missing).toContain('no sbatch on the PATH');
    process.env.PATH = PATH;
    expect(await slurmLauncher.capabilities()).toMatchObject({ missing: null, processors: 2 });
  });
});

/** What Slurm sends before it takes a node away. */
function slurmTerm(runId: string): void {
  const { jobId } = JSON.parse(readFileSync(path.join(folderOf(runId), 'slurm.json'), 'utf8'));
  for (const pid of readFileSync(path.join(jobs, jobId, 'pids'), 'utf8')
    .split('\n')
    .filter(Boolean))
    process.kill(Number(pid), 'SIGTERM');
}
