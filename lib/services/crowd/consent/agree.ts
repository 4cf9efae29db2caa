import { type Database, tables } from '@/db';
import { conflict, invalid } from '@/lib/core/errors';
import { requireScope, type UserActor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { holdMembership } from '../hold-membership';
import { projectTexts } from '../translations/read';
import { translateConsent } from '../translations/translate-consent';
import { type Consent, consentOf } from './state';

export interface Agreement {
  projectId: string;
  /** The text that was read. */
  textId: string;
  /** Said by the person: at least 18 years old. */
  isAdult: boolean;
  /** In which the text was read, and the translations that were shown; without it the original was read. */
  shown?: { language: string; translationIds: readonly string[] };
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
    const texts = await projectTexts(tx, input.projectId, input.shown?.language ?? null);
    const shown = translateConsent(text.document, texts);
    const { language, translationIds } = input.shown ?? shown;
    if (language !== shown.language || String(translationIds) !== String(shown.translationIds)) {
      throw conflict('The translation has changed since you opened it: read the new one.', {
        textId: text.id,
        code: 'textChanged',
      });
    }
    if (state !== 'agreed') {
      const { document: _, ...evidence } = shown;
      await tx
        .insert(tables.consents)
        .values({ ...who, consentTextId: text.id, kind: 'agreed', ...evidence });
      await record(tx, {
        actor,
        verb: 'consent.agree',
        subject: 'consent-text',
        subjectId: text.id,
        projectId: input.projectId,
        detail: { number: text.number, language },
      });
    }
    return consentOf(tx, who);
  });
}
