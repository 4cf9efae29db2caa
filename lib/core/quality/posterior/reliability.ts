import { groupBy } from '../group-by';
import type { Policy } from '../policy';
import { hitsIn } from '../score-check';

/** A worker at or below chance has no weight, rather than a negative one, and no weight is unlimited. */
const [MIN_ACCURACY, MAX_ACCURACY] = [0.5, 0.99];
/** Rates of errors below this cannot be measured with the checks that one worker answers. */
const [MIN_RATE, MAX_RATE] = [0.005, 0.995];

/** Sums closer than this are equal: the difference is rounding. */
const EPSILON = 1e-9;

type Rates = {
  /** Probability of saying yes where the truth is yes, and no where it is no. */
  sensitivity: number;
  specificity: number;
};

export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

export const logit = (probability: number): number => Math.log(probability / (1 - probability));

export const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Weight of a vote in the decision: the log odds of the worker's accuracy, never below zero. */
export const voteWeight = (accuracy: number): number => logit(clamp(accuracy, MIN_ACCURACY, MAX_ACCURACY));

/** Log likelihood ratio of one yes or no vote. Zero for a worker whose votes carry no information. */
function voteEvidence({ sensitivity, specificity }: Rates, isFor: boolean): number {
  const [hit, reject] = [sensitivity, specificity].map((rate) => clamp(rate, MIN_RATE, MAX_RATE)) as [
    number,
    number,
  ];
  return isFor ? Math.max(0, Math.log(hit / (1 - reject))) : Math.min(0, Math.log((1 - hit) / reject));
}

/**
 * Probability that a statement is true by Bayes' rule, given independent votes and how often it is true beforehand.
 * Dawid & Skene, Applied Statistics 28 (1979), with the error rates known from checks instead of estimated by EM.
 */
export function probabilityTrue(votes: readonly (Rates & { isFor: boolean })[], frequency = 0.5): number {
  const evidence = votes.reduce((sum, vote) => sum + voteEvidence(vote, vote.isFor), 0);
  return sigmoid(logit(clamp(frequency, MIN_RATE, MAX_RATE)) + evidence);
}

/** The criteria that decide between options, most important first. */
export type Support = { weight: number; votes: number; probability: number };

const order = ['weight', 'votes', 'probability'] as const;
export type Criterion = (typeof order)[number];

/** The first criterion by which two options differ, and by how much; null when they are equal in all. */
export function compareSupport(a: Support, b: Support): { by: Criterion; difference: number } | null {
  for (const by of order) {
    const difference = a[by] - b[by];
    if (Math.abs(difference) > EPSILON) return { by, difference };
  }
  return null;
}

/** How far the answers of a worker in a stage can be relied on; all probabilities. */
export type Reliability = {
  /** The answer is right. Decides how much a vote weighs. */
  accuracy: number;
  /** Says yes where the truth is yes, and no where it is no: of attributes, or of there being something to draw. */
  sensitivity: number;
  specificity: number;
  /** A drawing is right, where there is something to draw. */
  placement: number;
};

/** A scored check or exam item. */
export type ScoredCheck = {
  workerId: string;
  goldId: string;
  kind: 'work' | 'exam';
  /** From `scoreCheck`. */
  score: Readonly<Record<string, number>>;
  /** Of masks: the gold has a mask, and so has the answer. */
  isPresent: boolean;
  isDrawn: boolean;
};

export type StageFacts = {
  /** Ids of the attributes that are asked for; none in other stages. */
  attributes: readonly string[];
  /** Score at which a mask is right. */
  bar: number;
};

type Aspect = keyof Reliability;
type Trials = { right: number; n: number };
const aspects = ['accuracy', 'sensitivity', 'specificity', 'placement'] as const satisfies readonly Aspect[];

/**
 * Weight of an exam item relative to a hidden check. An exam announces itself, so it shows what a worker can do and
 * not what they do.
 */
const EXAM_WEIGHT = 0.25;

