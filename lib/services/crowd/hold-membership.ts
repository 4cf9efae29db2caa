import { and, eq } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { notFound } from '@/lib/core/errors';

const { memberships } = tables;

interface Worker {
  projectId: string;
  workerId: string;
}

/** The mutex of one worker in one project, as for work: a batch is never taken while consent changes. */
export async function holdMembership(tx: Transaction, who: Worker): Promise<void> {
  if (!(await tryHoldMembership(tx, who))) throw notFound('project');
}

/** False for somebody who does not belong to the project any more. */
export async function tryHoldMembership(tx: Transaction, { projectId, workerId }: Worker): Promise<boolean> {
  const [held] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(
      and(
        eq(memberships.projectId, projectId),
        eq(memberships.userId, workerId),
        eq(memberships.role, 'worker'),
      ),
    )
    .for('no key update');
  return held !== undefined;
}
