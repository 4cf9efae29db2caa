import { and, eq, inArray, type SQL } from 'drizzle-orm';
import { tables } from '@/db';

const { runs } = tables;

const openStates = ['queued', 'running'] as const;

export const isOpen = (state: string): boolean => (openStates as readonly string[]).includes(state);

/** The run while it is neither over nor given to another job: what a supervisor may write to. */
export const openRun = (runId: string, jobId: string): SQL | undefined =>
  and(eq(runs.id, runId), eq(runs.jobId, jobId), inArray(runs.state, [...openStates]));
