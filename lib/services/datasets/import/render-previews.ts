import sharp from 'sharp';
import type { SourceTree } from '@/lib/core/formats/format';
import { type Mapping, MappingApplier, paintOverlay, readLists } from '@/lib/core/formats/mapping';
import type { RawImage } from '@/lib/core/formats/shared/raw-source';
import { Notes } from '@/lib/core/formats/shared/read-tree';
import type { DatasetSchema } from '@/lib/core/schema';
import { picturePool } from '@/lib/services/images/ingest/picture-pool';

export const PREVIEWS = 12;

export interface Preview {
  path: string;
  className: string | null;
  split: string | null;
  /** Null if the picture cannot be shown, with the reason. */
  picture: Buffer | null;
  problem: string | null;
  width: number;
  height: number;
}

/** Chooses images for previews: those that show a category for the first time, then the first others. */
export class PreviewChoice {
  readonly #shown = new Set<string>();
  readonly #first: RawImage[] = [];
  readonly #others: RawImage[] = [];

  add(image: RawImage): void {
    if (image.problem !== undefined || image.annotations.length === 0) return;
    const isNew = image.annotations.some(({ category }) => !this.#shown.has(category));
    if (isNew && this.#first.length < PREVIEWS) {
      for (const { category } of image.annotations) this.#shown.add(category);
      this.#first.push(image);
    } else if (this.#others.length < PREVIEWS) this.#others.push(image);
  }

  images(): RawImage[] {
    return [...this.#first, ...this.#others].slice(0, PREVIEWS);
  }
}

/** Renders images with the labels of a mapping in the colours of its schema, as JPEG. */
export async function renderPreviews(
  tree: SourceTree,
  images: readonly RawImage[],
  { mapping, schema }: { mapping: Mapping; schema: DatasetSchema },
): Promise<Preview[]> {
  const applier = new MappingApplier({ mapping, schema, lists: await readLists(mapping, tree) });
  return Promise.all(images.map((image) => renderPreview(image, applier, schema)));
}

async function renderPreview(
  raw: RawImage,
  applier: MappingApplier,
  schema: DatasetSchema,
): Promise<Preview> {
  const { path } = raw;
  try {
    const image = await applier.image(raw, new Notes());
    const { className, split, objects } = image;
    const read = await picturePool().read(Buffer.from(await raw.bytes()));
    const { bytes, width, height } = read.thumbnail;
    const mask = objects.flatMap(({ outline, parts }) => [...(outline ? [outline] : []), ...parts])[0]?.mask;
    const problem =
      mask && (mask.width !== read.width || mask.height !== read.height)
        ? `The masks have ${mask.width} × ${mask.height} pixels, but the picture has ${read.width} × ${read.height}.`
        : null;
    const overlay = Buffer.from(paintOverlay(objects, schema, { width, height }).buffer);
    const picture = await sharp(bytes)
      .removeAlpha()
      .composite([{ input: overlay, raw: { width, height, channels: 4 } }])
      .jpeg({ quality: 82 })
      .toBuffer();
    return { path, className, split, picture, problem, width, height };
  } catch (error) {
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, 300);
    return { path, className: null, split: null, picture: null, problem, width: 0, height: 0 };
  }
}