/** The evidence of one check on each aspect. */
function trialsOf({ score, isPresent, isDrawn }: ScoredCheck, { attributes, bar }: StageFacts) {
  const none = { right: 0, n: 0 };
  const hits = hitsIn(score);
  if (hits) {
    const { truePositives, falsePositives, falseNegatives } = hits;
    // Between precision and recall. Agreeing on the many absent attributes is no skill.
    const accuracy = { right: truePositives, n: truePositives + (falsePositives + falseNegatives) / 2 };
    const marked = truePositives + falsePositives + falseNegatives;
    const trueNegatives = Math.max(0, attributes.length - marked);
    return {
      accuracy,
      sensitivity: { right: truePositives, n: truePositives + falseNegatives },
      specificity: { right: trueNegatives, n: trueNegatives + falsePositives },
      placement: none,
    };
  }
  const right = Number((score.sizeAware ?? score.level ?? 0) >= bar);
  const one = (isRight: boolean) => ({ right: Number(isRight), n: 1 });
  return {
    accuracy: { right, n: 1 },
    sensitivity: isPresent ? one(isDrawn) : none,
    specificity: isPresent ? none : one(!isDrawn),
    placement: isPresent && isDrawn ? { right, n: 1 } : none,
  };
}

const weightOf = ({ kind }: ScoredCheck): number => (kind === 'exam' ? EXAM_WEIGHT : 1);

/** Sums what checks say, with the mean number of trials in one check that has any. */
function sumTrials(
  checks: readonly ScoredCheck[],
  facts: StageFacts,
): Record<Aspect, Trials & { perCheck: number }> {
  const sums = aspects.map((aspect) => {
    const all = { right: 0, n: 0, checks: 0 };
    for (const check of checks) {
      const { right, n } = trialsOf(check, facts)[aspect];
      const weight = weightOf(check);
      all.right += weight * right;
      all.n += weight * n;
      all.checks += n > 0 ? weight : 0;
    }
    const perCheck = all.checks > 0 ? all.n / all.checks : 1;
    return [aspect, { right: all.right, n: all.n, perCheck }] as const;
  });
  return Object.fromEntries(sums) as Record<Aspect, Trials & { perCheck: number }>;
}

/** Bounds of the estimated strength, in checks. */
const [MIN_STRENGTH, MAX_STRENGTH] = [1, 50];
/** Degrees of freedom, between and within workers, below which variances say nothing. */
const MIN_FREEDOM = 10;

/**
 * Estimates how many checks the population's rate is worth for a single worker: the variance between the checks of
 * one worker divided by the variance between workers (Bühlmann, ASTIN Bulletin 4, 1967). Where workers are alike, the
 * population is informative; where some do not look at the images, a few checks of their own are more so. Null with
 * too little data.
 */
function credibility(checks: readonly ScoredCheck[], facts: StageFacts, aspect: Aspect): number | null {
  const shares = checks.flatMap((check) => {
    const { right, n } = trialsOf(check, facts)[aspect];
    return n > 0 && check.kind === 'work' ? [{ workerId: check.workerId, share: right / n }] : [];
  });
  const byWorker = [...groupBy(shares, ({ workerId }) => workerId).values()].map((list) => ({
    n: list.length,
    mean: mean(list.map(({ share }) => share)),
    shares: list.map(({ share }) => share),
  }));
  const [n, workers] = [shares.length, byWorker.length];
  if (n - workers < MIN_FREEDOM || workers - 1 < MIN_FREEDOM) return null;
  const all = mean(shares.map(({ share }) => share));
  const squares = (list: readonly number[], centre: number) =>
    list.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const within = byWorker.reduce((sum, own) => sum + squares(own.shares, own.mean), 0) / (n - workers);
  const spread = byWorker.reduce((sum, own) => sum + own.n * (own.mean - all) ** 2, 0);
  const between =
    (spread - (workers - 1) * within) / (n - byWorker.reduce((sum, own) => sum + own.n ** 2, 0) / n);
  return between > 0 ? clamp(within / between, MIN_STRENGTH, MAX_STRENGTH) : MAX_STRENGTH;
}

const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);

/** Mean of a Beta posterior: `strength` checks of what is expected, then what was seen. */
const shrink = ({ right, n }: Trials, expected: number, strength: number): number =>
  strength + n > 0 ? (strength * expected + right) / (strength + n) : expected;

/** Lets a worker of many checks count for little more than one of a few where workers differ much. */
const capTrials = ({ right, n }: Trials, strength: number): Trials => {
  const weight = strength / (strength + n);
  return { right: weight * right, n: weight * n };
};

export type StageReliability = {
  /** A worker without a check. */
  population: Reliability;
  of: (checks: readonly ScoredCheck[]) => Reliability;
};

