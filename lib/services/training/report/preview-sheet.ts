import { and, desc, eq, inArray } from 'drizzle-orm';
import sharp from 'sharp';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { readAll, type Storage } from '@/lib/services/storage';

const { derivatives, images, runFiles } = tables;

const FOLDER = 'artifacts/previews';
const MAX_BYTES = 64 * 1024 * 1024;
/** Pixels of a picture on the sheet. */
const SIDE = 128;

const Index = z.object({
  images: z.array(z.string().max(500)).max(64),
  count: z.number().int().min(1).max(64),
  height: z.number().int().min(1).max(1024),
  width: z.number().int().min(1).max(1024),
});

/** `pictures`, `truth` for the masks that people drew, or the stage and epoch of predicted ones, as their file is named. */
export const PreviewName = z.union([z.enum(['pictures', 'truth']), z.string().regex(/^\d{1,2}-\d{4,6}$/)]);

/**
 * The validation images of a run side by side, with what people drew or the model predicted painted over them. It is made anew for
 * whoever asks: a few small pictures take milliseconds, and the browser keeps it.
 */
export async function previewSheet(
  db: Db,
  storage: Storage,
  { projectId, runId, name, view }: { projectId: string; runId: string; name: string; view: string },
): Promise<Buffer> {
  const wanted = [`${FOLDER}/index.json`, `${FOLDER}/${name}.u8`];
  const files = await db
    .select({ path: runFiles.path, blob: runFiles.blob })
    .from(runFiles)
    .where(and(eq(runFiles.runId, runId), inArray(runFiles.path, wanted)));
  const read = async (path: string) => {
    const file = files.find((each) => each.path === path);
    if (!file) throw notFound('preview');
    return readAll(await storage.get(file.blob), MAX_BYTES);
  };
  const index = Index.parse(JSON.parse((await read(`${FOLDER}/index.json`)).toString('utf8')));
  const values = name === 'pictures' ? null : await read(`${FOLDER}/${name}.u8`);
  const blobs = await blobsOf(db, projectId, index.images);
  const tiles = await Promise.all(
    index.images.map(async (image, at) => {
      const blob = blobs.get(image);
      const picture = blob
        ? sharp(await readAll(await storage.get(blob), MAX_BYTES))
        : sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#808080' } });
      const pixels = await picture
        .removeAlpha()
        .toColourspace('srgb')
        .resize(SIDE, SIDE, { fit: view === 'center' ? 'cover' : 'fill' })
        .raw()
        .toBuffer();
      const size = index.width * index.height;
      return values ? paintedOver(pixels, SIDE, values.subarray(at * size, (at + 1) * size), index) : pixels;
    }),
  );
  const gap = 4;
  return sharp({
    create: {
      width: tiles.length * (SIDE + gap) - gap,
      height: SIDE,
      channels: 4,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    },
  })
    .composite(
      tiles.map((input, at) => ({
        input,
        raw: { width: SIDE, height: SIDE, channels: 3 },
        left: at * (SIDE + gap),
        top: 0,
      })),
    )
    .png()
    .toBuffer();
}

/** The stored thumbnails by name; of two images of one name the newest. */
async function blobsOf(db: Db, projectId: string, names: string[]): Promise<Map<string, string>> {
  const found = await db
    .select({ name: images.name, blob: derivatives.blob })
    .from(images)
    .innerJoin(derivatives, and(eq(derivatives.imageId, images.id), eq(derivatives.kind, 'thumbnail')))
    .where(and(eq(images.projectId, projectId), inArray(images.name, names)))
    .orderBy(desc(images.id));
  return new Map(found.toReversed().map(({ name, blob }) => [name, blob]));
}

/** Hues a golden angle apart never come close to each other, however many parts there are. */
const GOLDEN_ANGLE = 137.508;
/** Share of the colour over the picture: the picture must stay readable. */
const OPACITY = 0.6;

type Rgb = [red: number, green: number, blue: number];

const [BACKGROUND, UNLABELLED] = [0, 255];

/** The colour of a mask value; background and what nobody labelled have none. */
export function previewColour(value: number): Rgb | null {
  if (value === BACKGROUND || value === UNLABELLED) return null;
  const hue = ((value - 1) * GOLDEN_ANGLE) % 360;
  // HSL with saturation 0.85; every other turn is darker, so that neighbouring hues differ twice.
  const lightness = value % 2 ? 0.55 : 0.45;
  const chroma = 0.85 * Math.min(lightness, 1 - lightness);
  const at = (n: number) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [at(0), at(8), at(4)];
}

/** A square RGB picture with mask values painted over it, each by its colour; by the nearest pixel. */
function paintedOver(
  pixels: Uint8Array,
  side: number,
  values: Uint8Array,
  { width, height }: { width: number; height: number },
): Buffer {
  const painted = Buffer.from(pixels);
  for (let y = 0; y < side; y++) {
    const row = Math.floor(((y + 0.5) * height) / side) * width;
    for (let x = 0; x < side; x++) {
      const colour = previewColour(values[row + Math.floor(((x + 0.5) * width) / side)] ?? 0);
      if (!colour) continue;
      const at = (y * side + x) * 3;
      for (let c = 0; c < 3; c++)
        painted[at + c] = Math.round(
          (painted[at + c] as number) * (1 - OPACITY) + (colour[c] as number) * OPACITY,
        );
    }
  }
  return painted;
}
