import { z } from 'zod';
import { goldStates, stageKinds } from '@/db/schema';
import { decideAboutGold } from '@/lib/services/crowd/gold';
import { SubmittedValue } from '@/lib/services/crowd/work';
import { authorGold, importGold as importLines, listGold as list } from '@/lib/services/curation/gold';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';
import { readText } from '../../_http/input';
import { decodeCursor, encodeCursor, idPosition, pageOf, pageQuery } from '../../_http/pagination';

/** Bytes of a drawing, and of a file of lines. */
const ANSWER_BYTES = 4_000_000;
const FILE_BYTES = 32_000_000;

const Share = z.object({ value: z.number(), n: z.number().int(), low: z.number(), high: z.number() });

const ListedGold = z.object({
  id,
  state: z.enum(goldStates),
  stageId: id,
  stageKind: z.enum(stageKinds),
  imageId: id,
  image: z.string(),
  className: z.string().nullable(),
  target: z.string(),
  exposures: z.number().int(),
  /** Of the checks that were scored; null before the first. */
  passed: Share.nullable(),
  hasDrifted: z.boolean(),
  author: z.string().nullable(),
  confirmedBy: z.string().nullable(),
  createdAt: moment,
});

export const listGold = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/gold',
  summary: 'Gold items with how they fared, newest first',
  query: pageQuery.extend({
    state: z.enum(goldStates).optional(),
    stage: id.optional(),
    target: z.string().max(80).optional(),
  }),
  output: pageOf(ListedGold),
  authorise: 'gold.read',
  handler: async ({ db, access, query: { limit, cursor, state, stage, target } }) => {
    const after = decodeCursor(idPosition, cursor)?.[0];
    const page = await list(db, {
      projectId: access.project.id,
      state,
      stageId: stage,
      target,
      after,
      limit,
    });
    return { items: page.gold, next: page.next && encodeCursor([page.next]) };
  },
});

export const writeGold = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/gold',
  summary: 'Answer a question for good; in use at once, or a candidate that somebody confirms',
  body: z.strictObject({
    stageId: id,
    imageId: id,
    target: z.string().max(80).default(''),
    value: SubmittedValue,
    use: z.boolean().default(false),
  }),
  bodyLimit: ANSWER_BYTES,
  output: z.object({ goldId: id, state: z.enum(['active', 'candidate']) }),
  status: 201,
  authorise: 'gold.write',
  handler: ({ db, actor, access, body }) => authorGold(db, actor, { projectId: access.project.id, ...body }),
});

export const importGold = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/gold/import',
  summary:
    'Take in gold, one JSON object per line; every line is imported, unchanged or refused with a reason',
  query: z.strictObject({ use: z.enum(['true', 'false']).default('false') }),
  body: { mediaType: 'application/x-ndjson' },
  output: z.object({
    lines: z.number().int(),
    imported: z.number().int(),
    unchanged: z.number().int(),
    refused: z.array(z.object({ line: z.number().int(), reason: z.string() })),
  }),
  authorise: 'gold.write',
  handler: async ({ db, actor, access, query, request }) => {
    const text = await readText(request, FILE_BYTES);
    return importLines(db, actor, { projectId: access.project.id, text, use: query.use === 'true' });
  },
});

export const decideGold = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/gold/{gold}/decision',
  summary: 'Confirm, retire, exclude or restore a gold item',
  body: z.strictObject({
    state: z.enum(['active', 'excluded', 'retired']),
    reason: z.string().trim().min(1).max(500),
  }),
  output: null,
  authorise: 'gold.write',
  handler: async ({ db, actor, params, body }) => {
    await decideAboutGold(db, actor, { goldId: params.gold, ...body });
  },
});
