import { sql } from 'drizzle-orm';
import { tables } from '@/db';

/**
 * Of an answer `a`: it does not count. The newest of the decisions about that says so, for what a curator set aside
 * can be taken back, and decisions are never removed.
 */
export const isSetAside = sql`coalesce((
    select d.verdict = 'set-aside' from ${tables.decisions} d
    where d.subject = 'answer' and d.subject_id = a.id and d.verdict in ('set-aside', 'reinstated')
    order by d.id desc limit 1), false)`;
