import { z } from 'zod';
import { MAX_SIDE } from '@/lib/core/mask';
import { AssistUse, ShapeValue } from '@/lib/core/quality/answer';
import type { AnnotationDocument, LabelLayer, Origin } from './document';
import { MAX_SHAPES } from './limits';
import { plainShape } from './shape';

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
  };
}

/** The keys in a fixed order. */
export function plainOrigin({ kind, model, clicks, shownMs, latencyMs, edited }: Origin): AssistUse {
  return { kind, model, clicks, shownMs, latencyMs, edited };
}
