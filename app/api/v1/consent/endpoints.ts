import { z } from 'zod';
import {
  agree,
  ConsentDocument,
  consentOf,
  type Consent as OwnConsent,
  withdraw,
} from '@/lib/services/crowd/consent';
import { projectTexts, translateConsent } from '@/lib/services/crowd/translations';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';
import { Language } from '../work/fields';

const Consent = z.object({
  state: z.enum(['agreed', 'missing', 'outdated', 'withdrawn']),
  /** When you last agreed or withdrew. */
  since: moment.nullable(),
  text: z.object({
    id,
    number: z.number().int(),
    createdAt: moment,
    document: ConsentDocument,
    /** Of the document: the one that was asked for if the whole text is translated, else the one of the original. */
    language: z.string(),
    /** The translations that make up the document; none for the original. */
    translationIds: z.array(id),
  }),
});

const shownIn = async (
  db: Parameters<typeof projectTexts>[0],
  projectId: string,
  language: string | null,
  { text, ...consent }: OwnConsent,
) => ({
  ...consent,
  text: { ...text, ...translateConsent(text.document, await projectTexts(db, projectId, language)) },
});

export const getConsent = endpoint({
  method: 'GET',
  path: '/api/v1/work/projects/{project}/consent',
  summary: 'The text that a worker agrees to, and whether you did',
  query: z.strictObject({ language: Language.optional() }),
  output: Consent,
  authorise: 'work.read',
  handler: async ({ db, actor, access: { project }, query: { language } }) => {
    const consent = await consentOf(db, { projectId: project.id, workerId: actor.userId });
    return shownIn(db, project.id, language ?? null, consent);
  },
});

export const giveConsent = endpoint({
  method: 'POST',
  path: '/api/v1/work/projects/{project}/consent',
  summary: 'Agree to the text that you have read; 409 when a newer one came meanwhile',
  body: z.strictObject({
    textId: id,
    isAdult: z.literal(true, 'you must be at least 18 years old'),
    /** The `language` and `translationIds` of the text that you have read; without them the original. */
    shown: z.strictObject({ language: Language, translationIds: z.array(id).max(50) }).optional(),
  }),
  output: Consent,
  authorise: 'work.consent',
  handler: async ({ db, actor, access: { project }, body }) => {
    const consent = await agree(db, actor, { projectId: project.id, ...body });
    return shownIn(db, project.id, body.shown?.language ?? null, consent);
  },
});

export const withdrawConsent = endpoint({
  method: 'POST',
  path: '/api/v1/work/projects/{project}/withdraw',
  summary: 'Take no part any more: finished work stays paid, open work goes back',
  output: z.object({ returned: z.number().int() }),
  authorise: 'work.consent',
  handler: ({ db, actor, access }) => withdraw(db, actor, { projectId: access.project.id }),
});
