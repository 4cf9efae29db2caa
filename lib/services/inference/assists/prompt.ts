import { z } from 'zod';
import { MAX_COORDINATE } from '@/lib/core/mask';

const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
const length = z.number().positive().max(MAX_COORDINATE);

/** In pixels of the upright image. */
const PromptPoint = z.strictObject({
  x: coordinate,
  y: coordinate,
  /** False: what is here does not belong to the object. */
  include: z.boolean(),
});

/** More clicks than this help no model. */
const points = z.array(PromptPoint).max(64);

/** What a person shows of the object that is meant. */
export const AssistPrompt = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('point'), points: points.min(1) }),
  z.strictObject({
    kind: z.literal('box'),
    /** x, y, width, height. */
    box: z.tuple([coordinate, coordinate, length, length]),
    points: points.default([]),
  }),
  z.strictObject({ kind: z.literal('main-object') }),
  /** What the project's promoted model takes for what is asked. */
  z.strictObject({ kind: z.literal('model-outline') }),
]);

export type AssistPrompt = z.output<typeof AssistPrompt>;
/** A prompt that a model answers while somebody waits; outlines of the project's model are made beforehand. */
export type LivePrompt = Exclude<AssistPrompt, { kind: 'model-outline' }>;
/** A prompt that shows where the object is. */
export type PlacePrompt = Exclude<AssistPrompt, { kind: 'main-object' | 'model-outline' }>;
