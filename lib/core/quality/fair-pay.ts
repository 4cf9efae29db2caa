import { binomialCdf } from './distributions';
import { groupBy } from './group-by';
import { type Share, wilson } from './interval';
import { median } from './score';

export type PaidBatch = { workerId: string; activeMs: number; wallMs: number; amountMicro: bigint };

/** A median; the interval is null where too few values are in for one that holds 95 of 100 times. */
export type Median = { value: number; n: number; interval: { low: number; high: number } | null };

export type TopUp = { workerId: string; hourlyMicro: number; amountMicro: bigint };

export type FairPay = {
  /** Per batch. */
  activeMinutes: Median | null;
  wallMinutes: Median | null;
  /** Of workers: what each earned by the hour of active and of wall time. */
  hourlyMicro: Median | null;
  wallHourlyMicro: Median | null;
  underTarget: Share | null;
  /** What would bring everybody to the target, most first. */
  topUps: TopUp[];
  topUpMicro: bigint;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What the work pays by the hour, in millionths, against the rate that the project promises. */
export function fairPay(batches: readonly PaidBatch[], targetMicro: number): FairPay {
  const timed = batches.filter((batch) => batch.activeMs > 0);
  const longestMs = longestUsual(timed);
  const workers = [...groupBy(timed, (batch) => batch.workerId)].map(([workerId, own]) => ({
    workerId,
    ...totalOf(own, longestMs),
  }));
  const hourly = workers.map(({ paid, activeMs }) => (paid * HOUR) / activeMs);
  const under = hourly.filter((rate) => rate < targetMicro).length;
  const topUps = workers
    .map((worker) => topUpOf(worker, targetMicro))
    .filter((topUp) => topUp.amountMicro > 0n)
    .sort((a, b) => Number(b.amountMicro - a.amountMicro));
  return {
    activeMinutes: medianOf(timed.map((batch) => batch.activeMs / MINUTE)),
    wallMinutes: medianOf(timed.map((batch) => batch.wallMs / MINUTE)),
    hourlyMicro: medianOf(hourly),
    wallHourlyMicro: medianOf(workers.map(({ paid, wallMs }) => (paid * HOUR) / wallMs)),
    underTarget: wilson(under, workers.length),
    topUps,
    topUpMicro: topUps.reduce((sum, { amountMicro }) => sum + amountMicro, 0n),
  };
}

type Total = { paid: number; activeMs: number; wallMs: number };

/** Active time beyond what is usual counts as usual: a batch left open over night is not a night's work. */
function totalOf(batches: readonly PaidBatch[], longestMs: number): Total {
  return batches.reduce<Total>(
    (sum, { amountMicro, activeMs, wallMs }) => ({
      paid: sum.paid + Number(amountMicro),
      activeMs: sum.activeMs + Math.min(activeMs, longestMs),
      wallMs: sum.wallMs + Math.max(wallMs, activeMs),
    }),
    { paid: 0, activeMs: 0, wallMs: 0 },
  );
}

function topUpOf(worker: Total & { workerId: string }, targetMicro: number): TopUp {
  const { workerId, paid, activeMs } = worker;
  const missing = Math.ceil((targetMicro * activeMs) / HOUR - paid);
  return {
    workerId,
    hourlyMicro: Math.round((paid * HOUR) / activeMs),
    amountMicro: BigInt(Math.max(0, missing)),
  };
}

/** Tukey's upper fence (1977), by ratios instead of differences, for times are log-normal. */
function longestUsual(batches: readonly PaidBatch[]): number {
  const times = batches.map((batch) => batch.activeMs).sort((a, b) => a - b);
  const quartile = (share: number) => times[Math.round(share * (times.length - 1))] ?? 1;
  const [first, third] = [quartile(0.25), quartile(0.75)];
  return third * (third / first) ** 1.5;
}

/** The median between two order statistics that hold it 95 of 100 times, whatever the distribution. */
export function medianOf(values: readonly number[]): Median | null {
  const value = median(values);
  if (value === null) return null;
  const n = values.length;
  const sorted = [...values].sort((a, b) => a - b);
  let rank = 0;
  while (binomialCdf(rank, n, 0.5) <= 0.025) rank++;
  const [low, high] = [sorted[rank - 1], sorted[n - rank]];
  return { value, n, interval: low === undefined || high === undefined ? null : { low, high } };
}
