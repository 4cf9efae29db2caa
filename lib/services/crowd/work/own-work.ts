import { and, eq, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { type Db, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import { isOpenIn, type ProjectState, requireScope, type UserActor } from '@/lib/services/access';

const { batches, leases, memberships, projects } = tables;

/** Joins the membership by which a worker does work in a project; one that was taken away closes all of it. */
export const membershipOf = (projectId: AnyPgColumn, worker: AnyPgColumn | string): SQL | undefined =>
  and(eq(memberships.projectId, projectId), eq(memberships.userId, worker), eq(memberships.role, 'worker'));

/** What a worker holds may be finished in this state of the project. */
export function requireUnfinishedOpen(state: ProjectState): void {
  if (!isOpenIn('work.finish', state))
    throw conflict(`The project is ${state}: its work is closed.`, { code: 'projectClosed' });
}

/** The lease of another worker does not exist. */
export async function requireOwnLease(db: Db, actor: UserActor, leaseId: string): Promise<void> {
  requireScope(actor, 'work.finish');
  const [own] = await db
    .select({ projectState: projects.state })
    .from(leases)
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .innerJoin(memberships, membershipOf(batches.projectId, leases.workerId))
    .where(and(eq(leases.id, leaseId), eq(leases.workerId, actor.userId)));
  if (!own) throw notFound('lease');
  requireUnfinishedOpen(own.projectState);
}
