import { z } from 'zod';
import { batchKinds, batchStates, payReviewReasons, stageKinds } from '@/db/schema';
import { type Locale, locales } from '@/lib/core/i18n/locales';
import { scoreBands } from '@/lib/core/quality/score-check';
import { askedFlags, DatasetSchema } from '@/lib/core/schema';
import { gateNames } from '@/lib/services/crowd/work';
import { id, moment } from '../_http/fields';

/** In which names and definitions are wanted. */
export const Language = z.enum(locales as [Locale, ...Locale[]]);

const side = z.number().int().positive();

/** Every item has every field, so that nothing tells one kind of item from another. */
const WorkItem = z.strictObject({
  leaseId: id,
  position: z.number().int(),
  state: z.enum(['open', 'answered', 'released']),
  /** Which of `schemas` the item is pinned to. */
  schemaVersionId: id,
  className: z.string().nullable(),
  image: z.strictObject({
    /** Of the upright image: the pixels in which shapes are told. */
    width: side,
    height: side,
    /** Which image of the batch it is, from 1 in the order of the items: items of one image are worked on together. */
    number: z.number().int().positive(),
    /** What to show: a link for you alone, and the size of that file. */
    working: z.strictObject({ url: z.string(), width: side, height: side }),
  }),
  /** What to draw; null where the question is about the whole image. */
  target: z
    .strictObject({
      id: z.string(),
      name: z.string(),
      definition: z.string().nullable(),
      colour: z.string(),
      isNumbered: z.boolean(),
      flags: z.array(z.enum(askedFlags)),
    })
    .nullable(),
  /** The outline of the object that a part is asked of, where the image shows several. */
  object: z.string().nullable(),
  /** Other parts that are drawn on the image by now, as compressed COCO counts of the upright image. */
  neighbours: z.array(z.strictObject({ target: z.string(), counts: z.string() })),
  /** Whether the project's model has an outline to look at: ask for it with the prompt `model-outline`. */
  hasOutline: z.boolean(),
  /** A note for programs that is never shown to people. It is of the same form for every item. */
  forPrograms: z.string(),
  draft: z
    .strictObject({
      revision: z.number().int(),
      document: z.record(z.string(), z.unknown()),
      /** Marked as done: it becomes the answer when the batch ends. */
      done: z.boolean(),
      /** Time spent on the item so far, without pauses. */
      activeMs: z.number().int(),
    })
    .nullable(),
  /** As it was submitted. */
  answer: z.record(z.string(), z.unknown()).nullable(),
});

/** One batch of a stage at a time: it may be of another kind than was asked for, when that is open already. */
export const Taken = z.object({
  batch: z.object({ id, leasedUntil: moment, kind: z.enum(batchKinds) }).nullable(),
});

export const WorkBatch = z.object({
  id,
  kind: z.enum(batchKinds),
  state: z.enum(batchStates),
  leasedUntil: moment,
  project: z.object({ name: z.string(), slug: z.string() }),
  stage: z.object({ kind: z.enum(stageKinds), name: z.string() }),
  /** What is drawn gives way to the parts that are drawn already: `neighbours` of the items. */
  subtractOtherParts: z.boolean(),
  /** Width of the window that the work needs, in CSS pixels; 0 for any. */
  minScreenWidth: z.number().int(),
  /** The language in which the project's texts were written, and how many of those below are in the wanted one. */
  texts: z.object({ original: z.string(), coverage: z.enum(['all', 'some', 'none']) }),
  schemas: z.array(z.object({ id, document: DatasetSchema })),
  items: z.array(WorkItem),
});

/** In millionths of the currency, as a string of digits. */
const micro = z.preprocess((value) => String(value), z.string());
const Money = z.object({ amountMicro: micro, currency: z.string() });

export const Closed = z.object({
  id,
  state: z.enum(['submitted', 'expired', 'returned']),
  /** Null when nothing was finished, or while the pay is in review. */
  pay: Money.nullable(),
  /** Why a person looks at the batch before it is paid. */
  review: z.enum(payReviewReasons).nullable(),
});

/** What is held against the bar of the stage. */
const Measure = z.object({
  name: z.enum(['precision', 'recall', 'iou']),
  value: z.number().nullable(),
  bar: z.number(),
});

export const Summary = z.object({
  kind: z.enum(batchKinds),
  state: z.enum(batchStates),
  project: z.object({ name: z.string(), slug: z.string() }),
  stage: z.object({ id, name: z.string(), kind: z.enum(stageKinds) }),
  /** Items in the batch, and those answered. */
  leased: z.number().int(),
  answered: z.number().int(),
  activeMs: z.number(),
  pay: Money.nullable(),
  hourlyMicro: z.preprocess((value) => (value === null ? null : String(value)), z.string().nullable()),
  hourlyTarget: Money,
  /** Why a person looks at the batch before it is paid, and the outcome. */
  review: z
    .object({
      reason: z.enum(payReviewReasons),
      state: z.enum(['open', 'approved', 'refused']),
      note: z.string(),
    })
    .nullable(),
  /** How your work in the stage compares with the bar, coarsely; null while there is too little to tell. */
  score: z.object({ band: z.enum(scoreBands) }).nullable(),
  /** What stands between you and another batch; null when nothing does. */
  gate: z.object({ gate: z.enum(gateNames), says: z.string(), until: moment.optional() }).nullable(),
  /** The newest message about the quality of your work in this stage. */
  hint: z.string().nullable(),
  /** The decision that paused or ended your work, to which you may object. */
  decisionId: id.nullable(),
  nextBatchMs: z.number().nullable(),
  exam: z.object({ passed: z.boolean().nullable(), measures: z.array(Measure) }).nullable(),
});
