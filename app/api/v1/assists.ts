import { z } from 'zod';
import type { Database } from '@/db';
import type { UserActor } from '@/lib/services/access';
import {
  type AssistPlace,
  AssistPrompt,
  findPicture,
  PlacePrompts,
  prepareAssist,
  suggestMask,
  suggestMasks,
} from '@/lib/services/assists';
import { requireOwnLease } from '@/lib/services/crowd/work';
import { endpoint } from '../_http/endpoint';
import { afterLookup } from '../_http/input';

const side = z.number().int().positive();

const There = z.object({
  prompts: z.array(z.enum(['point', 'box', 'scribble', 'main-object'])),
  /** Whether the model has looked at the image; null where none needs to. */
  picture: z.enum(['ready', 'preparing']).nullable(),
  /** What is missing and who can switch it on. */
  notice: z.string().nullable(),
});

const Suggested = z.object({
  /** Compressed COCO counts of the upright image. */
  counts: z.string(),
  /** Height, width. */
  size: z.tuple([side, side]),
  ms: z.number().int(),
  model: z.string(),
});

const SuggestedMany = Suggested.omit({ counts: true }).extend({
  /** In the order of the prompts, with the model's estimate of the IoU. */
  masks: z.array(z.object({ counts: z.string(), score: z.number() })),
});

const prompt = afterLookup(AssistPrompt);
const prompts = afterLookup(z.strictObject({ prompts: PlacePrompts }));
/** 32 masks or long scribbles. */
const PROMPTS_BYTES = 8_000_000;

interface Asked {
  db: Database;
  actor: UserActor;
  body: unknown;
}

async function askOne({ db, actor, body }: Asked, place: AssistPlace) {
  await requirePlace(db, actor, place);
  return suggestMask(db, actor, { place, prompt: prompt.parse(body) });
}

async function askMany({ db, actor, body }: Asked, place: AssistPlace) {
  await requirePlace(db, actor, place);
  return suggestMasks(db, actor, { place, prompts: prompts.parse(body).prompts });
}

/** Before the body is read: what is wrong with it must not tell that the place exists. */
async function requirePlace(db: Database, actor: UserActor, place: AssistPlace): Promise<void> {
  if (place.kind === 'lease') await requireOwnLease(db, actor, place.leaseId);
  else await findPicture(db, actor, place);
}

const leased = (params: { lease: string }): AssistPlace => ({ kind: 'lease', leaseId: params.lease });

export const readAssists = endpoint({
  method: 'GET',
  path: '/api/v1/work/leases/{lease}/assist',
  summary: 'Which smart tools there are for an item; starts preparing its image',
  output: There,
  authorise: { inQuery: 'work.finish' },
  handler: ({ db, actor, params }) => prepareAssist(db, actor, { place: leased(params) }),
});

export const askAssist = endpoint({
  method: 'POST',
  path: '/api/v1/work/leases/{lease}/assist',
  summary:
    'Show an object by clicks, a box or scribbles, or ask for the main object or the outline of the project’s model, and get its mask as a suggestion',
  body: prompt.body,
  bodyLimit: PROMPTS_BYTES,
  output: Suggested,
  authorise: { inQuery: 'work.finish' },
  handler: (context) => askOne(context, leased(context.params)),
});

export const askAssistMany = endpoint({
  method: 'POST',
  path: '/api/v1/work/leases/{lease}/assist/masks',
  summary: 'Show several objects of the image of an item, and get all their masks in one call of the model',
  body: prompts.body,
  bodyLimit: PROMPTS_BYTES,
  output: SuggestedMany,
  authorise: { inQuery: 'work.finish' },
  handler: (context) => askMany(context, leased(context.params)),
});

const goldImage = (projectId: string, params: { image: string }): AssistPlace => ({
  kind: 'gold',
  projectId,
  imageId: params.image,
});

export const readGoldAssists = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/gold/images/{image}/assist',
  summary: 'Which smart tools there are for writing gold on an image; starts preparing it',
  output: There,
  authorise: 'gold.write',
  handler: ({ db, actor, access, params }) =>
    prepareAssist(db, actor, { place: goldImage(access.project.id, params) }),
});

export const askGoldAssist = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/gold/images/{image}/assist',
  summary: 'Show an object of an image while writing gold, and get its mask as a suggestion',
  body: prompt.body,
  bodyLimit: PROMPTS_BYTES,
  output: Suggested,
  authorise: 'gold.write',
  handler: (context) => askOne(context, goldImage(context.access.project.id, context.params)),
});

export const askGoldAssistMany = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/gold/images/{image}/assist/masks',
  summary: 'Show several objects of an image while writing gold, and get all their masks in one call',
  body: prompts.body,
  bodyLimit: PROMPTS_BYTES,
  output: SuggestedMany,
  authorise: 'gold.write',
  handler: (context) => askMany(context, goldImage(context.access.project.id, context.params)),
});

const auditedLabel = (projectId: string, params: { label: string }): AssistPlace => ({
  kind: 'audit',
  projectId,
  labelId: params.label,
});

export const readAuditAssists = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/audit/labels/{label}/assist',
  summary: 'Which smart tools there are for correcting a label; starts preparing its image',
  output: There,
  authorise: 'audit.decide',
  handler: ({ db, actor, access, params }) =>
    prepareAssist(db, actor, { place: auditedLabel(access.project.id, params) }),
});

export const askAuditAssist = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/audit/labels/{label}/assist',
  summary: 'Show an object of the image of a label, and get its mask as a suggestion for the correction',
  body: prompt.body,
  bodyLimit: PROMPTS_BYTES,
  output: Suggested,
  authorise: 'audit.decide',
  handler: (context) => askOne(context, auditedLabel(context.access.project.id, context.params)),
});

export const askAuditAssistMany = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/audit/labels/{label}/assist/masks',
  summary: 'Show several objects of the image of a label, and get all their masks in one call',
  body: prompts.body,
  bodyLimit: PROMPTS_BYTES,
  output: SuggestedMany,
  authorise: 'audit.decide',
  handler: (context) => askMany(context, auditedLabel(context.access.project.id, context.params)),
});
