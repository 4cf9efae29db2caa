import type { z } from 'zod';
import type { Database, tables } from '@/db';
import type { Storage } from '@/lib/services/storage';

export type Job = typeof tables.jobs.$inferSelect;
export type LogLevel = 'info' | 'warn' | 'error';

export interface JobContext {
  db: Database;
  storage: Storage;
  jobId: string;
  /** Aborted when the job is cancelled, when the worker stops, and when another worker has taken over. */
  signal: AbortSignal;
  /** Cheap to call often: at most four times a second something is written. */
  progress(done: number, total: number | null, text?: string): Promise<void>;
  log(level: LogLevel, text: string): Promise<void>;
  /** False once another worker has restarted the job. A worker that was presumed dead must not interfere. */
  isHeld?(): Promise<boolean>;
}

export type JobResult = Record<string, unknown> | undefined;

export interface JobHandler<Input = unknown> {
  /** Also the name of the queue. */
  kind: string;
  input: z.ZodType<Input>;
  /** How many of this kind one worker runs at a time, where it is not as many as of others. */
  atOnce?: number;
  /** May run more than once for the same job: it has to carry on from what the data says is done. */
  run(context: JobContext, input: Input): Promise<JobResult>;
}

/** Keeps the input type of a handler while handlers of all types live in one list. */
export const jobHandler = <Input>(handler: JobHandler<Input>): JobHandler => handler as JobHandler;

/** The job was interrupted from outside. It is retried, and the attempt does not count. */
export class Interrupted extends Error {}
