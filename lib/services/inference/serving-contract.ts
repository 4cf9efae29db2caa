import { z } from 'zod';
import { invalid } from '@/lib/core/errors';

/** Far more than any vision model has; protects against exhausting memory. */
const MAX_SIDE = 1024;
const MAX_CHANNELS = 256;
const MAX_CLASSES = 4096;

const triple = z.tuple([z.number(), z.number(), z.number()]);

const Contract = z.object({
  input: z.object({
    name: z.string().min(1),
    height: z.number().int().min(8).max(MAX_SIDE),
    width: z.number().int().min(8).max(MAX_SIDE),
    view: z.enum(['whole', 'center']).default('whole'),
    mean: triple.default([0, 0, 0]),
    std: triple.default([1, 1, 1]),
    layout: z.enum(['NCHW', 'NHWC']).default('NCHW'),
    channels: z.enum(['RGB', 'BGR']).default('RGB'),
  }),
  outputs: z.object({
    logits: z.string().min(1),
    masks: z.string().min(1).optional(),
    features: z.string().min(1).optional(),
  }),
  outputKind: z.enum(['logits', 'probs']).default('logits'),
  classes: z.array(z.string()).min(2).max(MAX_CLASSES),
  parts: z.array(z.object({ id: z.string(), class: z.number().int() })).default([]),
  maskValues: z.array(z.string()).max(MAX_CHANNELS).default([]),
});

/** Everything needed to run a model and read its outputs. */
export interface ServingContract {
  input: {
    name: string;
    side: number;
    view: 'whole' | 'center';
    mean: number[];
    std: number[];
    layout: 'NCHW' | 'NHWC';
    channels: 'RGB' | 'BGR';
  };
  /** Kind of class outputs. */
  outputKind: 'logits' | 'probs';
  outputs: { logits: string; masks: string | null; features: string | null };
  classes: string[];
  /** Part of each mask channel after the background, or null for a whole object. */
  channels: (string | null)[];
}

/** Parses the contract of a model that the platform runs. */
export function readServingContract(contract: Record<string, unknown>): ServingContract {
  const parsed = Contract.safeParse(contract);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(
      `The model cannot be used: its contract is not complete (${issue?.path.join('.')}: ${issue?.message}).`,
    );
  }
  const { input, outputs, outputKind, classes, parts, maskValues } = parsed.data;
  if (input.height !== input.width)
    throw invalid('The model cannot be used: its input is not square. Export it with a square input.');
  // One channel for each class where a model draws objects only, or one for each part of each class.
  const [, ...drawn] = maskValues;
  const isByClass = drawn.length === classes.length && drawn.every((name, at) => name === classes[at]);
  if (drawn.length > 0 && !isByClass && drawn.length !== parts.length)
    throw invalid(
      'The model cannot be used: its mask channels match neither its parts nor its classes. Correct maskValues in the contract.',
    );
  return {
    input: {
      name: input.name,
      side: input.width,
      view: input.view,
      mean: input.mean,
      std: input.std,
      layout: input.layout,
      channels: input.channels,
    },
    outputKind,
    outputs: {
      logits: outputs.logits,
      masks: drawn.length > 0 ? (outputs.masks ?? null) : null,
      features: outputs.features ?? null,
    },
    classes,
    channels: isByClass ? classes.map(() => null) : drawn.length > 0 ? parts.map(({ id }) => id) : [],
  };
}

/** Target of whole-object masks in items. */
export const OBJECT_MASK = '';

/** Item targets that the model predicts masks for. */
export function listDrawable({ outputs, channels }: ServingContract): Set<string> {
  if (outputs.masks === null) return new Set();
  return new Set([OBJECT_MASK, ...channels.filter((id): id is string => id !== null)]);
}
