import { and, count, eq, ne } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import type { Author } from '@/lib/core/actor';
import { invalid, TesseraError } from '@/lib/core/errors';
import type { Format, Source, SourceImage, SourceTree } from '@/lib/core/formats/format';
import type { DatasetSchema } from '@/lib/core/schema';
import { record } from '@/lib/services/activity';
import { inParallel } from '@/lib/services/images/ingest/in-parallel';
import type { IngestContext } from '@/lib/services/images/ingest/ingest-upload';
import { labelFrom } from '@/lib/services/images/ingest/label';
import { picturePool } from '@/lib/services/images/ingest/picture-pool';
import { refusalOf } from '@/lib/services/images/ingest/refusal';
import { startUpload } from '@/lib/services/images/ingest/start-upload';
import { schedulePredictions } from '@/lib/services/inference/predictions';
import { askSoon, rateSoon } from '@/lib/services/jobs/enqueue';
import { adoptSchema } from './adopt-schema';
import { chooseFormat } from './detect-format';
import { type ImportCounts, Tally } from './import-counts';
import { importImage } from './import-image';
import { ImportStages } from './import-stages';
import { plainText, plainValue } from './plain-text';
import { proveParquet } from './prove-parquet';
import { Translator } from './translate';
import { unlisted } from './unlisted';
import type { LabelDestination } from './write-labels';

const { uploads, uploadFiles } = tables;

export interface ImportDataset {
  projectId: string;
  /** Who does it, and may write images. */
  author: Author;
  /** Whether they may give an empty draft the dataset's schema. */
  mayAdopt: boolean;
  tree: SourceTree;
  /** Id of a format; the surest guess is taken when it is left out. */
  format?: string;
  /** An upload that files were sent to; a new one keeps the books when none is given. */
  uploadId?: string;
}

/**
 * Brings in a dataset that another tool made: pictures by the same way as uploads, labels as labels of source
 * "import". What became of each image is written with the upload, so that a second attempt carries on, and a second
 * import of the same files adds nothing.
 */
export async function importDataset(context: IngestContext, input: ImportDataset): Promise<ImportCounts> {
  const { db } = context;
  const { projectId, author, tree, mayAdopt } = input;
  const { format, because } = await chooseFormat(tree, input.format);
  await context.log('info', plainText(`${format.name}: ${because}.`));
  const blame = (error: unknown): never => {
    if (isOurs(error)) throw error;
    throw invalid(`The files cannot be read as ${format.name}: ${messageOf(error)}`);
  };
  if (format.id === 'hf-parquet') await proveParquet(tree, context.signal);
  const source = await format.reader.read(tree).catch(blame);
  const schema = plainValue(source.schema);
  const adopted = await adoptSchema(db, author, { projectId, source: schema, mayAdopt });
  const uploadId =
    input.uploadId ?? (await startUpload(db, author, { projectId, options: { format: format.id } })).id;
  await db.update(uploads).set({ state: 'ingesting' }).where(eq(uploads.id, uploadId));
  const to: LabelDestination = {
    projectId,
    schema: adopted.schema,
    schemaVersionId: adopted.versionId,
    stages: await ImportStages.open(db, projectId),
  };
  const tally = new Tally(format, because, adopted.isNew);
  const seen = new Set<string>();
  await importAll(context, { uploadId, seen, to, source, schema, format: format.id, tally, blame });
  const notes = [...source.notes, ...told(format, tree, seen, adopted.replaced)];
  for (const note of notes) await context.log('warn', plainText(note));
  await close(db, { uploadId, projectId, author, detail: { format: format.id, ...tally.numbers() } });
  return plainValue(tally.result(uploadId, notes));
}

interface Run {
  uploadId: string;
  /** Paths of the pictures that label files list. */
  seen: Set<string>;
  to: LabelDestination;
  source: Source;
  /** That of the source, as far as it can be stored. */
  schema: DatasetSchema;
  format: string;
  tally: Tally;
  blame: (error: unknown) => never;
}

/** Two at once per decoder, so that one is decoded while the other is stored; no more images are in memory. */
async function importAll(context: IngestContext, run: Run): Promise<void> {
  const settled = await settledNames(context.db, run.uploadId);
  const translator = new Translator(run.to.schema, run.schema);
  const iterator = run.source.images()[Symbol.asyncIterator]();
  let done = 0;
  for (let isOver = false; !isOver; ) {
    const chunk: SourceImage[] = [];
    while (chunk.length < 4 * picturePool().size && !isOver) {
      const next = await iterator.next().catch(run.blame);
      if (next.done) isOver = true;
      else {
        run.seen.add(next.value.path);
        chunk.push(next.value);
      }
    }
    await inParallel(2 * picturePool().size, chunk, async (image) => {
      context.signal.throwIfAborted();
      if (settled.takeOne(labelFrom(image.path))) run.tally.before();
      else await importOne(context, run, translator, image);
      done += 1;
      await context.progress(done, null, plainText(image.name));
    });
  }
}

