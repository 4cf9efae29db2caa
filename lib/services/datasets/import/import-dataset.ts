import { and, eq, ne } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import type { Author } from '@/lib/core/actor';
import { forEachConcurrently } from '@/lib/core/concurrency';
import { invalid, TesseraError } from '@/lib/core/errors';
import type { Format, SourceTree } from '@/lib/core/formats/format';
import {
  type MappedImage,
  type Mapping,
  MappingApplier,
  openSource,
  readLists,
  schemaOfMapping,
} from '@/lib/core/formats/mapping';
import type { RawImage, RawSource } from '@/lib/core/formats/shared/raw-source';
import { folderOf, isPicture } from '@/lib/core/formats/shared/read-tree';
import { groupBy } from '@/lib/core/quality/group-by';
import type { DatasetSchema } from '@/lib/core/schema';
import { record } from '@/lib/services/activity';
import { refusalOf } from '@/lib/services/images/ingest/class-table';
import type { IngestContext } from '@/lib/services/images/ingest/ingest-upload';
import { cleanLabel } from '@/lib/services/images/ingest/label';
import { picturePool } from '@/lib/services/images/ingest/picture-pool';
import { startUpload } from '@/lib/services/images/ingest/uploads';
import { schedulePredictions } from '@/lib/services/inference/predictions';
import { askSoon, rateSoon } from '@/lib/services/jobs/enqueue';
import { adoptSchema } from './adopt-schema';
import { convertMatFiles } from './convert-mat';
import { type ImportCounts, Tally } from './import-counts';
import { importImage } from './import-image';
import { describeProject, describeTargets, namesOf, proposeForSource } from './plan-import';
import { chooseFormat } from './source-trees';
import { Translator } from './translate';
import { verifyParquet } from './verify-parquet';
import { ImportStages, type LabelDestination } from './write-labels';

const { uploads, uploadFiles } = tables;

interface ImportDataset {
  projectId: string;
  /** The author, who has the right to write images. */
  author: Author;
  /** Whether an empty draft can adopt the dataset's schema. */
  mayAdopt: boolean;
  tree: SourceTree;
  /** Id of a format; detected if undefined. */
  format?: string;
  /** The mapping of the categories; proposed if undefined. */
  mapping?: Mapping;
  /** The class that all parts belong to, for the proposal. */
  className?: string;
  /** The name of the folder or file, for the proposal. */
  name?: string;
  /** The upload of the files. A new one is created if undefined. */
  uploadId?: string;
}

/**
 * Imports a dataset: images like uploads, labels with the source "import". The outcome of each image is stored with the
 * upload, so that a second attempt resumes and importing the same files again adds nothing.
 */
export async function importDataset(context: IngestContext, input: ImportDataset): Promise<ImportCounts> {
  const { db } = context;
  const { projectId, author, tree, mayAdopt } = input;
  const { format, because } = await chooseFormat(tree, input.format);
  await context.log('info', plainText(`${format.name}: ${because}.`));
  const blame = (error: unknown): never => {
    if (isOperationalError(error)) throw error;
    throw invalid(`The files cannot be read as ${format.name}: ${messageOf(error)}`);
  };
  if (format.id === 'hf-parquet') await verifyParquet(tree, context.signal);
  using converted = convertMatFiles(tree, context.signal);
  const source = await openSource(format, converted.tree).catch(blame);
  const mapping = input.mapping ?? (await proposeFor(db, source, input).catch(blame));
  const schema = plainValue(
    asked(() => schemaOfMapping(mapping, source.known?.schema ?? null, source), blame),
  );
  const adopted = await adoptSchema(db, author, {
    projectId,
    source: schema,
    mayAdopt: mayAdopt && mapping.schema === 'dataset',
  });
  const lists = await readLists(mapping, tree).catch(blame);
  const uploadId =
    input.uploadId ?? (await startUpload(db, author, { projectId, options: { format: format.id } })).id;
  await db.update(uploads).set({ state: 'ingesting' }).where(eq(uploads.id, uploadId));
  const to: LabelDestination = {
    projectId,
    schema: adopted.schema,
    schemaVersionId: adopted.versionId,
    stages: await ImportStages.open(db, projectId),
  };
  const tally = new Tally(format, because, adopted.isNew, describeTargets(mapping));
  const seen = new Set<string>();
  const applier = new MappingApplier({ mapping, schema, lists });
  await importAll(context, { uploadId, seen, to, source, applier, schema, format: format.id, tally, blame });
  const notes = [...source.notes.all(), ...describeImport(format, tree, seen, adopted.replaced)];
  for (const note of notes) await context.log('warn', plainText(note));
  await close(db, { uploadId, projectId, author, detail: { format: format.id, ...tally.numbers() } });
  return plainValue(tally.result(uploadId, notes));
}

interface Run {
  uploadId: string;
  /** Paths of the images in label files. */
  seen: Set<string>;
  to: LabelDestination;
  source: RawSource;
  applier: MappingApplier;
  /** The schema of the mapping with storable text. */
  schema: DatasetSchema;
  format: string;
  tally: Tally;
  blame: (error: unknown) => never;
}

