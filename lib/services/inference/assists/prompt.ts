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

/** A path drawn over the object, or over what does not belong to it. */
const PromptStroke = z.strictObject({
  /** x and y in turn. */
  path: z.array(coordinate).min(2).max(4000),
  include: z.boolean(),
});

/** Compressed COCO counts of the upright image: the mask that the prompt corrects. */
const mask = z.string().min(1).max(1_000_000).optional();

/** User prompt for an object. */
export const AssistPrompt = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('point'), points: points.min(1), mask }),
  z.strictObject({
    kind: z.literal('box'),
    /** x, y, width, height. */
    box: z.tuple([coordinate, coordinate, length, length]),
    points: points.default([]),
    mask,
  }),
  z.strictObject({ kind: z.literal('scribble'), strokes: z.array(PromptStroke).min(1).max(32), mask }),
  z.strictObject({ kind: z.literal('main-object') }),
  /** Outline predicted by the promoted model. */
  z.strictObject({ kind: z.literal('model-outline') }),
]);

export type AssistPrompt = z.output<typeof AssistPrompt>;
/** A prompt answered interactively; outlines of the promoted model are precomputed. */
export type LivePrompt = Exclude<AssistPrompt, { kind: 'model-outline' }>;
/** A prompt with a position. */
export type PlacePrompt = Exclude<AssistPrompt, { kind: 'main-object' | 'model-outline' }>;

/** Several prompts with a position, answered in one call. */
export const PlacePrompts = z
  .array(
    z.discriminatedUnion('kind', [AssistPrompt.options[0], AssistPrompt.options[1], AssistPrompt.options[2]]),
  )
  .min(1)
  .max(32);

/** Labels of the Segment Anything decoder. */
const EXCLUDE = 0;
const INCLUDE = 1;
const TOP_LEFT = 2;
const BOTTOM_RIGHT = 3;
/** A point without a meaning. The first Segment Anything wants one when there is no box. */
const NOTHING = -1;

/** x, y, label. */
type Place = readonly [number, number, number];
const padding: Place = [0, 0, NOTHING];

export interface SamPrompts {
  /** Points of each prompt. */
  length: number;
  /** x, y pairs in the encoder's frame. */
  coordinates: Float32Array;
  labels: Float32Array;
}

/**
 * Prompts with the same number of points, in image pixels, as the decoder takes a batch of them. Positions outside of the
 * image are moved to its border.
 */
export function samPrompts(prompts: readonly PlacePrompt[], image: Size, frame: Size): SamPrompts {
  const all = prompts.flatMap(placesOf);
  const across = frame.width / image.width;
  const down = frame.height / image.height;
  return {
    length: all.length / prompts.length,
    coordinates: Float32Array.from(
      all.flatMap(([x, y]) => [clamp(x, image.width) * across, clamp(y, image.height) * down]),
    ),
    labels: Float32Array.from(all, ([, , label]) => label),
  };
}

/** The points of a prompt, in image pixels. */
export function placesOf(prompt: PlacePrompt): Place[] {
  if (prompt.kind === 'scribble') return [...scribblePoints(prompt.strokes), padding];
  const places = prompt.points.map(({ x, y, include }): Place => [x, y, include ? INCLUDE : EXCLUDE]);
  return prompt.kind === 'box' ? [...places, ...corners(prompt.box)] : [...places, padding];
}

function corners([x, y, width, height]: readonly [number, number, number, number]): Place[] {
  return [
    [x, y, TOP_LEFT],
    [x + width, y + height, BOTTOM_RIGHT],
  ];
}

/** A decoder trained with clicks follows a few points better than many. */
const POINTS_PER_STROKE = 6;

/** Points of strokes at equal distances along each path. */
function scribblePoints(strokes: readonly z.output<typeof PromptStroke>[]): Place[] {
  return strokes.flatMap(({ path, include }) =>
    sampleAlong(path, POINTS_PER_STROKE).map(([x, y]): Place => [x, y, include ? INCLUDE : EXCLUDE]),
  );
}

function sampleAlong(path: readonly number[], count: number): [number, number][] {
  const vertices = Array.from({ length: Math.floor(path.length / 2) }, (_, i): [number, number] => [
    path[2 * i] as number,
    path[2 * i + 1] as number,
  ]);
  const lengths = [0];
  for (const [i, [x, y]] of vertices.entries()) {
    const [fromX, fromY] = vertices[i - 1] ?? [x, y];
    if (i > 0) lengths.push((lengths[i - 1] as number) + Math.hypot(x - fromX, y - fromY));
  }
  const total = lengths.at(-1) as number;
  if (total === 0) return vertices.slice(0, 1);
  let segment = 1;
  // In the middles of equal pieces: the ends of a stroke are where a hand overshoots.
  return Array.from({ length: count }, (_, i) => {
    const at = ((i + 0.5) / count) * total;
    while (segment < vertices.length - 1 && (lengths[segment] as number) < at) segment++;
    const [from, to] = [lengths[segment - 1] as number, lengths[segment] as number];
    const share = to === from ? 0 : (at - from) / (to - from);
    const [a, b] = [vertices[segment - 1] as [number, number], vertices[segment] as [number, number]];
    return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
  });
}

const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value));
