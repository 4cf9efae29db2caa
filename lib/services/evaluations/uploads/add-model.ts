import { and, eq } from 'drizzle-orm';
import { type Database, type Db, newId, tables } from '@/db';
import { type Author, actorId, auditedAs } from '@/lib/core/actor';
import { conflict, invalid } from '@/lib/core/errors';
import { type CheckLine, findRefusal } from '@/lib/core/robustness/onnx/inspect-model';
import { record } from '@/lib/services/activity';
import { enqueue, type JobContext } from '@/lib/services/jobs';
import { putBlob } from '@/lib/services/storage';
import { type CheckedModel, checkModel } from './check-model';
import { type FileKind, fileKinds, type ModelUpload, NewModel, verifyReceipt } from './model-upload';

export const ADD_MODEL_JOB = 'add-model';

/** Input of the job that checks and registers a model. */
export interface AddModelInput {
  id: string;
  projectId: string;
  author: Author;
  model: NewModel;
}

/** Enqueues the job that checks a model and registers it unless `onlyCheck` is set. */
export async function startAddModel(
  db: Database,
  actor: Author,
  { projectId, asked }: { projectId: string; asked: ModelUpload },
): Promise<{ jobId: string }> {
  const files = Object.fromEntries(
    (Object.entries(asked.files) as [FileKind, string | undefined][]).flatMap(([kind, receipt]) =>
      receipt ? [[kind, verifyReceipt(projectId, receipt)]] : [],
    ),
  );
  const model = NewModel.parse({ ...asked, files });
  const input: AddModelInput = { id: newId(), projectId, author: auditedAs(actor), model };
  const jobId = await db.transaction((tx) =>
    enqueue(tx, ADD_MODEL_JOB, input, {
      title: `${model.onlyCheck ? 'Check' : 'Add'} ${model.name}`,
      projectId,
      startedBy: actorId(actor),
    }),
  );
  return { jobId };
}

export interface AddedModel extends Record<string, unknown> {
  lines: CheckLine[];
  /** All checks passed. */
  isGood: boolean;
  modelId: string | null;
}

/** Checks a model and registers it. A failed check is a result with `onlyCheck` and an error otherwise. */
export async function addModel(
  context: Pick<JobContext, 'db' | 'storage' | 'signal'> & Partial<Pick<JobContext, 'progress' | 'log'>>,
  { id, projectId, author, model }: AddModelInput,
  onLine: (line: CheckLine) => Promise<void> = async () => {},
): Promise<AddedModel> {
  // An earlier attempt was interrupted after registration.
  if (await isRegistered(context.db, { id, projectId })) return { lines: [], isGood: true, modelId: id };
  let seen = 0;
  const checked = await checkModel(context, { projectId, model }, async (line) => {
    const { what, says, state } = line;
    seen += 1;
    await onLine(line);
    await context.log?.(state === 'good' ? 'info' : state === 'note' ? 'warn' : 'error', `${what}: ${says}`);
    await context.progress?.(seen, null, `${what}: ${says}`);
  });
  const { lines } = checked;
  const refusal = findRefusal(lines);
  if (model.onlyCheck) return { lines, isGood: refusal === null, modelId: null };
  if (refusal) throw invalid(`${refusal.what}: ${refusal.says}`, { lines });
  context.signal.throwIfAborted();
  const { id: modelId } = await registerModel(context, author, { id, projectId, model, checked });
  return { lines, isGood: true, modelId };
}

async function isRegistered(db: Db, { id, projectId }: { id: string; projectId: string }): Promise<boolean> {
  const [known] = await db
    .select({ id: tables.models.id })
    .from(tables.models)
    .where(and(eq(tables.models.id, id), eq(tables.models.projectId, projectId)));
  return known !== undefined;
}

const { blobs, modelFiles, models } = tables;

interface Entry {
  /** Chosen by the caller, which makes registration idempotent. */
  id: string;
  projectId: string;
  model: NewModel;
  checked: CheckedModel;
}

/** Registers a checked model with its files. */
async function registerModel(
  { db, storage }: Pick<JobContext, 'storage'> & { db: Database },
  actor: Author,
  { id, projectId, model, checked }: Entry,
): Promise<{ id: string }> {
  if (!checked.contract) throw new Error('A rejected model cannot be registered.');
  const { model: file, gradient, encoder } = model.files;
  // Stored in class order, independent of the uploaded format.
  const words = checked.words
    ? await putBlob(db, storage, Buffer.from(wordsText(checked.words)), { mediaType: 'application/json' })
    : null;
  const contract = {
    ...checked.contract,
    ...(words && { words: words.sha256 }),
    ...(encoder && { encoder }),
  };
  const further = { gradient, encoder, words: words?.sha256 };
  await db.transaction(async (tx) => {
    const [made] = await tx
      .insert(models)
      .values({
        ...{ id, projectId, contract },
        name: model.name,
        kind: model.kind,
        blob: file,
        createdBy: actorId(actor),
      })
      .onConflictDoNothing()
      .returning({ id: models.id });
    if (!made) {
      const [known] = await tx
        .select({ id: models.id })
        .from(models)
        .where(and(eq(models.id, id), eq(models.projectId, projectId)));
      if (known) return;
      throw conflict(`The project already has a model "${model.name}". Choose another name.`);
    }
    for (const [kind, blob] of Object.entries(further)) {
      if (!blob) continue;
      const [stored] = await tx.select({ bytes: blobs.bytes }).from(blobs).where(eq(blobs.sha256, blob));
      await tx.insert(modelFiles).values({
        modelId: id,
        kind: fileKinds[kind as keyof typeof further],
        blob,
        bytes: stored?.bytes ?? 0,
      });
    }
    await record(tx, {
      actor,
      verb: 'model.upload',
      subject: 'model',
      subjectId: id,
      projectId,
      detail: { name: model.name, kind: model.kind, sha256: file },
    });
  });
  return { id };
}

/** Nine digits represent a float32 exactly. */
const wordsText = (words: readonly Float32Array[]): string =>
  JSON.stringify(words.map((row) => Array.from(row, (value) => Number(value.toPrecision(9)))));
