import { eq } from 'drizzle-orm';
import { tables } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { type CheckLine, refusalIn } from '@/lib/core/robustness/onnx/check-lines';
import type { SchemaClass } from '@/lib/core/robustness/onnx/match-classes';
import type { JobContext } from '@/lib/services/jobs';
import { getProject } from '@/lib/services/projects';
import { inspectApart } from '../companion-process';
import type { Limits } from '../model-process';
import { withFiles } from '../with-files';
import type { NewModel } from './new-model';
import { tryApart } from './try-apart';

export interface CheckedModel {
  lines: CheckLine[];
  /** Complete; null where the model was refused. */
  contract: Record<string, unknown> | null;
  /** Of an oracle: its words, a row for each class. */
  words: Float32Array[] | null;
}

/** Enough for a ResNet-152 on crowded cores; who takes longer for three pictures takes days for an evaluation. */
const PATIENCE_MS = 60_000;

type Context = Pick<JobContext, 'db' | 'storage' | 'signal'>;

/**
 * Looks at a model from elsewhere as nobody trusts it: its files are read and run in processes of their own. `told` hears
 * of each line as soon as it is known. What is wrong is a line and no failure.
 */
export async function checkModel(
  { db, storage, signal }: Context,
  { projectId, model }: { projectId: string; model: NewModel },
  told: (line: CheckLine) => Promise<void> = async () => {},
  { patienceMs = PATIENCE_MS, ...bounds }: Limits = {},
): Promise<CheckedModel> {
  const limits = { patienceMs, ...bounds };
  const lines: CheckLine[] = [];
  const tell = async (line: CheckLine) => {
    lines.push(line);
    await told(line);
  };
  const refused = (): CheckedModel => ({ lines, contract: null, words: null });
  const taken = await nameIsTaken(db, projectId, model);
  if (taken) await tell(taken);
  if (taken) return refused();
  const { model: file, gradient = null, words = null, encoder = null } = model.files;
  return withFiles(storage, { model: file, gradient, words, encoder }, async (files) => {
    try {
      const { kind, contract: written, otherClasses } = model;
      const schema = await classesOf(db, projectId);
      const asked = { kind, written, otherClasses, schema, files };
      const found = await inspectApart(asked, limits, signal);
      for (const line of found.lines) await tell(line);
      if (!found.contract || refusalIn(found.lines)) return refused();
      const tried = await tryApart(
        { kind, files, contract: found.contract, words: found.words },
        limits,
        signal,
        tell,
      );
      return { lines, contract: { ...found.contract, ...tried }, words: found.words };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TesseraError)) throw error;
      await tell({ what: 'Run', says: error.message, state: 'refused' });
      return refused();
    }
  });
}

async function classesOf(db: Context['db'], projectId: string): Promise<SchemaClass[]> {
  const { schema } = await getProject(db, projectId);
  return (schema?.classes ?? []).map(({ id, name }) => ({ id, name }));
}

/** Known at once, and not after minutes of trying. */
async function nameIsTaken(
  db: Context['db'],
  projectId: string,
  { name }: NewModel,
): Promise<CheckLine | null> {
  const known = await db
    .select({ name: tables.models.name })
    .from(tables.models)
    .where(eq(tables.models.projectId, projectId));
  if (!known.some((other) => other.name === name)) return null;
  const says = `There is a model "${name}" in this project. Give it another name.`;
  return { what: 'Name', says, state: 'refused' };
}
