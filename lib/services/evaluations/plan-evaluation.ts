import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { formatMoney } from '@/lib/core/format';
import { area, boundingBox } from '@/lib/core/mask';
import type { SaliencyMethod } from '@/lib/core/robustness/saliency/compute-saliency';
import { type Planned, type Setting, suites } from '@/lib/core/robustness/suites';
import { chainSettings } from '@/lib/core/robustness/suites/fmr';
import { onAllImages } from '@/lib/core/robustness/suites/suite';
import { type Need, type Reason, reasons } from '@/lib/core/robustness/types';
import { identity } from '@/lib/core/robustness/variants/basic';
import { MIN_OBJECT_SHARE } from '@/lib/core/robustness/variants/samples';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { readServingContract } from '@/lib/services/inference/serving-contract';
import type { JobContext } from '@/lib/services/jobs';
import { estimateCrowdCost, openOracleStage } from './crowd/oracle-stage';
import { EvaluationOptions, type EvaluationPlan, type NewEvaluation } from './evaluation-request';
import { GRADIENT, modelKey } from './open-model-runner';
import { type Entry, objectMask } from './sample-pool';
import { ALL_SPLITS, selectImages } from './select-images';
import { cacheCalibration, calibrate, estimateFromPast, type Speed } from './speed';
import { checkOracleModels } from './start-evaluation';
import { countStoredRows } from './stored-rows';
import { createSetting } from './variant-context';

const { modelFiles, models } = tables;

/** Timeout for opening a large model. */
const TIMEOUT_MS = 60_000;

interface PlannedSuite {
  id: string;
  name: string;
  variants: Planned[];
}

/** Estimates the cost of an evaluation. With `measures`, the model is opened and calibrated if its speed is unknown. */
export async function planEvaluation(
  context: Pick<JobContext, 'db' | 'storage' | 'signal'>,
  {
    projectId,
    evaluation,
    measures = true,
  }: { projectId: string; evaluation: NewEvaluation; measures?: boolean },
): Promise<EvaluationPlan> {
  const { db } = context;
  const version = await findVersion(db, { projectId, version: evaluation.version });
  const [found] = await db
    .select({ model: models, gradient: modelFiles.blob })
    .from(models)
    .leftJoin(modelFiles, and(eq(modelFiles.modelId, models.id), eq(modelFiles.kind, GRADIENT)))
    .where(and(eq(models.id, evaluation.model), eq(models.projectId, projectId)));
  if (!found) throw notFound('model');
  const { model, gradient } = found;
  const contract = readServingContract(model.contract);
  const options = EvaluationOptions.strip().parse(evaluation);
  await checkOracleModels(db, {
    projectId,
    model: { id: model.id, sha256: model.blob },
    oracle: options.oracle,
  });
  const chosen = await selectImages(context, version, contract.classes, options);
  const { entries } = chosen;
  const key = modelKey(model, gradient);
  const past = await estimateFromPast(db, {
    modelId: model.id,
    suite: evaluation.suite,
    preset: options.preset,
  });
  const settingWith = (features: boolean, looking?: SaliencyMethod): Setting =>
    createSetting(options, contract, chosen.schema, {
      gradient: gradient !== null,
      oracle: options.oracle.length > 0,
      features,
      ...(looking && { looking }),
      ...(options.crowd && { crowd: true }),
    });
  const hopeful = planEachSuite(evaluation.suite, settingWith(true));
  const measured =
    past === null && measures
      ? await cacheCalibration([key, version.hash, evaluation.suite, options.preset].join(' '), () =>
          calibrate(
            // Not the signal of the request, because other requests can share the calibration.
            { ...context, signal: AbortSignal.timeout(TIMEOUT_MS) },
            model,
            { entries, input: contract.input },
            hopeful.planned.flatMap(({ variants }) => variants),
          ),
        )
      : null;
  const features = measured?.features ?? (contract.outputs.features !== null || null);
  const speed = past ?? measured?.speed ?? null;
  const { planned, left } = planEachSuite(evaluation.suite, settingWith(features !== false, speed?.looking));
  const variants = planned.flatMap((suite) => suite.variants);
  const known = await countStoredRows(
    db,
    { projectId, model: key, seed: options.seed, entries, input: contract.input },
    variants,
  );
  const costs = planned.map((suite) => estimateCost(suite, entries.length, known.images, speed));
  const total = (name: 'runs' | 'known') => costs.reduce((sum, cost) => sum + cost[name], 0);
  return {
    images: entries.length,
    unknown: chosen.unknown,
    split: chosen.split ?? ALL_SPLITS,
    suites: costs,
    runs: total('runs'),
    known: total('known'),
    isKnownAtMost: known.isAtMost,
    seconds: speed && costs.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
    speed: speed && { from: speed.from, runsPerSecond: speed.runsPerSecond, n: speed.n },
    offers: describeOffers(evaluation.suite, {
      gradient: gradient !== null,
      'feature map': features,
      oracle: options.oracle.length > 0 || options.crowd !== null,
    }),
    crowd: options.crowd
      ? await planCrowd(db, {
          ...{ projectId, stageId: options.crowd, length: chainSettings(settingWith(true)).budget },
          images: costs.find(({ id }) => id === 'fmr')?.images ?? 0,
        })
      : null,
    left,
    skipped: describeSkips(planned, countPlannedSkips(entries)),
  };
}

