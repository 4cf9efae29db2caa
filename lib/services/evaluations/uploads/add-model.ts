import { and, eq } from 'drizzle-orm';
import { type Database, type Db, newId, tables } from '@/db';
import { type Author, actorId, auditedAs } from '@/lib/core/actor';
import { invalid } from '@/lib/core/errors';
import { type CheckLine, refusalIn } from '@/lib/core/robustness/onnx/check-lines';
import { enqueue, type JobContext } from '@/lib/services/jobs';
import { checkModel } from './check-model';
import { enterModel } from './enter-model';
import { type AskedModel, type FileKind, NewModel } from './new-model';
import { readReceipt } from './receipt';

export const ADD_MODEL_JOB = 'add-model';

/** What a job is given to look at a model, and to enter it. */
export interface AddModel {
  id: string;
  projectId: string;
  author: Author;
  model: NewModel;
}

/** Starts the job that looks at a model and enters it, unless it is only to be looked at. */
export async function startAddModel(
  db: Database,
  actor: Author,
  { projectId, asked }: { projectId: string; asked: AskedModel },
): Promise<{ jobId: string }> {
  const files = Object.fromEntries(
    (Object.entries(asked.files) as [FileKind, string | undefined][]).flatMap(([kind, receipt]) =>
      receipt ? [[kind, readReceipt(projectId, receipt)]] : [],
    ),
  );
  const model = NewModel.parse({ ...asked, files });
  const input: AddModel = { id: newId(), projectId, author: auditedAs(actor), model };
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
  /** Nothing speaks against it. */
  isGood: boolean;
  modelId: string | null;
}

/** Looks at a model and enters it. A refusal is an outcome where it was only to be looked at, and a failure else. */
export async function addModel(
  context: Pick<JobContext, 'db' | 'storage' | 'signal'> & Partial<Pick<JobContext, 'progress' | 'log'>>,
  { id, projectId, author, model }: AddModel,
  told: (line: CheckLine) => Promise<void> = async () => {},
): Promise<AddedModel> {
  // Entered by an attempt that ended before it could say so.
  if (await isEntered(context.db, { id, projectId })) return { lines: [], isGood: true, modelId: id };
  let seen = 0;
  const checked = await checkModel(context, { projectId, model }, async (line) => {
    const { what, says, state } = line;
    seen += 1;
    await told(line);
    await context.log?.(state === 'good' ? 'info' : state === 'note' ? 'warn' : 'error', `${what}: ${says}`);
    await context.progress?.(seen, null, `${what}: ${says}`);
  });
  const { lines } = checked;
  const refusal = refusalIn(lines);
  if (model.onlyCheck) return { lines, isGood: refusal === null, modelId: null };
  if (refusal) throw invalid(`${refusal.what}: ${refusal.says}`, { lines });
  context.signal.throwIfAborted();
  const { id: modelId } = await enterModel(context, author, { id, projectId, model, checked });
  return { lines, isGood: true, modelId };
}

async function isEntered(db: Db, { id, projectId }: { id: string; projectId: string }): Promise<boolean> {
  const [known] = await db
    .select({ id: tables.models.id })
    .from(tables.models)
    .where(and(eq(tables.models.id, id), eq(tables.models.projectId, projectId)));
  return known !== undefined;
}
