import { and, desc, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { decodeCounts, iou } from '@/lib/core/mask';
import type { AnswerValue, StageKind } from '@/lib/core/quality/answer';
import { enqueue } from '@/lib/services/jobs/enqueue';
import { listDrawable, readServingContract } from './serving-contract';

const { predictions } = tables;

/** The model that labels are held against. */
export interface Critic {
  modelId: string;
  classes: readonly string[];
  draws: ReadonlySet<string>;
}

/** What the promoted model can say about labels; null without one, or with one that cannot be used. */
export async function loadCritic(db: Db, projectId: string): Promise<Critic | null> {
  const model = await getPromotedModel(db, projectId);
  if (!model) return null;
  try {
    const contract = readServingContract(model.contract);
    return { modelId: model.id, classes: contract.classes, draws: listDrawable(contract) };
  } catch {
    // The job that runs the model says what is wrong with it.
    return null;
  }
}

export interface StoredPrediction {
  imageId: string;
  scores: number[];
  masks: Record<string, string>;
}

/** What the model said about these images, by image. One statement. */
export async function loadPredictions(
  db: Db,
  critic: Critic | null,
  imageIds: readonly string[],
): Promise<Map<string, StoredPrediction>> {
  if (!critic || imageIds.length === 0) return new Map();
  const found = await db.execute<Record<string, unknown> & StoredPrediction>(sql`
    select image_id as "imageId", scores, masks from ${predictions}
    where model_id = ${critic.modelId} and image_id = any (${sql.param(imageIds)}::uuid[])`);
  return new Map(found.rows.map((row) => [row.imageId, row]));
}

interface ComparedLabel {
  stageKind: StageKind;
  target: string;
  value: AnswerValue;
  mask: string | null;
  width: number;
  height: number;
}

/**
 * How far the model is from a label, 0 to 1: of a drawing 1 − IoU, of a class 1 − its probability. Null where the model
 * says nothing: about forms, about parts it was not taught, about further objects of a picture.
 */
export function measureDisagreement(
  label: ComparedLabel,
  said: StoredPrediction | undefined,
  critic: Critic | null,
): number | null {
  if (!said || !critic) return null;
  const { stageKind, target, value, mask, width, height } = label;
  if (stageKind === 'oracle') {
    if (value.kind !== 'class') return null;
    const at = critic.classes.indexOf(value.className);
    return at < 0 ? null : 1 - (said.scores[at] ?? 0);
  }
  if (stageKind === 'attributes' || !critic.draws.has(target)) return null;
  const drawn = said.masks[target];
  if (mask === null) return drawn === undefined ? 0 : 1;
  if (drawn === undefined) return 1;
  return 1 - iou(decodeCounts(drawn, height, width), decodeCounts(mask, height, width));
}

const { models } = tables;

/** The model of a project that is in use; of a project one at most is promoted. */
export async function getPromotedModel(db: Db, projectId: string) {
  const [model] = await db
    .select({ id: models.id, name: models.name, blob: models.blob, contract: models.contract })
    .from(models)
    .where(and(eq(models.projectId, projectId), eq(models.state, 'promoted')))
    .orderBy(desc(models.id))
    .limit(1);
  return model ?? null;
}

const { jobs } = tables;

export const PREDICT_JOB = 'predict-images';

/** Has the promoted model look at the images it has not seen, if there is one and that does not wait to be done. */
export async function schedulePredictions(
  tx: Db,
  { projectId, startedBy = null }: { projectId: string; startedBy?: string | null },
): Promise<string | null> {
  const model = await getPromotedModel(tx, projectId);
  if (!model) return null;
  const [waiting] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, PREDICT_JOB), eq(jobs.state, 'queued')))
    .limit(1)
    // Held: it begins after us, and so sees what we change.
    .for('no key update');
  if (waiting) return null;
  const title = `Have ${model.name} look at new images`;
  return enqueue(tx, PREDICT_JOB, { projectId }, { title, projectId, startedBy });
}
