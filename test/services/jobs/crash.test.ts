import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tables } from '@/db';
import { enqueue, jobHandler } from '@/lib/services/jobs';
import { reconcileJobs } from '@/lib/services/jobs/control-job';
import { useDatabase } from '../../support/database';
import { declare, readJob, until, withWorker } from './worker';

const db = useDatabase();

const start = (kind: string) => db().transaction((tx) => enqueue(tx, kind, {}, { title: kind }));

/** A worker in a process of its own; `die` is what a power cut does to it. */
function startDoomedWorker() {
  const script = fileURLToPath(new URL('./hanging-worker.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    env: { ...process.env, DATABASE_URL: db().$client.options.connectionString },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    async die() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

describe('a worker process that is killed', () => {
  it('loses its job to the next worker, which finishes it', { timeout: 60_000 }, async () => {
    await declare(db(), ['fragile']);
    const doomed = startDoomedWorker();
    const id = await start('fragile');
    await until(db(), id, (job) => job.done === 1);
    await doomed.die();
    expect(await readJob(db(), id)).toMatchObject({ state: 'running', attempt: 1 });

    const sturdy = jobHandler({
      kind: 'fragile',
      input: z.object({}),
      run: async () => ({ finishedBy: 'the next' }),
    });
    await withWorker(db(), [sturdy], async () => {
      const job = await until(db(), id, 'done');
      expect(job).toMatchObject({ attempt: 2, result: { finishedBy: 'the next' } });
    });
  });
});

describe('reconciling', () => {
  const inState = async (id: string, state: string) => {
    await db().execute(sql`update pgboss.job set state = ${sql.raw(`'${state}'`)} where id = ${id}`);
    await db().execute(sql`update jobs set state = 'running', attempt = 1 where id = ${id}`);
  };

  it('fails a job whose last attempt died with its worker', async () => {
    await declare(db(), ['orphaned']);
    const id = await start('orphaned');
    await inState(id, 'failed');
    await reconcileJobs(db());
    const job = await readJob(db(), id);
    expect(job).toMatchObject({ state: 'failed', error: expect.stringMatching(/too many times/) });
    expect(job.finishedAt).not.toBeNull();
  });

  it('shows that a dead worker’s job waits for the next', async () => {
    const id = await start('orphaned');
    await inState(id, 'retry');
    await reconcileJobs(db());
    expect(await readJob(db(), id)).toMatchObject({ state: 'retrying', finishedAt: null });
  });

  it('fails a job that the queue has lost', async () => {
    const [row] = await db().insert(tables.jobs).values({ kind: 'lost', title: 'lost' }).returning();
    await reconcileJobs(db());
    expect(await readJob(db(), row?.id as string)).toMatchObject({
      state: 'failed',
      error: 'The queue has lost this job.',
    });
  });

  it('leaves alone what waits and what runs', async () => {
    const waiting = await start('orphaned');
    const running = await start('orphaned');
    await inState(running, 'active');
    await reconcileJobs(db());
    expect(await readJob(db(), waiting)).toMatchObject({ state: 'queued' });
    expect(await readJob(db(), running)).toMatchObject({ state: 'running' });
  });
});
