import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Backbone, JobSpec, Stage, TestAttack } from '@/lib/core/training-spec';
import { type Calibration, readCalibration } from '../trainers/calibration';

/** Training images a second, by the method of the stage. */
interface Rates {
  clean: number;
  /** With an attack of ten steps. */
  adversarial: number;
}

export interface Estimate {
  seconds: number;
  training: number;
  validation: number;
  /** At most: an image that is broken early is not attacked any further. */
  testing: number;
}

/**
 * Measured with two threads of an EPYC processor, batch 32 at 64 px, or 4 at 224 px for ResNet-50: forward, backward
 * and SGD, without and with an attack of ten steps.
 */
export const measuredRates: Record<Backbone, Rates & { size: number }> = {
  tiny: { clean: 392, adversarial: 52, size: 64 },
  small: { clean: 104, adversarial: 17, size: 64 },
  resnet18: { clean: 37, adversarial: 4.6, size: 64 },
  resnet50: { clean: 1.9, adversarial: 0.29, size: 224 },
};

const USUAL_STEPS = 10;

/** The measured rates at another size: work grows with the pixels. */
export function usualRates({ model, data }: Pick<JobSpec, 'model' | 'data'>): Rates {
  const { clean, adversarial, size } = measuredRates[model.backbone];
  const scale = (size / data.size) ** 2;
  return { clean: clean * scale, adversarial: adversarial * scale };
}

/** Seconds of one step on an image, of one gradient by the image, and of one look. */
function costsOf({ clean, adversarial }: Rates) {
  const step = 1 / clean;
  const gradient = Math.max(0, 1 / adversarial - step) / USUAL_STEPS;
  return { step, gradient, look: gradient > 0 ? gradient / 2 : step / 3 };
}

type Costs = ReturnType<typeof costsOf>;

const stageCost = (stage: Stage, { step, gradient }: Costs): number =>
  stage.method === 'clean' ? step : step + stage.attack.steps * gradient;

/** Seconds an attack takes on an image that withstands all of it. */
function attackCost(test: TestAttack, { gradient, look }: Costs): number {
  switch (test.attack) {
    case 'none':
      return look;
    case 'pgd':
    case 'two-stage':
      return test.steps * test.restarts * gradient;
    case 'sweep':
      return test.eps.length * test.steps * test.restarts * gradient;
    case 'apgd-ce':
      return test.iterations * gradient;
    case 'apgd-t':
      return test.iterations * test.targets * gradient;
    case 'fab':
      return 2 * test.iterations * test.targets * gradient;
    case 'square':
      return test.queries * look;
    case 'autoattack':
      return test.iterations * (1 + 3 * test.targets) * gradient + test.queries * look;
  }
}

const shown = (sample: number | null, images: number) => Math.min(sample ?? images, images);

/** How long a run takes: images × epochs ÷ rate, and what looking at the outcome costs. */
export function estimateTime(
  spec: JobSpec,
  images: { train: number; val: number; test: number },
  rates: Rates,
): Estimate {
  const costs = costsOf(rates);
  const { every, attack, sample } = spec.validate;
  const training = spec.stages.reduce(
    (sum, stage) => sum + stage.epochs * images.train * stageCost(stage, costs),
    0,
  );
  const looks = spec.stages.reduce((sum, { epochs }) => sum + Math.ceil(epochs / every), 0);
  const attacked = attack ? shown(sample, images.val) * attack.steps * costs.gradient : 0;
  const validation = looks * (images.val * costs.look + attacked);
  const testing = spec.test.reduce(
    (sum, test) => sum + shown(test.sample, images.test) * attackCost(test, costs),
    0,
  );
  return { seconds: training + validation + testing, training, validation, testing };
}

const { runEvents, runs } = tables;

/** Runs that are looked back at: machines change. */
const RUNS = 6;
/** The first steps of a process are slow, and rates are told as means since the stage began. */
const WARM_EPOCHS = 3;

export interface KnownRates extends Rates {
  /** Epochs of earlier runs the rates come from; 0 where only the measured table is known. */
  epochs: number;
  /** A measurement that is newer than those runs, if the rates come from one. */
  calibration: Calibration | null;
}

/**
 * How fast networks of this size trained on this instance lately. Where one of the two rates is not known yet, it is
 * taken from the table, scaled as the known one differs from it.
 */
export async function readRates(db: Db, spec: Pick<JobSpec, 'model' | 'data'>): Promise<KnownRates> {
  const found = await db.execute<{ adversarial: boolean; rate: number; n: number; at: number }>(sql`
    select adversarial, percentile_cont(0.5) within group (order by rate)::float8 as rate, count(*)::int as n,
      extract(epoch from max(at))::float8 as at
    from (
      select (e.document ->> 'imagesPerSecond')::float8 as rate, e.at,
        r.spec #>> array['stages', e.document ->> 'stage', 'method'] <> 'clean' as adversarial
      from (
        select id, spec from ${runs} where spec #>> '{model,backbone}' = ${spec.model.backbone}
          and spec #>> '{data,size}' = ${String(spec.data.size)} and state <> 'queued'
        order by id desc limit ${RUNS}
      ) r join ${runEvents} e on e.run_id = r.id and e.kind = 'metrics'
      where e.document ->> 'split' = 'train' and e.document ->> 'imagesPerSecond' is not null
        and (e.document ->> 'epoch')::int >= ${WARM_EPOCHS}
    ) as lately where adversarial is not null and rate > 0 group by adversarial`);
  const calibration = await readCalibration(db, spec);
  if (calibration && found.rows.every(({ at }) => at * 1000 < calibration.at.getTime()))
    return { clean: calibration.clean, adversarial: calibration.adversarial, epochs: 0, calibration };
  const usual = usualRates(spec);
  const clean = found.rows.find((row) => !row.adversarial);
  const adversarial = found.rows.find((row) => row.adversarial);
  return {
    clean: clean?.rate ?? (adversarial ? (usual.clean * adversarial.rate) / usual.adversarial : usual.clean),
    adversarial:
      adversarial?.rate ?? (clean ? (usual.adversarial * clean.rate) / usual.clean : usual.adversarial),
    epochs: (clean?.n ?? 0) + (adversarial?.n ?? 0),
    calibration: null,
  };
}