async function importOne(
  context: IngestContext,
  run: Run,
  translator: Translator,
  image: SourceImage,
): Promise<void> {
  const { uploadId, to, format, tally } = run;
  const translated = translator.image(image);
  await to.stages.ensure(translated.labels.map(({ stage }) => stage));
  const settle = (db: Db, outcome: Outcome) => settleImage(db, uploadId, labelFrom(image.path), outcome);
  try {
    const stored = await importImage(
      context,
      to,
      { image, translator, translated, format },
      async (tx, { imageId, name, isDuplicate }) => {
        await settle(
          tx,
          isDuplicate
            ? { state: 'duplicate', imageId, reason: `The same file as ${name}.` }
            : { state: 'accepted', imageId },
        );
      },
    );
    tally.image(stored);
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === null) throw error;
    await settle(context.db, { state: 'refused', reason: plainText(reason) });
    tally.refused(image, translated, reason);
  }
}

type Outcome = Pick<typeof uploadFiles.$inferInsert, 'state' | 'reason' | 'imageId'>;

/** A picture that was sent by itself has its row; one from an archive gets one now. */
async function settleImage(db: Db, uploadId: string, name: string, outcome: Outcome): Promise<void> {
  const sent = await db
    .update(uploadFiles)
    .set(outcome)
    .where(
      and(eq(uploadFiles.uploadId, uploadId), eq(uploadFiles.name, name), eq(uploadFiles.state, 'received')),
    )
    .returning({ id: uploadFiles.id });
  if (sent.length === 0) await db.insert(uploadFiles).values({ uploadId, name, ...outcome });
}

/** Images that an attempt before this one has dealt with. A picture that is in two label files is dealt with twice. */
async function settledNames(db: Db, uploadId: string): Promise<{ takeOne(name: string): boolean }> {
  const rows = await db
    .select({ name: uploadFiles.name, times: count() })
    .from(uploadFiles)
    .where(and(eq(uploadFiles.uploadId, uploadId), ne(uploadFiles.state, 'received')))
    .groupBy(uploadFiles.name);
  const left = new Map(rows.map(({ name, times }) => [name, times]));
  return {
    takeOne(name) {
      const times = left.get(name) ?? 0;
      left.set(name, times - 1);
      return times > 0;
    },
  };
}

async function close(
  db: Database,
  done: { uploadId: string; projectId: string; author: Author; detail: Record<string, unknown> },
): Promise<void> {
  const { uploadId, projectId, author, detail } = done;
  await db.transaction(async (tx) => {
    await tx.update(uploads).set({ state: 'done' }).where(eq(uploads.id, uploadId));
    await tx
      .update(uploadFiles)
      .set({ state: 'accepted', reason: 'Part of the dataset.' })
      .where(and(eq(uploadFiles.uploadId, uploadId), eq(uploadFiles.state, 'received')));
    // The files as they were sent have done their duty: let the collector have them.
    await tx.update(uploadFiles).set({ blob: null }).where(eq(uploadFiles.uploadId, uploadId));
    await record(tx, {
      actor: author,
      verb: 'labels.import',
      subject: 'upload',
      subjectId: uploadId,
      projectId,
      detail,
    });
    await askSoon(tx, projectId);
    await schedulePredictions(tx, { projectId });
    await rateSoon(tx, { projectId });
  });
}

/** Whether an error is about this machine, or about who stopped it, and not about the files. */
const isOurs = (error: unknown): boolean =>
  error instanceof TesseraError ||
  (error instanceof Error && (error.name === 'AbortError' || 'syscall' in error));

/** What is to be said about the dataset as a whole. */
function told(
  format: Pick<Format, 'kind'>,
  tree: SourceTree,
  seen: ReadonlySet<string>,
  replaced: string | null,
): string[] {
  // Datasets' own layouts keep maps beside the pictures that they are of.
  const missed = format.kind === 'general' ? unlisted(tree, seen) : [];
  return [
    ...(replaced === null ? [] : [`The draft's schema "${replaced}" gave way to that of the dataset.`]),
    ...(missed.length === 0
      ? []
      : [`${missed.length} × pictures that no label file lists were left out (first: ${missed[0]}).`]),
  ];
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
