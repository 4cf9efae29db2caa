import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { boundingBox, decodeCounts, iou, type Mask } from '@/lib/core/mask';
import type { AnswerValue, StageKind } from '@/lib/core/quality/answer';
import { rules } from '@/lib/core/quality/rules';
import { assistEngine } from '@/lib/services/inference/assists/assist-engine';
import { findModels, type Models } from '@/lib/services/inference/assists/model-files';
import type { PlacePrompt } from '@/lib/services/inference/assists/prompt';
import {
  type Critic,
  getPromotedModel,
  loadCritic,
  loadPredictions,
  measureDisagreement,
  type StoredPrediction,
} from '@/lib/services/inference/predictions';
import type { JobContext } from '@/lib/services/jobs';
import { enqueue } from '@/lib/services/jobs';
import { activeStates } from '@/lib/services/jobs/job-row';
import { readAll, type Storage } from '@/lib/services/storage';

const {
  answerComparisons,
  answers,
  batches,
  checks,
  derivatives,
  gold,
  images,
  items,
  leases,
  predictions,
  stages,
  jobs,
  models,
  projects,
  settings,
} = tables;

/** Each answer takes seconds in the encoder. The next job, a few minutes later, continues. */
const MAX_PER_JOB = 40;
/** Outlines of a batch that are compared with the public model: the same share of every worker's work. */
const SAMPLED_PER_BATCH = 5;
/** Older answers are not compared any more. */
const MAX_AGE_DAYS = 2;
const MAX_BATCH_AGE_DAYS = 9;
/** On smaller regions a coarse outline can match by coincidence. */
const MIN_AREA_PX = 400;
const MAX_IMAGE_BYTES = 256_000_000;

type Candidate = {
  answerId: string;
  imageId: string;
  stageKind: StageKind;
  target: string;
  value: AnswerValue;
  mask: string | null;
  width: number;
  height: number;
  blob: string;
  /** Part of the sample for the public model. */
  isSampled: boolean;
  goldValue: AnswerValue | null;
  goldMask: string | null;
};

/** An outline drawn by hand, large enough to compare. */
const isComparable = sql`(a.mask is not null and a.area >= ${MIN_AREA_PX} and not a.value ? 'assists')`;

/**
 * Answers of ended work batches that can be compared and were not. Which outlines of a batch are in the sample follows
 * from the ids of lease and item; a worker knows only the first, so nobody can choose to be left out.
 */
async function findUncompared(
  db: Db,
  projectId: string,
  { hasPublicModel, modelId, limit }: { hasPublicModel: boolean; modelId: string | null; limit: number },
): Promise<Candidate[]> {
  const found = await db.execute<Candidate>(sql`
    select * from (
      select a.id as "answerId", i.image_id as "imageId", s.kind as "stageKind", i.target, a.value, a.mask,
        p.width, p.height, coalesce(d.blob, p.blob) as blob, g.value as "goldValue", g.mask as "goldMask",
        ${hasPublicModel} and ${isComparable} and row_number() over (
          partition by b.id, ${isComparable} order by md5(l.id::text || i.id::text)) <= ${SAMPLED_PER_BATCH} as "isSampled"
      from ${batches} b
      join ${leases} l on l.batch_id = b.id
      join ${answers} a on a.lease_id = l.id
      join ${items} i on i.id = a.item_id
      join ${stages} s on s.id = i.stage_id
      join ${images} p on p.id = i.image_id
      left join ${derivatives} d on d.image_id = p.id and d.kind = 'working'
      left join ${checks} c on c.lease_id = l.id and c.passed is not null
      left join ${gold} g on g.id = c.gold_id
      where b.project_id = ${projectId} and b.kind = 'work' and b.state <> 'leased'
        and b.created_at > now() - make_interval(days => ${MAX_BATCH_AGE_DAYS})
        and a.created_at > now() - make_interval(days => ${MAX_AGE_DAYS})
    ) found
    where ("isSampled" or ("goldValue" is not null and exists (
        select 1 from ${predictions} said where said.model_id = ${modelId}::uuid and said.image_id = found."imageId")))
      and not exists (select 1 from ${answerComparisons} done where done.answer_id = found."answerId")
    order by "answerId" limit ${limit}`);
  return found.rows;
}

/** Compares answers with the installed segmentation model and with the promoted model of the project. */
export async function compareAnswers(
  { db, storage, signal, progress, log }: JobContext,
  { projectId }: { projectId: string },
): Promise<{ compared: number }> {
  const models = installedModels();
  const critic = await loadCritic(db, projectId);
  const candidates = await findUncompared(db, projectId, {
    hasPublicModel: models !== null,
    modelId: critic?.modelId ?? null,
    limit: MAX_PER_JOB,
  });
  const said = await loadPredictions(
    db,
    critic,
    candidates.map(({ imageId }) => imageId),
  );
  for (const [n, candidate] of candidates.entries()) {
    signal.throwIfAborted();
    const publicMatch =
      models && candidate.isSampled
        ? await matchPublicModel(models, storage, candidate).catch(async (error) => {
            // A picture or model that fails once fails again: the answer counts as compared without a result.
            if (!(error instanceof TesseraError)) throw error;
            await log('warn', `An answer was not compared: ${error.message}`);
            return null;
          })
        : null;
    const judged = compareWithCritic(candidate, critic, said.get(candidate.imageId));
    await db
      .insert(answerComparisons)
      .values({
        answerId: candidate.answerId,
        publicModel: publicMatch?.model ?? null,
        publicIou: publicMatch?.iou ?? null,
        modelId: judged && critic ? critic.modelId : null,
        modelLevel: judged?.level ?? null,
        modelAgreement: judged?.agreement ?? null,
      })
      .onConflictDoNothing();
    await progress(n + 1, candidates.length);
  }
  return { compared: candidates.length };
}