/** Upper bound: images rejected in the first picture need fewer questions. */
async function planCrowd(
  db: Db,
  {
    projectId,
    stageId,
    images,
    length,
  }: { projectId: string; stageId: string; images: number; length: number },
): Promise<EvaluationPlan['crowd']> {
  const stage = await openOracleStage(db, { projectId, stageId });
  const { costMicro, currency, ...counts } = estimateCrowdCost(stage, images, length);
  return { stage: stage.name, ...counts, cost: formatMoney(costMicro, currency) };
}

/** Plans each suite; shared variants count for the first suite. */
function planEachSuite(
  id: string,
  setting: Setting,
): { planned: PlannedSuite[]; left: EvaluationPlan['left'] } {
  const planned: PlannedSuite[] = [
    { id: 'clean', name: 'Clean images', variants: onAllImages([identity()]) },
  ];
  const left: EvaluationPlan['left'] = [];
  for (const suite of suites.filter((each) => id === 'all' || each.id === id)) {
    const why = suite.refusal(setting);
    if (why !== null) {
      left.push({ suite: suite.name, why });
      continue;
    }
    const seen = new Set(planned.flatMap(({ variants }) => variants.map((variant) => variant.id)));
    const variants = suite.variants(setting).filter((variant) => !seen.has(variant.id));
    planned.push({ id: suite.id, name: suite.name, variants });
  }
  return { planned, left };
}

function estimateCost(
  { id, name, variants }: PlannedSuite,
  images: number,
  known: ReadonlyMap<string, number>,
  speed: Speed | null,
): EvaluationPlan['suites'][number] {
  const cost = { id, name, images: 0, runs: 0, known: 0, seconds: speed && 0 };
  for (const variant of variants) {
    const imageCount = Math.min(images, variant.maxImages);
    const storedCount = Math.min(imageCount, known.get(variant.id) ?? 0);
    const each = variant.cells.length * variant.runs;
    cost.images = Math.max(cost.images, imageCount);
    cost.runs += imageCount * each;
    cost.known += storedCount * each;
    if (speed)
      cost.seconds =
        (cost.seconds ?? 0) + (imageCount - storedCount) * variant.cells.length * speed.secondsFor(variant);
  }
  return cost;
}

/** Skips that affect the planned suites. */
const describeSkips = (
  planned: readonly PlannedSuite[],
  skips: readonly PlannedSkip[],
): EvaluationPlan['skipped'] =>
  skips.flatMap(({ reason, images, causes }) => {
    const names = planned
      .filter(({ variants }) => variants.some(({ needs }) => needs.some((need) => causes.includes(need))))
      .map(({ name }) => name);
    return names.length === 0 ? [] : [{ reason, says: reasons[reason], images, suites: names }];
  });

type Offer = EvaluationPlan['offers'][number]['offer'];

/** Capabilities beyond logits, with the effect of each. */
const uses: readonly { offer: Offer; suites: readonly string[]; there: string; without: string }[] = [
  {
    offer: 'gradient',
    suites: ['attacks'],
    there: 'Gradient-based attacks run.',
    without: 'No gradient graph: only score-based attacks run, and robust accuracy is an upper bound.',
  },
  {
    offer: 'feature map',
    suites: ['saliency', 'nodes'],
    there: 'Saliency uses the last feature map, or tiles if it is too coarse.',
    without: 'No feature map: saliency is computed by tile, without a gradient with one run per tile.',
  },
  {
    offer: 'oracle',
    suites: ['fmr'],
    there: 'An oracle validates perturbed pictures.',
    without: 'No oracle: FMR is skipped. Choose an oracle to include it.',
  },
];

const UNKNOWN = 'Determined when the model is opened.';

const describeOffers = (suite: string, has: Record<Offer, boolean | null>): EvaluationPlan['offers'] =>
  uses
    .filter(({ suites }) => suite === 'all' || suites.includes(suite))
    .map(({ offer, there, without }) => {
      const isThere = has[offer];
      return { offer, isThere, says: isThere === null ? UNKNOWN : isThere ? there : without };
    });

/** Requirements of variants that cause a skip reason. */
const causes: Partial<Record<Reason, readonly Need[]>> = {
  'mask-missing': ['object mask', 'donors'],
  'mask-empty': ['object mask', 'donors'],
  'mask-tiny': ['object mask'],
  'mask-full': ['object mask'],
  'attribute-missing': ['attributes', 'attribute masks'],
};

interface PlannedSkip {
  reason: Reason;
  images: number;
  causes: readonly Need[];
}

/**
 * Counts the images that variants will skip, from masks at image size. At the input size of the model a few more small
 * objects can vanish.
 */
function countPlannedSkips(entries: readonly Entry[]): PlannedSkip[] {
  const counts = new Map<Reason, number>();
  const add = (reason: Reason) => counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const { image } of entries) {
    const reason = maskReason(image);
    if (reason) add(reason);
    if (!image.attributes || (image.attributes.present.length > 0 && image.attributeMasks.length === 0))
      add('attribute-missing');
  }
  return [...counts].map(([reason, images]) => ({ reason, images, causes: causes[reason] ?? [] }));
}

function maskReason(image: Entry['image']): Reason | null {
  const mask = objectMask(image);
  if (!mask) return 'mask-missing';
  if (!boundingBox(mask)) return 'mask-empty';
  const share = area(mask) / (image.width * image.height);
  if (share === 1) return 'mask-full';
  return share < MIN_OBJECT_SHARE ? 'mask-tiny' : null;
}
