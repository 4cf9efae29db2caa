import { explain, noPrior, type Outcome, type StagePrior, type WeighedAnswer } from './explanation';
import { clamp, compareSupport, type Support } from './reliability';

const MAX_ACCURACY = 0.99;

/**
 * Settles a class by one-coin Dawid-Skene: a worker is right with one probability and names each wrong class equally
 * often (Zhang et al., JMLR 17, 2016, section 2). Classes that nobody named keep their share of the probability.
 */
export function settleClass(answers: readonly WeighedAnswer[], prior: StagePrior = noPrior): Outcome {
  const votes = answers.flatMap(({ workerId, accuracy, value }) =>
    value.kind === 'class' ? [{ workerId, accuracy, className: value.className }] : [],
  );
  const named = [...new Set(votes.map((vote) => vote.className))].sort();
  const others = Math.max(1, named.length, (prior.classes ?? 2) - 1);
  const weights = new Map(
    named.map((name) => {
      const own = votes.filter((vote) => vote.className === name);
      return [name, own.reduce((sum, { accuracy }) => sum + classWeight(accuracy, others), 0)];
    }),
  );
  const heaviest = Math.max(...weights.values());
  const share = (weight: number) => Math.exp(weight - heaviest);
  const unnamed = (others + 1 - named.length) * share(0);
  const total = unnamed + named.reduce((sum, name) => sum + share(weights.get(name) as number), 0);
  const options = named.map((name) => ({
    name,
    support: {
      weight: weights.get(name) as number,
      votes: votes.filter((vote) => vote.className === name).length,
      probability: share(weights.get(name) as number) / total,
    } satisfies Support,
  }));
  // Named in alphabetical order, so that the first of several equal ones does not depend on who came first.
  const ranked = options.toSorted((a, b) => compareSupport(b.support, a.support)?.difference ?? 0);
  const [best, second] = ranked as [(typeof options)[number], (typeof options)[number] | undefined];
  const by = second ? (compareSupport(best.support, second.support)?.by ?? null) : 'weight';
  return {
    value: { kind: 'class', className: best.name },
    mask: null,
    confidence: best.support.probability,
    leastCertain: best.support.probability,
    posteriors: Object.fromEntries(options.map(({ name, support }) => [name, support.probability])),
    supporters: votes.filter((vote) => vote.className === best.name).map((vote) => vote.workerId),
    explanation: explain({ agree: best.support.votes, answers: votes.length, by }),
  };
}

/** Log likelihood ratio of a class that is named to one that is not; zero for a worker who guesses or worse. */
const classWeight = (accuracy: number, others: number): number =>
  Math.max(
    0,
    Math.log((clamp(accuracy, 0.001, MAX_ACCURACY) * others) / (1 - clamp(accuracy, 0.001, MAX_ACCURACY))),
  );
