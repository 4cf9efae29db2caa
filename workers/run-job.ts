import { and, eq, sql } from 'drizzle-orm';
import type { JobResult as BossResult, JobWithMetadata } from 'pg-boss';
import { type Database, tables } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { Interrupted, type JobContext, type JobHandler, type LogLevel } from '@/lib/services/jobs';
import { activeStates, changeJob, heldBy, isJob } from '@/lib/services/jobs/job-row';
import { throttledProgress } from '@/lib/services/jobs/progress';
import { log } from '@/lib/services/observability/log';
import { observeJob } from '@/lib/services/observability/metric-values';
import { traced } from '@/lib/services/observability/tracing';
import type { Storage } from '@/lib/services/storage';

export interface JobRunner {
  db: Database;
  storage: Storage;
  /** Aborted when this worker process is to stop. */
  stopping: AbortSignal;
}

/** Runs one attempt of one job, and writes the outcome to its row before the queue is notified. */
export async function runJob(
  runner: JobRunner,
  handler: JobHandler,
  job: JobWithMetadata<unknown>,
): Promise<BossResult> {
  const attempt = job.retryCount + 1;
  const { db } = runner;
  // Nothing to claim: it was cancelled, or it was done and the worker died before the queue was told.
  const [row] = await changeJob(
    db,
    and(isJob(job.id, activeStates), eq(tables.jobs.cancelRequested, false)),
    {
      state: 'running',
      attempt,
      error: null,
      startedAt: sql`coalesce(${tables.jobs.startedAt}, now())`,
    },
  );
  if (!row) return { id: job.id, status: 'completed' };

  // The request that started it is the trace it belongs to, however many jobs lie between.
  const work = { requestId: row.requestId, jobId: job.id };
  const span = { name: `job ${handler.kind}`, kind: 'consumer' } as const;
  const began = performance.now();
  return traced(
    work,
    span,
    async () => {
      log.debug({ kind: handler.kind, attempt }, 'a job begins');
      const ended = await attemptJob(runner, handler, job, attempt);
      const seconds = (performance.now() - began) / 1000;
      observeJob(handler.kind, ended.status, seconds);
      log.info({ kind: handler.kind, attempt, outcome: ended.status, seconds }, 'a job has ended');
      return ended;
    },
    ({ status }) => ({
      attributes: {
        'messaging.destination.name': handler.kind,
        'tessera.job.attempt': attempt,
        'tessera.job.outcome': status,
      },
      isError: status !== 'completed',
    }),
  );
}

async function attemptJob(
  runner: JobRunner,
  handler: JobHandler,
  job: JobWithMetadata<unknown>,
  attempt: number,
): Promise<BossResult> {
  const { db } = runner;
  const lost = new AbortController();
  const context = contextFor(runner, job, attempt, lost);
  // At once, and not when it has let go: who takes too long for that is failed by the queue.
  let spared: Promise<unknown> | undefined;
  const spare = () => {
    spared ??= grantTry(db, job).catch(() => {});
  };
  runner.stopping.addEventListener('abort', spare, { once: true });
  try {
    const result = await handler.run(context, parseInput(handler, job.data));
    await context.flush();
    const [finished] = await changeJob(db, heldBy(job.id, attempt), {
      state: 'done',
      result: result ?? null,
      finishedAt: sql`now()`,
    });
    return { id: job.id, status: finished ? 'completed' : 'failed' };
  } catch (error) {
    if (runner.stopping.aborted || error instanceof Interrupted) spare();
    await spared;
    return settleFailure(runner, job, attempt, error, context);
  } finally {
    runner.stopping.removeEventListener('abort', spare);
  }
}

/** The tries of a job are for its own faults: one that was interrupted has another. */
const grantTry = (db: Database, { name, id }: JobWithMetadata<unknown>) =>
  db.execute(sql`update pgboss.job set retry_limit = retry_limit + 1 where name = ${name} and id = ${id}`);

type OwnContext = JobContext & { flush(): Promise<void> };

function contextFor(
  { db, storage, stopping }: JobRunner,
  job: JobWithMetadata<unknown>,
  attempt: number,
  lost: AbortController,
): OwnContext {
  const progress = throttledProgress(async (report) => {
    const [row] = await changeJob(
      db,
      and(heldBy(job.id, attempt), eq(tables.jobs.cancelRequested, false)),
      report,
    );
    // Cancelled, or given to another worker: sooner known here than by the next heartbeat.
    if (!row) lost.abort(new Error('The job was cancelled or taken over.'));
  });
  const signal = AbortSignal.any([job.signal, stopping, lost.signal]);
  return {
    db,
    storage,
    jobId: job.id,
    signal,
    async progress(done, total, text) {
      await progress.report(done, total, text);
      signal.throwIfAborted();
    },
    async log(level: LogLevel, text: string) {
      await db.insert(tables.jobLogs).values({ jobId: job.id, level, text });
    },
    async isHeld() {
      const [row] = await db
        .select({ attempt: tables.jobs.attempt })
        .from(tables.jobs)
        .where(eq(tables.jobs.id, job.id));
      return row?.attempt === attempt;
    },
    flush: progress.flush,
  };
}

function parseInput(handler: JobHandler, data: unknown): unknown {
  const parsed = handler.input.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new TesseraError(
    'invalid',
    `The job was given an input it does not understand: ${parsed.error.message}`,
  );
}

/** What a second try can mend: anything unexpected, and what is out of order for the moment. */
const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof TesseraError) || error.kind === 'unavailable' || error.kind === 'rate-limited';

async function settleFailure(
  { db, stopping }: JobRunner,
  job: JobWithMetadata<unknown>,
  attempt: number,
  error: unknown,
  context: OwnContext,
): Promise<BossResult> {
  const message = error instanceof Error ? error.message : String(error);
  await context.flush().catch(() => {});
  const [cancelled] = await changeJob(
    db,
    and(heldBy(job.id, attempt), eq(tables.jobs.cancelRequested, true)),
    { state: 'cancelled', text: '', finishedAt: sql`now()` },
  );
  if (cancelled) return { id: job.id, status: 'failed', output: { message: 'cancelled' } };

  const isSpared = stopping.aborted || error instanceof Interrupted;
  const retries = isSpared || (isWorthRetrying(error) && job.retryCount < job.retryLimit);
  const [held] = await changeJob(
    db,
    heldBy(job.id, attempt),
    retries
      ? { state: 'retrying', error: stopping.aborted ? 'The worker was stopped.' : message }
      : { state: 'failed', error: message, finishedAt: sql`now()` },
  );
  if (held) await context.log(retries ? 'warn' : 'error', `Attempt ${attempt}: ${message}`);
  return { id: job.id, status: retries ? 'failed' : 'deadletter', output: { message } };
}
