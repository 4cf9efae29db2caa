import { z } from 'zod';
import { agree, ConsentDocument, consentOf, withdraw } from '@/lib/services/crowd/consent';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';

const Consent = z.object({
  state: z.enum(['agreed', 'missing', 'outdated', 'withdrawn']),
  /** When you last agreed or withdrew. */
  since: moment.nullable(),
  text: z.object({ id, number: z.number().int(), createdAt: moment, document: ConsentDocument }),
});

export const getConsent = endpoint({
  method: 'GET',
  path: '/api/v1/work/projects/{project}/consent',
  summary: 'The text that a worker agrees to, and whether you did',
  output: Consent,
  authorise: 'work.read',
  handler: ({ db, actor, access }) => consentOf(db, { projectId: access.project.id, workerId: actor.userId }),
});

export const giveConsent = endpoint({
  method: 'POST',
  path: '/api/v1/work/projects/{project}/consent',
  summary: 'Agree to the text that you have read; 409 when a newer one came meanwhile',
  body: z.strictObject({ textId: id, isAdult: z.literal(true, 'you must be at least 18 years old') }),
  output: Consent,
  authorise: 'work.consent',
  handler: ({ db, actor, access, body }) => agree(db, actor, { projectId: access.project.id, ...body }),
});

export const withdrawConsent = endpoint({
  method: 'POST',
  path: '/api/v1/work/projects/{project}/withdraw',
  summary: 'Take no part any more: finished work stays paid, open work goes back',
  output: z.object({ returned: z.number().int() }),
  authorise: 'work.consent',
  handler: ({ db, actor, access }) => withdraw(db, actor, { projectId: access.project.id }),
});
