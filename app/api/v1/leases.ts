import { z } from 'zod';
import { messageKinds } from '@/db/schema';
import { InteractionSummary } from '@/lib/core/quality/interaction';
import { getFeedback as feedback } from '@/lib/services/crowd/exams';
import {
  DRAFT_BYTES,
  DraftDocument,
  findLeaseImage,
  reportItem as report,
  requireOwnLease,
  SubmittedValue,
  saveDraft as save,
  submitAnswer as submit,
} from '@/lib/services/crowd/work';
import { storage } from '@/lib/services/storage';
import { serveBlob } from '@/lib/services/storage/serve-blob';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';
import { afterLookup } from '../_http/input';
import { Language } from './work-fields';

/** Bytes: 100,000 vertices with all the digits that a browser may send. */
const ANSWER_BYTES = 4_000_000;
const DAY_MS = 86_400_000;

/** Time spent on the item, without pauses. */
const activeMs = z.number().int().min(0).max(DAY_MS);
/** For programs: see `forPrograms` of the item. */
const programCode = z.string().max(200);

const draft = afterLookup(
  z.strictObject({
    /** The revision that the change builds on; 0 when there was no draft. */
    revision: z.number().int().min(0).max(1_000_000_000),
    document: DraftDocument,
    activeMs: activeMs.optional(),
    /** Marks the item as done: this becomes its answer when the batch ends. Without it the item is open. */
    answer: z
      .strictObject({
        value: SubmittedValue,
        interaction: InteractionSummary.optional(),
        programCode: programCode.optional(),
      })
      .optional(),
  }),
);

export const saveDraft = endpoint({
  method: 'PUT',
  path: '/api/v1/work/leases/{lease}/draft',
  summary:
    'Store the unsubmitted state, and whether it is done; 409 carries what was stored elsewhere in between',
  body: draft.body,
  bodyLimit: DRAFT_BYTES + ANSWER_BYTES,
  output: z.object({ revision: z.number().int() }),
  authorise: { inQuery: 'work.finish' },
  handler: async ({ db, actor, params, body }) => {
    await requireOwnLease(db, actor, params.lease);
    return save(db, actor, { leaseId: params.lease, ...draft.parse(body) });
  },
});

const answer = afterLookup(
  z.strictObject({
    /** A UUID of your own making: the same id is the same answer, however often it is sent. */
    id,
    value: SubmittedValue,
    activeMs,
    /** How it was entered, as the annotator measures it: counts and spreads, no positions and no keys. */
    interaction: InteractionSummary.optional(),
    programCode: programCode.optional(),
  }),
);

export const submitAnswer = endpoint({
  method: 'POST',
  path: '/api/v1/work/leases/{lease}/answer',
  summary: 'Answer an item, for good',
  body: answer.body,
  bodyLimit: ANSWER_BYTES,
  output: z.object({
    answerId: id,
    storedAt: moment,
    /** The batch takes no more answers: an exam that is decided before its end. */
    isOver: z.boolean(),
  }),
  authorise: { inQuery: 'work.finish' },
  handler: async ({ db, actor, params, body }) => {
    await requireOwnLease(db, actor, params.lease);
    const { id: answerId, ...given } = answer.parse(body);
    return submit(db, actor, { leaseId: params.lease, answerId, ...given });
  },
});

export const getFeedback = endpoint({
  method: 'GET',
  path: '/api/v1/work/leases/{lease}/feedback',
  summary: 'How an item of practice was answered, and what was right; other items have no feedback',
  query: z.strictObject({ language: Language.optional() }),
  output: z.object({
    passed: z.boolean(),
    score: z.record(z.string(), z.number()),
    /** What `score.level` has to reach on average in an exam of outlines. */
    bar: z.number().nullable(),
    truth: z.object({ value: z.record(z.string(), z.unknown()), mask: z.string().nullable() }),
    /** What the curator wrote: the definition, and why some examples are not good. */
    guide: z.object({ definition: z.string(), notes: z.array(z.string()) }),
  }),
  authorise: { inQuery: 'work.read' },
  handler: ({ db, actor, params, query }) => feedback(db, actor, { leaseId: params.lease, ...query }),
});

/** Seconds that a browser keeps the image of an item. */
const IMAGE_SECONDS = 3600;

export const getLeaseImage = endpoint({
  method: 'GET',
  path: '/api/v1/work/leases/{lease}/image',
  summary: 'The image of an item of yours',
  output: { mediaType: 'image/*' },
  authorise: { inQuery: 'work.read' },
  handler: async ({ db, actor, params, request }) => {
    const { sha256 } = await findLeaseImage(db, actor, { leaseId: params.lease });
    return serveBlob(db, storage(), sha256, request, { etag: params.lease, maxAge: IMAGE_SECONDS });
  },
});

const message = z.string().trim().max(4000);

const reported = afterLookup(
  z.discriminatedUnion('kind', [
    z.strictObject({ id, kind: z.literal(messageKinds[0]), text: message.min(1) }),
    z.strictObject({ id, kind: z.literal(messageKinds[1]), text: message.default('') }),
  ]),
);

export const reportItem = endpoint({
  method: 'POST',
  path: '/api/v1/work/leases/{lease}/report',
  summary: 'Tell the curator something about an item; one with a broken image is taken from you',
  body: reported.body,
  output: z.object({ messageId: id, leaseState: z.enum(['open', 'answered', 'released']) }),
  authorise: { inQuery: 'work.finish' },
  handler: async ({ db, actor, params, body }) => {
    await requireOwnLease(db, actor, params.lease);
    const { id: messageId, kind, text } = reported.parse(body);
    return report(db, actor, { leaseId: params.lease, messageId, kind, text });
  },
});