/** Two images per decoder: one is decoded while the other is stored. */
async function importAll(context: IngestContext, run: Run): Promise<void> {
  const settled = await settledNames(context.db, run.uploadId);
  const translator = new Translator(run.to.schema, run.schema);
  const iterator = run.source.images()[Symbol.asyncIterator]();
  let done = 0;
  for (let isOver = false; !isOver; ) {
    const chunk: RawImage[] = [];
    while (chunk.length < 4 * picturePool().size && !isOver) {
      const next = await iterator.next().catch(run.blame);
      if (next.done) isOver = true;
      else {
        if (next.value.problem === undefined) run.seen.add(next.value.path);
        run.tally.expect(next.value);
        chunk.push(next.value);
      }
    }
    await forEachConcurrently(2 * picturePool().size, chunk, async (raw) => {
      context.signal.throwIfAborted();
      const image = await run.applier.image(raw, run.source.notes);
      if (raw.problem !== undefined) return run.tally.lost(image);
      const earlier = settled.takeOne(cleanLabel(image.path));
      if (earlier?.state === 'refused')
        run.tally.refused(image, translator.image(image), earlier.reason ?? '');
      else if (earlier) run.tally.before(image);
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
  image: MappedImage,
): Promise<void> {
  const { uploadId, to, format, tally } = run;
  const translated = translator.image(image);
  await to.stages.ensure(translated.labels.map(({ stage }) => stage));
  const settle = (db: Db, outcome: Outcome) => settleImage(db, uploadId, cleanLabel(image.path), outcome);
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
    tally.image(image, stored);
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === null) throw error;
    await settle(context.db, { state: 'refused', reason: plainText(reason) });
    tally.refused(image, translated, reason);
  }
}

type Outcome = Pick<typeof uploadFiles.$inferInsert, 'state' | 'reason' | 'imageId'>;

/** Stores the outcome. A single file already has a row; an archive entry gets one now. */
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

type Settled = Pick<typeof uploadFiles.$inferSelect, 'name' | 'state' | 'reason'>;

/** Images that an earlier attempt completed or refused. An image in two label files is processed twice. */
async function settledNames(
  db: Db,
  uploadId: string,
): Promise<{ takeOne(name: string): Settled | undefined }> {
  const rows: Settled[] = await db
    .select({ name: uploadFiles.name, state: uploadFiles.state, reason: uploadFiles.reason })
    .from(uploadFiles)
    .where(and(eq(uploadFiles.uploadId, uploadId), ne(uploadFiles.state, 'received')))
    .orderBy(uploadFiles.id);
  const left = groupBy(rows, ({ name }) => name);
  return { takeOne: (name) => left.get(name)?.shift() };
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
    // The uploaded files are no longer needed; the garbage collector can remove them.
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

/** Whether an error comes from the system or a cancellation rather than from the files. */
const isOperationalError = (error: unknown): boolean =>
  error instanceof TesseraError ||
  (error instanceof Error && (error.name === 'AbortError' || 'syscall' in error));

/** Lists notes about the dataset as a whole. */
function describeImport(
  format: Pick<Format, 'kind'>,
  tree: SourceTree,
  seen: ReadonlySet<string>,
  replaced: string | null,
): string[] {
  // Part layouts store label maps next to the images.
  const missed = format.kind === 'general' ? unlisted(tree, seen) : [];
  return [
    ...(replaced === null ? [] : [`The schema of the dataset replaced the draft's schema "${replaced}".`]),
    ...(missed.length === 0
      ? []
      : [`${missed.length} × pictures that no label file lists were left out (first: ${missed[0]}).`]),
  ];
}

/** Proposes a mapping from the names, shapes and supercategories of the categories, and from the project's schema. */
async function proposeFor(
  db: Database,
  source: RawSource,
  { projectId, tree, className, name }: ImportDataset,
): Promise<Mapping> {
  const project = await describeProject(db, projectId);
  const names = [...(name === undefined ? [] : [name]), ...namesOf(tree), project.name];
  return (await proposeForSource(source, { project, names, className })).mapping;
}

function asked<T>(work: () => T, blame: (error: unknown) => never): T {
  try {
    return work();
  } catch (error) {
    return blame(error);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Removes U+0000 and lone surrogates, which PostgreSQL cannot store. */
export const plainText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '');

/** Applies `plainText` to every string in a JSON value, including keys. */
export function plainValue<T>(value: T): T {
  if (typeof value === 'string') return plainText(value) as T;
  if (Array.isArray(value)) return value.map(plainValue) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [plainText(key), plainValue(each)]),
  ) as T;
}

/** Counts images in the dataset's folders that no label file lists. */
function unlisted(tree: SourceTree, seen: ReadonlySet<string>): string[] {
  const folders = new Set([...seen].map(folderOf));
  return tree.paths.filter((path) => isPicture(path) && !seen.has(path) && folders.has(folderOf(path)));
}
