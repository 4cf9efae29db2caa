import { innerBoundary, type Mask, scale, toBitmap } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { instanceMasks, type ObjectLabel } from '../dataset';

/** Opacity of parts and of the outlines of objects, 0 to 255. */
const FILL = 140;
const LINE = 255;
const STUFF = 70;
const OBJECT_COLOUR = '#ffffff';
const IGNORED_COLOUR = '#808080';

/** Paints labels in the colours of the schema on a transparent image of the given size, row by row as RGBA. */
export function paintOverlay(
  objects: readonly ObjectLabel[],
  schema: DatasetSchema,
  { width, height }: { width: number; height: number },
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(width * height * 4);
  const parts = new Map(schema.parts.map((part) => [part.id, part]));
  const stuff = new Set(schema.classes.flatMap(({ id, kind }) => (kind === 'stuff' ? [id] : [])));
  const small = (mask: Mask) => scale(mask, height, width);
  for (const { className, outline } of objects) {
    if (!outline) continue;
    const isFilled = className === null || stuff.has(className) || outline.flags?.includes('crowd');
    if (isFilled) paint(pixels, small(outline.mask), IGNORED_COLOUR, STUFF);
  }
  for (const { parts: own } of objects)
    for (const label of [...own].sort(
      (a, b) => (parts.get(a.id)?.zOrder ?? 0) - (parts.get(b.id)?.zOrder ?? 0),
    ))
      for (const mask of instanceMasks(label)) {
        const colour = parts.get(label.id)?.colour ?? OBJECT_COLOUR;
        paint(pixels, small(mask), colour, FILL);
        paint(pixels, innerBoundary(small(mask)), colour, LINE);
      }
  for (const { outline } of objects)
    if (outline) paint(pixels, innerBoundary(small(outline.mask)), OBJECT_COLOUR, LINE);
  return pixels;
}

function paint(pixels: Uint8ClampedArray, mask: Mask, colour: string, alpha: number): void {
  const bits = toBitmap(mask);
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  for (let i = 0; i < bits.length; i++)
    if (bits[i]) pixels.set([red ?? 0, green ?? 0, blue ?? 0, alpha], i * 4);
}
