import { z } from 'zod';
import { projectStates, roles } from '@/db/schema';
import { createKey as create, listKeys as list, revokeKey as revoke, scopeIds } from '@/lib/services/access';
import {
  listSessions as ownSessions,
  revokeSession as revokeOne,
  revokeOtherSessions,
} from '@/lib/services/access/sessions';
import { myRoles } from '@/lib/services/accounts';
import {
  agree,
  ConsentDocument,
  consentOf,
  type Consent as OwnConsent,
  withdraw,
} from '@/lib/services/crowd/consent';
import { projectTexts, translateConsent } from '@/lib/services/crowd/translations';
import { endpoint } from '../_http/endpoint';
import { futureMoment, id, moment, personName } from '../_http/fields';
import { Language } from './work-fields';

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

const Me = z.object({
  id,
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  via: z.enum(['session', 'key']),
  /** Null: no limit but the person's own rights. */
  scopes: z.array(z.enum(scopeIds)).nullable(),
  projects: z.array(
    z.object({
      project: z.string(),
      name: z.string(),
      state: z.enum(projectStates),
      roles: z.array(z.enum(roles)),
    }),
  ),
});

export const getMe = endpoint({
  method: 'GET',
  path: '/api/v1/me',
  summary: 'Who you are, by which key or session, and your roles',
  output: Me,
  authorise: 'me.read',
  handler: async ({ db, actor }) => ({
    ...actor,
    id: actor.userId,
    scopes: actor.scopes ? [...actor.scopes] : null,
    projects: await myRoles(db, actor),
  }),
});

const Key = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.enum(scopeIds)),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
});

export const listKeys = endpoint({
  method: 'GET',
  path: '/api/v1/keys',
  summary: 'Your API keys',
  output: z.object({ items: z.array(Key) }),
  authorise: 'account.manage',
  handler: async ({ db, actor }) => ({ items: await list(db, actor) }),
});

export const createKey = endpoint({
  method: 'POST',
  path: '/api/v1/keys',
  summary: 'Make an API key; the key itself is shown in this answer only',
  body: z.strictObject({
    name: personName,
    scopes: z.array(z.enum(scopeIds)).min(1),
    expiresAt: futureMoment.nullable().default(null),
  }),
  output: Key.extend({ key: z.string() }),
  status: 201,
  authorise: 'account.manage',
  handler: ({ db, actor, body }) => create(db, actor, body),
});

export const revokeKey = endpoint({
  method: 'DELETE',
  path: '/api/v1/keys/{key}',
  summary: 'Revoke one of your API keys',
  output: null,
  authorise: 'account.manage',
  handler: ({ db, actor, params }) => revoke(db, actor, params.key),
});

const Session = z.object({
  id,
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: moment,
  expiresAt: moment,
  isCurrent: z.boolean(),
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/v1/sessions',
  summary: 'Where you are signed in',
  output: z.object({ items: z.array(Session) }),
  authorise: 'account.manage',
  handler: async ({ db, actor }) => ({ items: await ownSessions(db, actor) }),
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/v1/sessions',
  summary: 'Sign out everywhere but here',
  output: z.object({ ended: z.number().int() }),
  authorise: 'account.manage',
  handler: async ({ db, actor }) => ({ ended: await revokeOtherSessions(db, actor) }),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/v1/sessions/{session}',
  summary: 'End one of your sessions',
  output: null,
  authorise: 'account.manage',
  handler: ({ db, actor, params }) => revokeOne(db, actor, params.session),
});
