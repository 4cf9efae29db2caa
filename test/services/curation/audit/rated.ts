import { desc, eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { rateLabels } from '@/lib/services/curation/audit/rate-labels';
import type { JobContext } from '@/lib/services/jobs/types';
import { join, person } from '../../access/people';
import { type Workshop, workshop } from '../../crowd/workshop';

/** A context in which a job can be run without a worker process. */
export function jobIn(db: Database, signal = new AbortController().signal): JobContext & { seen: number[] } {
  const seen: number[] = [];
  return {
    db,
    storage: undefined as never,
    jobId: '',
    signal,
    seen,
    progress: async (done) => void seen.push(done),
    log: async () => undefined,
  };
}

export const rateAll = (db: Database, { projectId }: Workshop, all = false) =>
  rateLabels(jobIn(db), { projectId, all });

/** A project with a curator. */
export async function audited(db: Database, policy: Record<string, unknown> = {}) {
  const shop = await workshop(db, policy);
  const curator = await curatorOf(db, shop, 'Carla');
  return { shop, curator };
}

export async function curatorOf(db: Database, shop: Workshop, name: string): Promise<UserActor> {
  const curator = await person(db, name);
  await join(db, curator, shop.projectId, 'curator');
  return curator;
}

export const currentLabels = (db: Database, { projectId }: Workshop) =>
  db
    .select()
    .from(tables.labels)
    .where(sql`${tables.labels.projectId} = ${projectId} and ${tables.labels.isCurrent}`)
    .orderBy(tables.labels.id);

export const labelOf = async (db: Database, labelId: string) => {
  const [label] = await db.select().from(tables.labels).where(eq(tables.labels.id, labelId));
  return label as typeof tables.labels.$inferSelect;
};

export const decisionsOn = (db: Database, subjectId: string) =>
  db
    .select()
    .from(tables.decisions)
    .where(eq(tables.decisions.subjectId, subjectId))
    .orderBy(desc(tables.decisions.createdAt));

export const verbsIn = async (db: Database, { projectId }: Workshop) => {
  const rows = await db
    .select({ verb: tables.auditLog.verb })
    .from(tables.auditLog)
    .where(
      sql`${tables.auditLog.projectId} = ${projectId} and ${tables.auditLog.subject} in ('label', 'audit')`,
    )
    .orderBy(tables.auditLog.id);
  return rows.map((row) => row.verb);
};
