import { and, eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { conflict } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import type { JobContext } from '@/lib/services/jobs';
import { putBlob } from '@/lib/services/storage';
import type { CheckedModel } from './check-model';
import { fileKinds, type NewModel } from './new-model';

const { blobs, modelFiles, models } = tables;

interface Entry {
  /** Chosen before: entered twice, it is there once. */
  id: string;
  projectId: string;
  model: NewModel;
  checked: CheckedModel;
}

/** Enters a model that was looked at, with its further files. */
export async function enterModel(
  { db, storage }: Pick<JobContext, 'storage'> & { db: Database },
  actor: Author,
  { id, projectId, model, checked }: Entry,
): Promise<{ id: string }> {
  if (!checked.contract) throw new Error('A model that was refused is not entered.');
  const { model: file, gradient, encoder } = model.files;
  // In the order of the classes, whatever the file that came.
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
      throw conflict(`There is a model "${model.name}" in this project. Give it another name.`);
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

/** Nine digits hold a float32; more would only be longer. */
const wordsText = (words: readonly Float32Array[]): string =>
  JSON.stringify(words.map((row) => Array.from(row, (value) => Number(value.toPrecision(9)))));
