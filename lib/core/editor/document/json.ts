import { z } from 'zod';
import { MAX_SIDE } from '@/lib/core/mask';
import { type AnswerValue, AssistUse, ShapeValue } from '@/lib/core/quality/answer';
import { labelFlags } from '@/lib/core/schema';
import {
  type AnnotationDocument,
  type DrawnShape,
  emptyDocument,
  type LabelLayer,
  layerOf,
  type Origin,
} from './document';
import { applyEdits } from './edits';
import { instanceOf } from './instances';
import { MAX_SHAPES } from './limits';
import type { DocumentFrame } from './parse';
import { boxesMeet, plainShape, shapeBounds } from './shape';

/** Counts up when the stored form changes; `upgrades` in parse.ts then gets one more entry. */
export const DOCUMENT_VERSION = 2;

const side = z.number().int().positive().max(MAX_SIDE);

const LayerJson = z.strictObject({
  label: z.string().min(1).max(200),
  nothing: z.boolean(),
  shapes: z
    .array(
      z.strictObject({
        shape: ShapeValue,
        origin: AssistUse.optional(),
      }),
    )
    .max(MAX_SHAPES),
  flags: z.array(z.enum(labelFlags)).min(1).max(labelFlags.length).optional(),
});

/** A document as it lies in a draft. The shapes are those of an answer. */
export const DocumentJson = z.strictObject({
  version: z.literal(DOCUMENT_VERSION),
  height: side,
  width: side,
  layers: z.array(LayerJson).max(1000),
  aside: z.array(LayerJson).max(1000),
});

export type DocumentJson = z.infer<typeof DocumentJson>;
export type LayerJson = z.infer<typeof LayerJson>;

export function toJson(document: AnnotationDocument): DocumentJson {
  return {
    version: DOCUMENT_VERSION,
    height: document.height,
    width: document.width,
    layers: document.layers.map(layerJson),
    aside: document.aside.map(layerJson),
  };
}

/** The same document always gives the same bytes. */
export function serialize(document: AnnotationDocument): string {
  return JSON.stringify(toJson(document));
}

function layerJson(layer: LabelLayer): LayerJson {
  return {
    label: layer.label,
    nothing: layer.nothing,
    shapes: layer.shapes.map(({ shape, origin }) => ({
      shape: plainShape(shape),
      ...(origin && { origin: plainOrigin(origin) }),
    })),
    ...(layer.flags && { flags: [...layer.flags] }),
  };
}

/** The keys in a fixed order. */
function plainOrigin({ kind, model, clicks, shownMs, latencyMs, edited }: Origin): AssistUse {
  return { kind, model, clicks, shownMs, latencyMs, edited };
}

/**
 * The suggestions that are in a label's drawing, oldest first. One counts as edited when one of its shapes was
 * changed, or when a hand drew or erased over it later.
 */
function assistUses({ shapes }: LabelLayer): AssistUse[] {
  const uses = new Map<string, AssistUse>();
  shapes.forEach((drawn, i) => {
    if (!drawn.origin) return;
    const name = nameOf(drawn.origin);
    const edited =
      drawn.origin.edited || (uses.get(name)?.edited ?? false) || isDrawnOver(drawn, shapes.slice(i + 1));
    uses.set(name, { ...plainOrigin(drawn.origin), edited });
  });
  return [...uses.values()];
}

/** Two suggestions of one drawing do not agree in every millisecond. */
function nameOf(origin: Origin): string {
  return JSON.stringify({ ...plainOrigin(origin), edited: false });
}

function isDrawnOver({ shape }: DrawnShape, later: readonly DrawnShape[]): boolean {
  const bounds = shapeBounds(shape);
  // No hand draws a bitmap: those come from rules such as "subtract other parts".
  return later.some(
    (other) =>
      !other.origin &&
      other.shape.kind !== 'bitmap' &&
      instanceOf(other.shape) === instanceOf(shape) &&
      boxesMeet(shapeBounds(other.shape), bounds),
  );
}

/** What the document says about a label, or nothing while neither a shape nor "nothing to label" is there. */
export function toAnswer(document: AnnotationDocument, label: string): AnswerValue | undefined {
  const layer = layerOf(document, label);
  if (layer?.nothing) return { kind: 'nothing' };
  if (!layer?.shapes.some(({ shape }) => shape.op === 'add')) return undefined;
  const assists = assistUses(layer);
  const shapes = layer.shapes.map(({ shape }) => plainShape(shape));
  const { flags } = layer;
  return {
    kind: 'mask',
    shapes,
    ...(assists.length > 0 && { assists }),
    ...(flags && { flags: [...flags] }),
  };
}

/** A document that starts from an answer: to review it, or to correct it. */
export function fromAnswer(answer: AnswerValue, label: string, frame: DocumentFrame): AnnotationDocument {
  const empty = emptyDocument(frame.height, frame.width, frame.labels);
  if (answer.kind === 'nothing') return applyEdits(empty, [{ kind: 'nothing', label, value: true }]);
  if (answer.kind !== 'mask') return empty;
  const flags = (answer.flags ?? []).map((flag) => ({ kind: 'flag', label, flag, value: true }) as const);
  return applyEdits(empty, [{ kind: 'insert', label, shapes: answer.shapes }, ...flags]);
}
