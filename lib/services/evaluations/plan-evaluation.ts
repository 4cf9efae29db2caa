import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { formatMoney } from '@/lib/core/format';
import type { Looking } from '@/lib/core/robustness/saliency/look';
import { type Planned, type Setting, suites } from '@/lib/core/robustness/suites';
import { chainOf } from '@/lib/core/robustness/suites/fmr';
import { onAll } from '@/lib/core/robustness/suites/suite';
import { reasons } from '@/lib/core/robustness/types';
import { identity } from '@/lib/core/robustness/variants/identity';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { readServing } from '@/lib/services/inference/predictions/serving-contract';
import type { JobContext } from '@/lib/services/jobs';
import { checkedOracle } from './checked-oracle';
import { chosenImages } from './chosen-images';
import { ALL } from './chosen-split';
import { crowdCost } from './crowd/crowd-cost';
import { openOracleStage } from './crowd/oracle-stage';
import type { EvaluationPlan } from './evaluation-plan';
import { knownRows } from './known-rows';
import { modelKey } from './model-key';
import { EvaluationOptions, type NewEvaluation } from './new-evaluation';
import { GRADIENT } from './open-runner';
import { offersFor } from './planned-offers';
import { type PlannedSkip, plannedSkips } from './planned-skips';
import { settingOf } from './setting-of';
import { calibrate, calibrated, pastSpeed, type Speed } from './speed';

const { modelFiles, models } = tables;

/** Opening a large model takes a while. */
const PATIENCE_MS = 60_000;

interface PlannedSuite {
  id: string;
  name: string;
  variants: Planned[];
}

/** What an evaluation would cost. `measures`: where no evaluation of the model tells its speed, it is opened and tried. */
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
  const contract = readServing(model.contract);
  const options = EvaluationOptions.strip().parse(evaluation);
  await checkedOracle(db, {
    projectId,
    model: { id: model.id, sha256: model.blob },
    oracle: options.oracle,
  });
  const chosen = await chosenImages(context, version, contract.classes, options);
  const { entries } = chosen;
  const key = modelKey(model, gradient);
  const past = await pastSpeed(db, { modelId: model.id, suite: evaluation.suite, preset: options.preset });
  const settingWith = (features: boolean, looking?: Looking): Setting =>
    settingOf(options, contract, chosen.schema, {
      gradient: gradient !== null,
      oracle: options.oracle.length > 0,
      features,
      ...(looking && { looking }),
      ...(options.crowd && { crowd: true }),
    });
  const hopeful = suitesOf(evaluation.suite, settingWith(true));
  const measured =
    past === null && measures
      ? await calibrated([key, version.hash, evaluation.suite, options.preset].join(' '), () =>
          calibrate(
            // Not the signal of one request: others may wait for the same measurement.
            { ...context, signal: AbortSignal.timeout(PATIENCE_MS) },
            model,
            { entries, input: contract.input },
            hopeful.planned.flatMap(({ variants }) => variants),
          ),
        )
      : null;
  const features = measured?.features ?? (contract.outputs.features !== null || null);
  const speed = past ?? measured?.speed ?? null;
  const { planned, left } = suitesOf(evaluation.suite, settingWith(features !== false, speed?.looking));
  const variants = planned.flatMap((suite) => suite.variants);
  const known = await knownRows(
    db,
    { projectId, model: key, seed: options.seed, entries, input: contract.input },
    variants,
  );
  const costs = planned.map((suite) => costOf(suite, entries.length, known.images, speed));
  const total = (name: 'runs' | 'known') => costs.reduce((sum, cost) => sum + cost[name], 0);
  return {
    images: entries.length,
    unknown: chosen.unknown,
    split: chosen.split ?? ALL,
    suites: costs,
    runs: total('runs'),
    known: total('known'),
    isKnownAtMost: known.isAtMost,
    seconds: speed && costs.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
    speed: speed && { from: speed.from, runsPerSecond: speed.runsPerSecond, n: speed.n },
    offers: offersFor(evaluation.suite, {
      gradient: gradient !== null,
      'feature map': features,
      oracle: options.oracle.length > 0 || options.crowd !== null,
    }),
    crowd: options.crowd
      ? await crowdOf(db, {
          ...{ projectId, stageId: options.crowd, length: chainOf(settingWith(true)).budget },
          images: costs.find(({ id }) => id === 'fmr')?.images ?? 0,
        })
      : null,
    left,
    skipped: skipsOf(planned, plannedSkips(entries)),
  };
}

/** At most: fewer questions are asked where people see nothing in the first picture. */
async function crowdOf(
  db: Db,
  {
    projectId,
    stageId,
    images,
    length,
  }: { projectId: string; stageId: string; images: number; length: number },
): Promise<EvaluationPlan['crowd']> {
  const stage = await openOracleStage(db, { projectId, stageId });
  const { costMicro, currency, ...counts } = crowdCost(stage, images, length);
  return { stage: stage.name, ...counts, cost: formatMoney(costMicro, currency) };
}

/** One suite after the other; what two of them share stands with the first. */
function suitesOf(id: string, setting: Setting): { planned: PlannedSuite[]; left: EvaluationPlan['left'] } {
  const planned: PlannedSuite[] = [
    { id: 'clean', name: 'The pictures as they are', variants: onAll([identity()]) },
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

function costOf(
  { id, name, variants }: PlannedSuite,
  images: number,
  known: ReadonlyMap<string, number>,
  speed: Speed | null,
): EvaluationPlan['suites'][number] {
  const cost = { id, name, images: 0, runs: 0, known: 0, seconds: speed && 0 };
  for (const variant of variants) {
    const asked = Math.min(images, variant.most);
    const have = Math.min(asked, known.get(variant.id) ?? 0);
    const each = variant.cells.length * variant.runs;
    cost.images = Math.max(cost.images, asked);
    cost.runs += asked * each;
    cost.known += have * each;
    if (speed)
      cost.seconds = (cost.seconds ?? 0) + (asked - have) * variant.cells.length * speed.secondsFor(variant);
  }
  return cost;
}

/** Only what some of these suites would leave out. */
const skipsOf = (
  planned: readonly PlannedSuite[],
  skips: readonly PlannedSkip[],
): EvaluationPlan['skipped'] =>
  skips.flatMap(({ reason, images, causes }) => {
    const names = planned
      .filter(({ variants }) => variants.some(({ needs }) => needs.some((need) => causes.includes(need))))
      .map(({ name }) => name);
    return names.length === 0 ? [] : [{ reason, says: reasons[reason], images, suites: names }];
  });
