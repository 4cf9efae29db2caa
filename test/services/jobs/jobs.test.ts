import { once } from 'node:events';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tables } from '@/db';
import { invalid } from '@/lib/core/errors';
import { cancelJob, enqueue, Interrupted, type JobHandler, jobHandler, retryJob } from '@/lib/services/jobs';
import { useDatabase } from '../../support/database';
import { declare, readJob, until, withWorker } from './worker';

const db = useDatabase();

beforeAll(() => declare(db(), ['waiting', 'never-was', 'many', 'cancelled-early', 'over', 'fine', 'sulky']));

const start = (kind: string, input: object = {}) =>
  db().transaction((tx) => enqueue(tx, kind, input, { title: kind }));

const handler = (kind: string, run: JobHandler['run']): JobHandler =>
  jobHandler({ kind, input: z.looseObject({}), run });

const inQueue = async (id: string) =>
  (await db().execute(sql`select state from pgboss.job where id = ${id}`)).rows.length;

describe('a job that is enqueued', () => {
  it('exists in the list and in the queue, under one id', async () => {
    const id = await start('waiting');
    expect(await readJob(db(), id)).toMatchObject({ state: 'queued', attempt: 0, title: 'waiting' });
    expect(await inQueue(id)).toBe(1);
  });

  it('leaves nothing behind when its transaction is rolled back', async () => {
    let id = '';
    const transaction = db().transaction(async (tx) => {
      id = await enqueue(tx, 'never-was', {}, { title: 'never' });
      throw new Error('changed my mind');
    });
    await expect(transaction).rejects.toThrow('changed my mind');
    expect(await db().select().from(tables.jobs).where(eq(tables.jobs.id, id))).toEqual([]);
    expect(await inQueue(id)).toBe(0);
  });
});

describe('a worker', () => {
  it('runs a job with its input, keeps progress, log and result', async () => {
    const add = handler('add', async (context, input) => {
      const { numbers } = z.object({ numbers: z.array(z.number()) }).parse(input);
      for (const [index] of numbers.entries()) await context.progress(index + 1, numbers.length, 'adding');
      await context.log('info', 'all added');
      return { sum: numbers.reduce((a, b) => a + b, 0) };
    });
    await withWorker(db(), [add], async () => {
      const id = await start('add', { numbers: [1, 2, 3] });
      const job = await until(db(), id, 'done');
      expect(job).toMatchObject({ done: 3, total: 3, text: 'adding', attempt: 1, result: { sum: 6 } });
      expect(job.startedAt).not.toBeNull();
      const logs = await db().select().from(tables.jobLogs).where(eq(tables.jobLogs.jobId, id));
      expect(logs.map((line) => line.text)).toEqual(['all added']);
    });
  });

  it('tries again after an unexpected error, and then gives up with the reason', async () => {
    let attempts = 0;
    const failing = handler('failing', async () => {
      attempts += 1;
      throw new Error(`broken ${attempts}`);
    });
    await withWorker(db(), [failing], async () => {
      const id = await start('failing');
      await until(db(), id, 'retrying');
      const job = await until(db(), id, 'failed');
      expect(job).toMatchObject({ attempt: 2, error: 'broken 2' });
      expect(attempts).toBe(2);
    });
  });

  it('does not try again what cannot get better', async () => {
    let attempts = 0;
    const picky = handler('picky', async () => {
      attempts += 1;
      throw invalid('not like this');
    });
    await withWorker(db(), [picky], async () => {
      const job = await until(db(), await start('picky'), 'failed');
      expect(job).toMatchObject({ attempt: 1, error: 'not like this' });
      expect(attempts).toBe(1);
    });
  });

  it('fails a job whose input it does not understand', async () => {
    const strict = jobHandler({
      kind: 'strict',
      input: z.object({ n: z.number() }),
      run: async () => undefined,
    });
    await withWorker(db(), [strict], async () => {
      const job = await until(db(), await start('strict', { n: 'one' }), 'failed');
      expect(job.error).toMatch(/input it does not understand/);
    });
  });

  it('runs many jobs, each exactly once', async () => {
    const runs = new Map<string, number>();
    const many = handler('many', async ({ jobId }) => {
      runs.set(jobId, (runs.get(jobId) ?? 0) + 1);
      return undefined;
    });
    const ids = await Promise.all(Array.from({ length: 40 }, () => start('many')));
    await withWorker(db(), [many], async () => {
      for (const id of ids) await until(db(), id, 'done');
    });
    expect([...runs.values()]).toEqual(ids.map(() => 1));
  });

  it('gives back what it was doing when it is stopped', async () => {
    const slow = handler('slow', async ({ signal, progress }) => {
      await progress(1, 2);
      await once(signal, 'abort');
      signal.throwIfAborted();
      return undefined;
    });
    let id = '';
    await withWorker(db(), [slow], async () => {
      id = await start('slow');
      await until(db(), id, (job) => job.done === 1);
    });
    expect(await readJob(db(), id)).toMatchObject({ state: 'retrying', error: 'The worker was stopped.' });
    // As often as it happens: the tries of a job are for its own faults.
    await withWorker(db(), [slow], async () => {
      await until(db(), id, (job) => job.attempt === 2 && job.state === 'running');
    });
    expect(await readJob(db(), id)).toMatchObject({ state: 'retrying', attempt: 2 });
  });

  it('takes up again what was interrupted, however often, and does not count it as a try', async () => {
    const preempted = handler('preempted', async ({ jobId }) => {
      const { attempt } = await readJob(db(), jobId);
      if (attempt < 3) throw new Interrupted('It goes on.');
      return { attempt };
    });
    await withWorker(db(), [preempted], async () => {
      const id = await start('preempted');
      expect(await until(db(), id, 'done')).toMatchObject({ result: { attempt: 3 } });
    });
  });
});

