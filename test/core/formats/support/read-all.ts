import type { Format, SourceTree } from '@/lib/core/formats/format';

/** Every image that a reader gives, and what it tells about the rest. */
export async function readAllImages(format: Format, tree: SourceTree) {
  const source = await format.reader?.read(tree);
  const images = [];
  for await (const image of source?.images() ?? []) images.push(image);
  return { images, notes: (source?.notes ?? []).join('\n') };
}
