import { and, desc, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { decodeCounts, iou } from '@/lib/core/mask';
import type { AnswerValue, StageKind } from '@/lib/core/quality/answer';
import { enqueue } from '@/lib/services/jobs';
import { listDrawable, readServingContract } from './serving-contract';

const { predictions } = tables;

/** The promoted model that labels are compared with. */
export interface Critic {
  modelId: string;
  classes: readonly string[];
  draws: ReadonlySet<string>;
}

/** Loads the promoted model as critic; null without a usable one. */
export async function loadCritic(db: Db, projectId: string): Promise<Critic | null> {
  const model = await getPromotedModel(db, projectId);
  if (!model) return null;
  try {
    const contract = readServingContract(model.contract);
    return { modelId: model.id, classes: contract.classes, draws: listDrawable(contract) };
  } catch {
    // The prediction job reports the error.
    return null;
  }
}

export interface StoredPrediction {
  imageId: string;
  scores: number[];
  masks: Record<string, string>;
}

/** Loads predictions by image. One statement. */
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
 * Disagreement of the model with a label, 0 to 1: 1 − IoU for masks, 1 − probability for classes. Null for labels that the
 * model does not predict: attribute forms, unknown parts, additional objects.
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

/** The promoted model of a project; at most one. */
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

/** Enqueues predictions of the promoted model for new images, unless such a job is queued already. */
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
    // Locked, so that the queued job starts after this transaction and sees its changes.
    .for('no key update');
  if (waiting) return null;
  const title = `Predict new images with ${model.name}`;
  return enqueue(tx, PREDICT_JOB, { projectId }, { title, projectId, startedBy });
}
