import { type SQL, sql } from 'drizzle-orm';
import type { tables } from '@/db';
import type { RunOptions } from './prepare-run';

/** Of a run's options: whether it tells classes apart or super-classes. */
export const toldApart = (options: typeof tables.runs.options): SQL<RunOptions['classes']> =>
  sql<RunOptions['classes']>`coalesce(${options} ->> 'classes', 'class')`;
