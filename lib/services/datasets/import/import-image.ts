import { and, eq, isNull } from 'drizzle-orm';
import { type Db, type Transaction, tables } from '@/db';
import { conflict } from '@/lib/core/errors';
import type { SourceImage } from '@/lib/core/formats/format';
import type { MappedImage } from '@/lib/core/formats/mapping';
import { limits } from '@/lib/core/image-limits';
import { decodeCounts } from '@/lib/core/mask';
import { readTarget } from '@/lib/core/schema';
import { lockImages } from '@/lib/services/images/change-batch';
import type { IngestContext } from '@/lib/services/images/ingest/ingest-upload';
import { cleanLabel } from '@/lib/services/images/ingest/label';
import { picturePool } from '@/lib/services/images/ingest/picture-pool';
import { PictureRefused, sniff } from '@/lib/services/images/ingest/read-picture';
import { type StoredImage, storeImage } from '@/lib/services/images/ingest/store-image';
import { sha256Of } from '@/lib/services/storage';
import { plainText, plainValue } from './import-dataset';
import type { KnownObject, Translated, Translator } from './translate';
import { type LabelDestination, type WrittenLabels, writeLabels } from './write-labels';

const { images, projects } = tables;

export interface ImportedImage extends WrittenLabels {
  imageId: string;
  name: string;
  isDuplicate: boolean;
  /** The labels after translation. */
  translated: Translated;
}

interface ImageToImport {
  image: MappedImage;
  translator: Translator;
  /** For a new image. */
  translated: Translated;
  format: string;
}

/** An image to import. Its pixels must be those on which the masks were drawn. */
export async function importImage(
  context: IngestContext,
  to: LabelDestination,
  given: ImageToImport,
  within: (tx: Db, stored: ImportedImage) => Promise<void>,
): Promise<ImportedImage> {
  const { db, storage } = context;
  const { image, translated } = given;
  const { className, hasMasks } = translated;
  const bytes = Buffer.from(await readBytes(image));
  const sniffed = sniff(bytes);
  if ('reason' in sniffed) throw new PictureRefused(sniffed.reason);
  const sourceSha256 = sha256Of(bytes);
  const finish = async (tx: Transaction, stored: StoredImage) => {
    const done = await label(tx, to, given, stored);
    await within(tx, done);
    return done;
  };
  const same = await findExisting(db, to.projectId, sourceSha256);
  if (same) {
    if (hasMasks) requireSamePixels(image, same, same.notes);
    return db.transaction((tx) => finish(tx, { id: same.id, name: same.name, isDuplicate: true }));
  }
  const picture = await picturePool().read(bytes);
  if (hasMasks) requireSamePixels(image, picture, picture.notes);
  let done: ImportedImage | undefined;
  const entry = {
    projectId: to.projectId,
    name: cleanLabel(image.name),
    className,
    wnid: image.wnid && plainText(image.wnid),
    groupKey: image.groupKey && plainText(image.groupKey),
    columns: plainValue({ ...image.columns, ...(image.split === null ? {} : { split: image.split }) }),
    origin: null,
    sourceSha256,
    notes: [],
  };
  await storeImage(db, storage, entry, picture, async (tx, stored) => {
    done = await finish(tx as Transaction, stored);
  });
  return done as ImportedImage;
}

/** Existing values take precedence: the class of an image and its drawn objects. */
async function label(
  tx: Transaction,
  to: LabelDestination,
  { image, translator, translated: alone, format }: ImageToImport,
  { id, name, isDuplicate }: StoredImage,
): Promise<ImportedImage> {
  await requireSameSchema(tx, to);
  await lockImages(tx, { projectId: to.projectId, ids: [id] });
  let translated = alone;
  if (isDuplicate) {
    const there = await giveClass(tx, id, alone.className);
    const objects = await knownObjects(tx, there, translator.parts);
    translated = translator.image(image, { className: there.className, objects });
  }
  const provenance = { format, path: cleanLabel(image.path) };
  const at = { id, className: translated.className };
  const counts = await writeLabels(tx, to, at, translated.labels, provenance);
  return { ...counts, imageId: id, name, isDuplicate, translated };
}

/** Takes a shared lock, so that saving a schema waits for this image, or this import sees the new schema. */
async function requireSameSchema(tx: Transaction, to: LabelDestination): Promise<void> {
  const [project] = await tx
    .select({ schemaVersionId: projects.schemaVersionId })
    .from(projects)
    .where(eq(projects.id, to.projectId))
    .for('share');
  if (project?.schemaVersionId !== to.schemaVersionId)
    throw conflict(
      "The project's schema changed during the import. Import the dataset again: imported images stay, and the rest uses the new schema.",
    );
}

async function readBytes(image: SourceImage): Promise<Uint8Array> {
  const bytes = await image.bytes().catch((error) => {
    throw new PictureRefused(error instanceof Error ? error.message : 'The picture cannot be read.');
  });
  if (bytes.byteLength > limits.pictureBytes)
    throw new PictureRefused(`The picture is larger than ${limits.pictureBytes / 1024 ** 2} MB.`);
  return bytes;
}

/** Masks are never scaled or rotated, because masks drawn on other pixels would be slightly wrong. */
function requireSamePixels(
  image: SourceImage,
  stored: { width: number; height: number },
  notes: readonly string[],
): void {
  if (notes.includes('turned upright'))
    throw new PictureRefused(
      'The EXIF data rotate the picture, but not its masks. Save the picture upright and import it again.',
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
      `The masks have ${other.width} × ${other.height} pixels, but the picture has ${stored.width} × ${stored.height}.`,
    );
}

async function findExisting(db: Db, projectId: string, sourceSha256: string) {
  const [found] = await db
    .select()
    .from(images)
    .where(and(eq(images.projectId, projectId), eq(images.sourceSha256, sourceSha256)));
  return found;
}

/** Sets the class of an image that has none. */
async function giveClass(tx: Transaction, id: string, className: string | null) {
  if (className !== null)
    await tx
      .update(images)
      .set({ className })
      .where(and(eq(images.id, id), isNull(images.className)));
  const [there] = await tx
    .select({ id: images.id, className: images.className, width: images.width, height: images.height })
    .from(images)
    .where(eq(images.id, id));
  if (!there) throw new Error('The image of the labels no longer exists.');
  return there;
}

const { items, labels, stages } = tables;

/** Returns the objects of an image with the masks of its current labels, without localised attributes. */
async function knownObjects(
  tx: Db,
  image: { id: string; className: string | null; width: number; height: number },
  partIds: ReadonlySet<string>,
): Promise<KnownObject[]> {
  const rows = await tx
    .select({ kind: stages.kind, target: items.target, mask: labels.mask })
    .from(items)
    .innerJoin(stages, eq(stages.id, items.stageId))
    .leftJoin(labels, and(eq(labels.itemId, items.id), eq(labels.isCurrent, true)))
    .where(eq(items.imageId, image.id));
  const found = new Map<string, KnownObject & { parts: KnownObject['parts'][number][] }>();
  for (const { kind, target, mask } of rows) {
    const { id, instance, className } = readTarget(target);
    const isOutline = kind === 'object-mask' && id === '';
    if (!isOutline && !(kind === 'part-mask' && partIds.has(id))) continue;
    const key = `${instance} ${className}`;
    const object = found.get(key) ?? {
      className: instance === 1 ? image.className : className,
      instance,
      outline: null,
      parts: [],
    };
    found.set(key, object);
    if (mask === null) continue;
    const drawn = decodeCounts(mask, image.height, image.width);
    if (isOutline) object.outline = drawn;
    else object.parts.push(drawn);
  }
  return [...found.values()];
}
