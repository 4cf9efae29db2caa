import { z } from 'zod';
import type { StageKind } from '@/db/schema';
import { encodeCounts, fromCounts, MaskError } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { choicesFrom, type DatasetSchema } from '@/lib/core/schema';

const polygon = z
  .array(z.number())
  .min(6)
  .refine((list) => list.length % 2 === 0, 'coordinates come in pairs');

const Rle = z.object({
  size: z.tuple([z.number().int().positive(), z.number().int().positive()]),
  counts: z.union([z.string(), z.array(z.number())]),
});

/** One line of an import: an image, what is asked about it, and the answer. */
export const GoldLine = z.strictObject({
  /** Name of the image, or the SHA-256 of its file. */
  image: z.string().min(1).max(1000),
  target: z.string().max(80).optional(),
  attributes: z.union([z.array(z.string()), z.record(z.string(), z.array(z.string()))]).optional(),
  /** COCO: polygons, or run lengths. */
  segmentation: z.union([z.array(polygon).min(1).max(1000), Rle]).optional(),
  nothing: z.literal(true).optional(),
  class: z.string().max(80).optional(),
});

export type GoldLine = z.infer<typeof GoldLine>;

const answers = ['attributes', 'segmentation', 'nothing', 'class'] as const;

export type ReadLine = { ok: true; line: GoldLine } | { ok: false; reason: string };

export function readGoldLine(text: string): ReadLine {
  // PostgreSQL has no place for it in a text, and one line must not stop the others.
  if (text.includes('\\u0000')) return { ok: false, reason: 'It holds the character U+0000.' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'It is not JSON.' };
  }
  const parsed = GoldLine.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { ok: false, reason: `${issue?.path.join('.') || 'The line'}: ${issue?.message}.` };
  }
  const given = answers.filter((name) => parsed.data[name] !== undefined);
  if (given.length === 1) return { ok: true, line: parsed.data };
  const reason =
    given.length === 0
      ? `It has no answer: give one of ${answers.join(', ')}.`
      : `It has several answers (${given.join(', ')}): give one.`;
  return { ok: false, reason };
}

/** The stage that a line speaks about, by what it answers. */
export function stageKindOf(line: GoldLine): StageKind {
  if (line.attributes !== undefined) return 'attributes';
  if (line.class !== undefined) return 'oracle';
  return targetIn(line) === '' ? 'object-mask' : 'part-mask';
}

/** "object" is how a whole object is called elsewhere. */
export const targetIn = ({ target = '' }: GoldLine): string => (target === 'object' ? '' : target);

/** The answer in our own words, or why it cannot be one. */
export function answerIn(
  line: GoldLine,
  schema: DatasetSchema,
  size: { height: number; width: number },
): AnswerValue | string {
  if (line.nothing) return { kind: 'nothing' };
  if (line.class !== undefined) return { kind: 'class', className: line.class };
  if (line.attributes !== undefined) {
    if (!Array.isArray(line.attributes)) return { kind: 'attributes', choices: line.attributes };
    const known = new Set(schema.attributes.map(({ id }) => id));
    const stranger = line.attributes.find((id) => !known.has(id));
    if (stranger !== undefined) return `The schema has no attribute "${stranger}".`;
    return { kind: 'attributes', choices: choicesFrom(schema, line.attributes) };
  }
  const { segmentation = [] } = line;
  if (Array.isArray(segmentation)) {
    const shapes = segmentation.map((outer) => ({
      kind: 'polygon' as const,
      op: 'add' as const,
      outer,
      holes: [],
    }));
    return { kind: 'mask', shapes };
  }
  const [height, width] = segmentation.size;
  if (height !== size.height || width !== size.width) {
    return `The mask is ${width} × ${height} pixels, the image ${size.width} × ${size.height}.`;
  }
  try {
    const counts =
      typeof segmentation.counts === 'string'
        ? segmentation.counts
        : encodeCounts(fromCounts(segmentation.counts, height, width));
    return { kind: 'mask', shapes: [{ kind: 'bitmap', op: 'add', size: [height, width], counts }] };
  } catch (error) {
    if (!(error instanceof MaskError)) throw error;
    return `The run lengths are not valid: ${error.message}.`;
  }
}
