/** `npm run verify:slurm`: runs by a real Slurm of one node, interrupted and begun anew, against runs of this machine. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '@/db';
import { listEvents } from '@/lib/services/training/runs/keep-events';
import { getRun } from '@/lib/services/training/runs/list-runs';
import { superviseRun } from '@/lib/services/training/runs/supervise-run';
import {
  cancelJob,
  checkpointIn,
  jobContext,
  modelOf,
  startShort,
  trainingProject,
  waitForEvent,
} from '../services/training/story';
import { cloneDatabase, startTestServer } from '../support/server';
import { jobIdOf, missing, startOneNode } from './slurm-node';

const lacks = missing();
if (lacks) {
  console.error(lacks);
  process.exit(1);
}
const work = mkdtempSync(path.join(tmpdir(), 'tessera-slurm-'));
process.env.TESSERA_HOME = path.join(work, 'home of runs');
process.env.TESSERA_LOG_LEVEL = 'silent';
process.env.TESSERA_SLURM = 'train';
process.env.TESSERA_SECRET = 'a secret for this check, and for nothing else';

const faults: string[] = [];
const must = (holds: boolean, says: string) => {
  console.log(`${holds ? 'yes' : 'NO '}  ${says}`);
  if (!holds) faults.push(says);
};

async function verify(db: Database): Promise<void> {
  const projectId = await trainingProject(db, 'slurm');
  const folderOf = (id: string) => path.join(process.env.TESSERA_HOME as string, 'runs', id);
  const train = async (launcher: 'local' | 'slurm', set: Record<string, string | number> = {}) => {
    const began = Date.now();
    const { id, jobId } = await startShort(db, projectId, { launcher, set });
    await superviseRun(jobContext(db, jobId), { runId: id });
    return { id, seconds: (Date.now() - began) / 1000 };
  };

  const long = { 'stages.0.epochs': 40 };
  const here = await train('local', long);
  const plain = await train('slurm', long);
  must(
    (await modelOf(db, projectId, plain.id)) === (await modelOf(db, projectId, here.id)),
    `the ONNX file of Slurm is that of this machine, byte by byte (${plain.seconds.toFixed(0)} s, ${here.seconds.toFixed(0)} s here)`,
  );

  const interrupted = await startShort(db, projectId, { launcher: 'slurm', set: long });
  const running = superviseRun(jobContext(db, interrupted.jobId), { runId: interrupted.id });
  await checkpointIn(folderOf(interrupted.id));
  execFileSync('scancel', ['--signal=TERM', jobIdOf(folderOf(interrupted.id))]);
  await running;
  const starts = await listEvents(db, { runId: interrupted.id, kinds: ['start'] });
  must(
    starts.length === 2 && starts[1]?.document.resumed === true,
    `a run that Slurm interrupts is begun anew by Slurm, from step ${starts[1]?.document.resumeStep}`,
  );
  must(
    (await modelOf(db, projectId, interrupted.id)) === (await modelOf(db, projectId, here.id)),
    'and gives the same ONNX file',
  );

  const two = await train('slurm', {
    'resources.device': 'auto',
    'resources.gpus': 2,
    'resources.threads': 1,
  });
  const [start] = await listEvents(db, { runId: two.id, kinds: ['start'] });
  must(start?.document.world === 2, 'two tasks of Slurm train as two ranks');

  const unwanted = await startShort(db, projectId, {
    launcher: 'slurm',
    set: { 'stages.0.epochs': 200 },
  });
  const stopping = new AbortController();
  const until = superviseRun(jobContext(db, unwanted.jobId, stopping.signal), { runId: unwanted.id });
  const ended = until.catch(String);
  await waitForEvent(db, unwanted.id, 'checkpoint');
  await cancelJob(db, unwanted.jobId);
  stopping.abort();
  await ended;
  const { state } = await getRun(db, { projectId, runId: unwanted.id });
  const job = execFileSync('scontrol', ['show', 'job', jobIdOf(folderOf(unwanted.id))], { encoding: 'utf8' });
  must(
    state === 'cancelled' && job.includes('Restarts=0') && job.includes('ExitCode=130:0'),
    'a cancelled run leaves with a checkpoint and is not begun anew',
  );
}

let stopSlurm = () => {};
const server = await startTestServer();
try {
  stopSlurm = await startOneNode(path.join(work, 'slurm'));
  console.log(execFileSync('sinfo', ['--version'], { encoding: 'utf8' }).trim());
  const clone = await cloneDatabase(server.adminUrl);
  process.env.DATABASE_URL = clone.url;
  await verify(clone.db);
  await clone.drop();
} catch (error) {
  console.error(error);
  faults.push(String(error));
} finally {
  stopSlurm();
  await server.stop();
  rmSync(work, { recursive: true, force: true });
}
process.exit(faults.length === 0 ? 0 : 1);
