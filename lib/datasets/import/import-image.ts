import { and, eq, isNull } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { SourceImage } from '@/lib/formats/format';
import type { IngestContext } from '@/lib/ingest/ingest-upload';
import { labelFrom } from '@/lib/ingest/label';
import { limits } from '@/lib/ingest/limits';
import { picturePool } from '@/lib/ingest/picture-pool';
import { PictureRefused } from '@/lib/ingest/read-picture';
import { sniff } from '@/lib/ingest/sniff';
import { storeImage } from '@/lib/ingest/store-image';
import { sha256Of } from '@/lib/storage';
import { plainText, plainValue } from './plain-text';
import type { Translated } from './translate';
import { type LabelDestination, type WrittenLabels, writeLabels } from './write-labels';

const { images } = tables;

export interface ImportedImage extends WrittenLabels {
  imageId: string;
  name: string;
  isDuplicate: boolean;
}

/** A source may say where and how an image is; its pixels must be those that its masks were drawn on. */
export async function importImage(
  context: IngestContext,
  to: LabelDestination,
  image: SourceImage,
  { className, labels, hasMasks }: Translated,
  format: string,
  within: (tx: Db, stored: ImportedImage) => Promise<void>,
): Promise<ImportedImage> {
  const { db, storage } = context;
  const bytes = Buffer.from(await readBytes(image));
  const sniffed = sniff(bytes);
  if ('reason' in sniffed) throw new PictureRefused(sniffed.reason);
  const sourceSha256 = sha256Of(bytes);
  const provenance = { format, path: labelFrom(image.path) };
  const finish = async (
    tx: Db,
    stored: { id: string; name: string; className: string | null; isDuplicate: boolean },
  ) => {
    const counts = await writeLabels(
      tx,
      to,
      { id: stored.id, className: stored.className },
      labels,
      provenance,
    );
    const done = { ...counts, imageId: stored.id, name: stored.name, isDuplicate: stored.isDuplicate };
    await within(tx, done);
    return done;
  };
  const same = await findExisting(db, to.projectId, sourceSha256);
  if (same) {
    if (hasMasks) requireSamePixels(image, same, same.notes);
    return db.transaction(async (tx) =>
      finish(tx, { ...same, className: await giveClass(tx, same, className), isDuplicate: true }),
    );
  }
  const picture = await picturePool().read(bytes);
  if (hasMasks) requireSamePixels(image, picture, picture.notes);
  let done: ImportedImage | undefined;
  const entry = {
    projectId: to.projectId,
    name: labelFrom(image.name),
    className,
    wnid: image.wnid && plainText(image.wnid),
    groupKey: image.groupKey && plainText(image.groupKey),
    columns: plainValue({ ...image.columns, ...(image.split === null ? {} : { split: image.split }) }),
    origin: null,
    sourceSha256,
    notes: [],
  };
  await storeImage(db, storage, entry, picture, async (tx, stored) => {
    done = await finish(tx, { ...stored, className });
  });
  return done as ImportedImage;
}

async function readBytes(image: SourceImage): Promise<Uint8Array> {
  const bytes = await image.bytes().catch((error) => {
    throw new PictureRefused(error instanceof Error ? error.message : 'The picture cannot be read.');
  });
  if (bytes.byteLength > limits.pictureBytes)
    throw new PictureRefused(`The picture is larger than ${limits.pictureBytes / 1024 ** 2} MB.`);
  return bytes;
}

/** Masks are never scaled or turned: what was drawn on other pixels would be wrong by just a little. */
function requireSamePixels(
  image: SourceImage,
  stored: { width: number; height: number },
  notes: readonly string[],
): void {
  if (notes.includes('turned upright'))
    throw new PictureRefused(
      'The picture was turned upright by its EXIF, and its masks were not. Save it upright and bring it in again.',
    );
  const masks = [
    ...image.attributeMasks.map(({ mask }) => mask),
    ...image.objects.flatMap(({ outline, parts }) => [
      ...(outline ? [outline.mask] : []),
      ...parts.map(({ mask }) => mask),
    ]),
  ];
  const other = masks.find(({ width, height }) => width !== stored.width || height !== stored.height);
  if (other)
    throw new PictureRefused(
      `The masks are of ${other.width} × ${other.height} pixels and the picture of ${stored.width} × ${stored.height}.`,
    );
}

async function findExisting(db: Db, projectId: string, sourceSha256: string) {
  const [found] = await db
    .select()
    .from(images)
    .where(and(eq(images.projectId, projectId), eq(images.sourceSha256, sourceSha256)));
  return found;
}

/** An image that came without a class gets it; one that has a class keeps it. */
async function giveClass(
  tx: Db,
  image: { id: string; className: string | null },
  className: string | null,
): Promise<string | null> {
  if (image.className !== null || className === null) return image.className;
  await tx
    .update(images)
    .set({ className })
    .where(and(eq(images.id, image.id), isNull(images.className)));
  return className;
}
