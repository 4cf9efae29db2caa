import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { JobSpec } from '@/lib/core/training-spec';
import { type Calibration, readCalibration } from '../trainers/calibration';
import { type Rates, usualRates } from './estimate-time';

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
