import { sql } from 'drizzle-orm';

/** Of what a job does for a row: an export, a run, an evaluation. */
export const workStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

export const isWorkState = (column: unknown) =>
  sql`${column} in ('queued', 'running', 'done', 'failed', 'cancelled')`;
