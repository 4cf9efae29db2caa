import { and, desc, eq, lt } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { auditLog } = tables;

/** Newest first; `before` is the id of the last row of the page before. */
export async function listAudit(db: Db, options: { projectId?: string; before?: string; limit: number }) {
  return db
    .select()
    .from(auditLog)
    .where(
      and(
        options.projectId ? eq(auditLog.projectId, options.projectId) : undefined,
        options.before ? lt(auditLog.id, options.before) : undefined,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(options.limit);
}
