import { and, desc, eq, lt } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { ledger, projects } = tables;

/** The lines of the ledger about a person, newest first. `before`: the last id of the page before. */
export async function statement(db: Db, workerId: string, page: { limit: number; before?: string }) {
  return db
    .select({
      id: ledger.id,
      at: ledger.createdAt,
      project: projects.name,
      kind: ledger.kind,
      amountMicro: ledger.amountMicro,
      currency: ledger.currency,
      note: ledger.note,
    })
    .from(ledger)
    .innerJoin(projects, eq(projects.id, ledger.projectId))
    .where(and(eq(ledger.workerId, workerId), page.before ? lt(ledger.id, page.before) : undefined))
    .orderBy(desc(ledger.id))
    .limit(page.limit);
}

export type StatementLine = Awaited<ReturnType<typeof statement>>[number];