describe('cancelling', () => {
  it('ends a waiting job at once: no worker ever runs it', async () => {
    let ran = false;
    const id = await start('cancelled-early');
    expect(await cancelJob(db(), id)).toMatchObject({ state: 'cancelled' });
    const other = handler('cancelled-early', async () => {
      ran = true;
      return undefined;
    });
    await withWorker(db(), [other], async () => {
      await until(db(), await start('cancelled-early'), 'done');
    });
    expect(ran).toBe(true);
    expect(await readJob(db(), id)).toMatchObject({ state: 'cancelled', attempt: 0 });
  });

  it('interrupts a running job that reports progress', async () => {
    const endless = handler('endless', async ({ progress }) => {
      for (let n = 0; ; n++) {
        await progress(n, null);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    await withWorker(db(), [endless], async () => {
      const id = await start('endless');
      await until(db(), id, (job) => job.done > 0);
      expect(await cancelJob(db(), id)).toMatchObject({ state: 'running', cancelRequested: true });
      await until(db(), id, 'cancelled');
    });
  });

  it('interrupts a running job that only listens to its signal', async () => {
    const deaf = handler('deaf', async ({ signal, progress }) => {
      await progress(1, 1);
      await once(signal, 'abort');
      throw signal.reason;
    });
    await withWorker(db(), [deaf], async () => {
      const id = await start('deaf');
      await until(db(), id, (job) => job.done === 1);
      await cancelJob(db(), id);
      await until(db(), id, 'cancelled');
    });
  });

  it('is refused for a job that is over', async () => {
    const id = await start('over');
    await cancelJob(db(), id);
    await expect(cancelJob(db(), id)).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe('retrying a failed job by hand', () => {
  it('runs it again with the input it had', async () => {
    let broken = true;
    const moody = handler('moody', async (_, input) => {
      if (broken) throw invalid('not now');
      return input as Record<string, unknown>;
    });
    await withWorker(db(), [moody], async () => {
      const id = await start('moody', { keep: 'this' });
      await until(db(), id, 'failed');
      broken = false;
      expect(await retryJob(db(), id)).toMatchObject({ state: 'queued', error: null });
      expect(await until(db(), id, 'done')).toMatchObject({ result: { keep: 'this' }, attempt: 2 });
    });
  });

  it('waits for the queue, which hears of the failure after the row', async () => {
    const id = await start('sulky');
    await db().execute(sql`update pgboss.job set state = 'active', started_on = now() where id = ${id}`);
    await db()
      .update(tables.jobs)
      .set({ state: 'failed', error: 'not now', finishedAt: new Date() })
      .where(eq(tables.jobs.id, id));
    const retried = retryJob(db(), id);
    await db().execute(sql`update pgboss.job set state = 'failed', completed_on = now() where id = ${id}`);
    expect(await retried).toMatchObject({ state: 'queued' });
  });

  it('is refused for a job that did not fail', async () => {
    const id = await start('fine');
    await expect(retryJob(db(), id)).rejects.toMatchObject({ kind: 'conflict' });
  });
});
