import type { Outline } from '@/app/_ui/outlined-picture';
import type { ImageDetail } from '@/lib/images/get-image';
import { decodeCounts, outlinePath } from '@/lib/mask';
import { type DatasetSchema, partColour } from '@/lib/schema';

export type Layer = Outline & { name: string };

/** The masks of an image as outlines in pixels, in the colours of the schema. */
export function layersOf(schema: DatasetSchema | null, image: ImageDetail): Layer[] {
  const parts = new Map(schema?.parts.map((part) => [part.id, part]));
  return image.items
    .filter((item) => item.label?.mask)
    .map((item, i) => ({
      id: item.id,
      name: parts.get(item.target)?.name ?? (item.target || 'object'),
      colour: parts.get(item.target)?.colour ?? partColour(i),
      path: outlinePath(decodeCounts(item.label?.mask ?? '', image.height, image.width)),
    }));
}
