import { type Database, tables } from '@/db';
import { requireScope, type UserActor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { releaseBatches } from '../end-running-batches';
import { holdMembership } from '../hold-membership';
import { lastConsent } from './state';

/**
 * The person takes no part any more. What they finished stays, and stays paid; open work goes back to others.
 * Agreeing again, later, is possible.
 */
export async function withdraw(
  db: Database,
  actor: UserActor,
  { projectId }: { projectId: string },
): Promise<{ returned: number }> {
  requireScope(actor, 'work.consent');
  const who = { projectId, workerId: actor.userId };
  return db.transaction(async (tx) => {
    await holdMembership(tx, who);
    const last = await lastConsent(tx, projectId, actor.userId);
    if (last?.kind !== 'agreed') return { returned: 0 };
    const { consentTextId, language, translationIds } = last;
    await tx
      .insert(tables.consents)
      .values({ ...who, consentTextId, kind: 'withdrawn', language, translationIds });
    const returned = await releaseBatches(tx, who, 'returned');
    await record(tx, {
      actor,
      verb: 'consent.withdraw',
      subject: 'consent-text',
      subjectId: last.consentTextId,
      projectId,
    });
    return { returned };
  });
}
