import type { ImageDetail } from '@/lib/images/get-image';
import { decodeCounts, toRegions } from '@/lib/mask';
import { type DatasetSchema, partColour } from '@/lib/schema';

export type Layer = { id: string; name: string; colour: string; path: string };

/** The masks of an image as outlines in pixels, in the colours of the schema. */
export function layersOf(schema: DatasetSchema | null, image: ImageDetail): Layer[] {
  const parts = new Map(schema?.parts.map((part) => [part.id, part]));
  return image.items
    .filter((item) => item.label?.mask)
    .map((item, i) => ({
      id: item.id,
      name: parts.get(item.target)?.name ?? (item.target || 'object'),
      colour: parts.get(item.target)?.colour ?? partColour(i),
      path: outline(item.label?.mask ?? '', image.height, image.width),
    }));
}

function outline(counts: string, height: number, width: number): string {
  return toRegions(decodeCounts(counts, height, width))
    .flatMap((region) => [region.outer, ...region.holes])
    .map(ringPath)
    .join('');
}

function ringPath(ring: readonly number[]): string {
  const points: string[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) points.push(`${ring[i]} ${ring[i + 1]}`);
  return `M${points.join('L')}Z`;
}
