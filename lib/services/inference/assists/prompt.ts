import { z } from 'zod';
import { MAX_COORDINATE } from '@/lib/core/mask';
import type { Size } from './tensors';

const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
const length = z.number().positive().max(MAX_COORDINATE);

/** In pixels of the upright image. */
const PromptPoint = z.strictObject({
  x: coordinate,
  y: coordinate,
  /** False: the point is background. */
  include: z.boolean(),
});

/** More points do not help. */
const points = z.array(PromptPoint).max(64);

/** User prompt for an object. */
export const AssistPrompt = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('point'), points: points.min(1) }),
  z.strictObject({
    kind: z.literal('box'),
    /** x, y, width, height. */
    box: z.tuple([coordinate, coordinate, length, length]),
    points: points.default([]),
  }),
  z.strictObject({ kind: z.literal('main-object') }),
  /** Outline predicted by the promoted model. */
  z.strictObject({ kind: z.literal('model-outline') }),
]);

export type AssistPrompt = z.output<typeof AssistPrompt>;
/** A prompt answered interactively; outlines of the promoted model are precomputed. */
export type LivePrompt = Exclude<AssistPrompt, { kind: 'model-outline' }>;
/** A prompt with a position. */
export type PlacePrompt = Exclude<AssistPrompt, { kind: 'main-object' | 'model-outline' }>;

/** Labels of the Segment Anything decoder. */
const EXCLUDE = 0;
const INCLUDE = 1;
const TOP_LEFT = 2;
const BOTTOM_RIGHT = 3;
/** The decoder wants a last point that means nothing when there is no box. */
const NOTHING = -1;

/** x, y, label. */
type Place = readonly [number, number, number];
const padding: Place = [0, 0, NOTHING];

interface SamPrompt {
  /** x, y pairs in the encoder's frame. */
  coordinates: Float32Array;
  labels: Float32Array;
}

/** A prompt in image pixels as the decoder takes it; what lies outside of the image is moved to its border. */
export function samPrompt(prompt: PlacePrompt, image: Size, frame: Size): SamPrompt {
  const places = prompt.points.map(({ x, y, include }): Place => [x, y, include ? INCLUDE : EXCLUDE]);
  const all = prompt.kind === 'box' ? [...places, ...corners(prompt.box)] : [...places, padding];
  const across = frame.width / image.width;
  const down = frame.height / image.height;
  return {
    coordinates: Float32Array.from(
      all.flatMap(([x, y]) => [clamp(x, image.width) * across, clamp(y, image.height) * down]),
    ),
    labels: Float32Array.from(all, ([, , label]) => label),
  };
}

function corners([x, y, width, height]: readonly [number, number, number, number]): Place[] {
  return [
    [x, y, TOP_LEFT],
    [x + width, y + height, BOTTOM_RIGHT],
  ];
}

const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value));