/**
 * Estimates the reliability of workers by empirical Bayes. The workers of a stage start from what its checks say of
 * all of them together, and that starts from the policy's default, which is above chance: without any checks all
 * votes weigh the same and the majority decides. Toloka's dynamic overlap shrinks towards 0.5 instead, (K + right) /
 * (2K + n), which gives the vote of a new worker no weight at all.
 *
 * The strength counts checks. A form holds many attributes, which one careless minute gets wrong together, so its
 * pseudo-count is multiplied by the attributes in a form.
 */
export function stageReliability(
  checks: readonly ScoredCheck[],
  facts: StageFacts,
  { accuracy, strength }: Policy['trustPrior'],
): StageReliability {
  const pooled = sumTrials(checks, facts);
  const workers = [...groupBy(checks, ({ workerId }) => workerId).values()].map((own) =>
    sumTrials(own, facts),
  );
  const each = (estimate: (aspect: Aspect) => number) =>
    Object.fromEntries(aspects.map((aspect) => [aspect, estimate(aspect)])) as Reliability;
  const strengths = each(
    (aspect) => (credibility(checks, facts, aspect) ?? strength) * pooled[aspect].perCheck,
  );
  const population = each((aspect) => {
    const capped = workers.map((worker) => capTrials(worker[aspect], strengths[aspect]));
    const right = capped.reduce((sum, worker) => sum + worker.right, 0);
    const n = capped.reduce((sum, worker) => sum + worker.n, 0);
    return shrink({ right, n }, accuracy, strength * pooled[aspect].perCheck);
  });
  return {
    population,
    of: (own) => {
      const seen = sumTrials(own, facts);
      return each((aspect) => shrink(seen[aspect], population[aspect], strengths[aspect]));
    },
  };
}

/** Pseudo-count of gold items, half of them positive, behind the frequency of an attribute. */
const FREQUENCY_STRENGTH = 1;

/**
 * Estimates how common each attribute is, or something to draw, from the gold items that were shown: gold is drawn
 * from the same distribution as the other items. Each gold item counts once, however many people answered it.
 */
export function frequenciesOf(checks: readonly ScoredCheck[], facts: StageFacts): Record<string, number> {
  const items = [...new Map(checks.map((check) => [check.goldId, check])).values()];
  const smooth = (positive: number) =>
    (FREQUENCY_STRENGTH / 2 + positive) / (FREQUENCY_STRENGTH + items.length);
  if (items.length === 0) return {};
  if (facts.attributes.length === 0)
    return items.some(({ score }) => hitsIn(score))
      ? {}
      : { present: smooth(items.filter(({ isPresent }) => isPresent).length) };
  const isThere = ({ score }: ScoredCheck, id: string) =>
    Boolean(score[`right:${id}`] || score[`missed:${id}`]);
  return Object.fromEntries(
    facts.attributes.map((id) => [id, smooth(items.filter((item) => isThere(item, id)).length)]),
  );
}

/** Shared error that is assumed before any image was drawn twice, and how many images that is worth. */
const SHARED_ERROR = { share: 0.02, strength: 30, max: 0.3 };

/**
 * Estimates the share of images on which everybody draws wrong. If a share h is difficult and workers are right
 * independently on the others, one answer is right with (1 − h) · r and two answers to one image with (1 − h) · r²,
 * so 1 − h is the square of the first divided by the second.
 */
export function sharedErrorOf(checks: readonly ScoredCheck[], facts: StageFacts): number {
  const shares = [...groupBy(checks, ({ goldId }) => goldId).values()].flatMap((own) => {
    const right = own.flatMap((check) => {
      const trial = trialsOf(check, facts).placement;
      return trial.n > 0 ? [trial.right] : [];
    });
    const n = right.length;
    const sum = right.reduce((total, value) => total + value, 0);
    return n > 1 ? [{ one: sum / n, two: (sum * (sum - 1)) / (n * (n - 1)) }] : [];
  });
  const both = mean(shares.map(({ two }) => two));
  const found = both > 0 ? 1 - mean(shares.map(({ one }) => one)) ** 2 / both : 0;
  const { share, strength, max } = SHARED_ERROR;
  return clamp((strength * share + shares.length * Math.max(0, found)) / (strength + shares.length), 0, max);
}