/** Null when no segmentation model is installed, or when its configuration is wrong. */
function installedModels(): Models | null {
  try {
    const models = findModels(readConfig());
    return models.segmentAnything || models.salientObject ? models : null;
  } catch {
    return null;
  }
}

/** The best match among the outputs for the prompts that a program would use: a box, a point inside, no prompt. */
async function matchPublicModel(models: Models, storage: Storage, candidate: Candidate) {
  const { height, width, blob } = candidate;
  const drawn = decodeCounts(candidate.mask ?? '', height, width);
  const picture = {
    sha256: blob,
    size: { width, height },
    read: async () => readAll(await storage.get(blob), MAX_IMAGE_BYTES),
  };
  const { segmentAnything: model, salientObject } = models;
  const prompts = promptsFor(drawn);
  const engine = assistEngine();
  const outputs = [
    ...(model ? [await engine.segment({ user: comparison, model, picture, prompts, rank: 2 })] : []),
    ...(salientObject ? [await engine.findMainObject(comparison, salientObject, picture, 2)] : []),
  ];
  let best: { model: string; iou: number } | null = null;
  for (const { masks, model } of outputs)
    for (const { counts } of masks) {
      const match = iou(drawn, decodeCounts(counts, height, width));
      if (!best || match > best.iou) best = { model: model.slice(0, 200), iou: match };
    }
  return best;
}

/** The engine's name for these requests, which never compete with people. */
const comparison = { id: 'compare-answers', isVeiled: false };

function promptsFor(drawn: Mask): PlacePrompt[] {
  const [x, y, w, h] = boundingBox(drawn);
  return [
    { kind: 'box', box: [x, y, w, h], points: [] },
    { kind: 'point', points: [{ x: x + w / 2, y: y + h / 2, include: true }] },
  ];
}

/** How right the promoted model is on the gold, and how much the answer agrees with it. */
function compareWithCritic(
  candidate: Candidate,
  critic: Critic | null,
  said: StoredPrediction | undefined,
): { level: number; agreement: number } | null {
  const { value, mask, goldValue, goldMask } = candidate;
  if (!goldValue || usesModelOutline(value)) return null;
  const onGold = measureDisagreement({ ...candidate, value: goldValue, mask: goldMask }, said, critic);
  const onAnswer = measureDisagreement({ ...candidate, value, mask }, said, critic);
  return onGold === null || onAnswer === null ? null : { level: 1 - onGold, agreement: 1 - onAnswer };
}

/** The outline of the promoted model was offered on the page: repeating its mistakes is no sign of a program. */
const usesModelOutline = (value: AnswerValue): boolean =>
  value.kind === 'mask' && (value.assists ?? []).some(({ kind }) => kind === 'model-outline');

export const COMPARE_JOB = 'compare-answers';

const EVERY_MINUTES = 5;

/**
 * Enqueues the comparison of answers with models in projects where some are due. At most one of several worker
 * processes does this every few minutes. Nothing is due without an installed or promoted model.
 */
export async function compareDue(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const [turn] = await tx
      .insert(settings)
      .values({ key: 'comparison.lastStarted', value: sql`to_jsonb(now())` })
      .onConflictDoUpdate({
        target: settings.key,
        set: { value: sql`to_jsonb(now())`, updatedAt: sql`now()` },
        setWhere: sql`${settings.updatedAt} < now() - make_interval(mins => ${EVERY_MINUTES})`,
      })
      .returning({ key: settings.key });
    if (!turn) return 0;
    const hasPublicModel = installedModels() !== null;
    const open = await tx
      .select({ id: projects.id, modelId: models.id })
      .from(projects)
      .leftJoin(models, and(eq(models.projectId, projects.id), eq(models.state, 'promoted')))
      .where(inArray(projects.state, ['collecting', 'paused']));
    let started = 0;
    for (const { id: projectId, modelId } of open) {
      if (!hasPublicModel && !modelId) continue;
      const [running] = await tx
        .select({ id: jobs.id })
        .from(jobs)
        .where(
          and(
            eq(jobs.projectId, projectId),
            eq(jobs.kind, COMPARE_JOB),
            inArray(jobs.state, [...activeStates]),
          ),
        )
        .limit(1);
      if (running) continue;
      const due = await findUncompared(tx, projectId, { hasPublicModel, modelId, limit: 1 });
      if (due.length === 0) continue;
      await enqueue(tx, COMPARE_JOB, { projectId }, { title: 'Compare answers with models', projectId });
      started++;
    }
    return started;
  });
}

/** Rules that find nothing because a model is missing, by id, with the reason for the curator. */
export async function inactiveRules(db: Db, projectId: string): Promise<Record<string, string>> {
  const missing = {
    'segmentation-model':
      installedModels() === null ? 'Inactive: no segmentation model is installed on this server.' : null,
    'promoted-model':
      (await getPromotedModel(db, projectId)) === null
        ? 'Inactive: no model of this project is promoted.'
        : null,
  };
  return Object.fromEntries(
    rules.flatMap(({ id, needs }) => {
      const reason = needs && missing[needs];
      return reason ? [[id, reason]] : [];
    }),
  );
}
