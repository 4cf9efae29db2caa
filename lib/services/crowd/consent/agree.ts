import { type Database, tables } from '@/db';
import { conflict, invalid } from '@/lib/core/errors';
import { requireScope, type UserActor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { holdMembership } from '../hold-membership';
import { type Consent, consentOf } from './state';

export interface Agreement {
  projectId: string;
  /** The text that was read. */
  textId: string;
  /** Said by the person: at least 18 years old. */
  isAdult: boolean;
}

/** Agrees to the text that was read, unless a newer one came meanwhile. Saying it again changes nothing. */
export async function agree(db: Database, actor: UserActor, input: Agreement): Promise<Consent> {
  requireScope(actor, 'work.consent');
  if (!input.isAdult)
    throw invalid('Only people who are at least 18 years old can take part.', { code: 'adultsOnly' });
  const who = { projectId: input.projectId, workerId: actor.userId };
  return db.transaction(async (tx) => {
    await holdMembership(tx, who);
    const { state, text } = await consentOf(tx, who);
    if (text.id !== input.textId) {
      throw conflict('The text has changed since you opened it: read the new one.', {
        textId: text.id,
        code: 'textChanged',
      });
    }
    if (state !== 'agreed') {
      await tx.insert(tables.consents).values({ ...who, consentTextId: text.id, kind: 'agreed' });
      await record(tx, {
        actor,
        verb: 'consent.agree',
        subject: 'consent-text',
        subjectId: text.id,
        projectId: input.projectId,
        detail: { number: text.number },
      });
    }
    return consentOf(tx, who);
  });
}
