import { classShares } from './dawid-skene';
import { type Aggregate, iterate, noTruth, softmaxRows, type Truth, type Votes, voteShares } from './votes';

type Model = {
  /** By worker: above 0 helps, 0 guesses, below 0 misleads. */
  ability: Float64Array;
  /** By item: the logarithm of how easy it is. */
  ease: Float64Array;
};

/** Steps of the climb within one maximisation, and their length: short enough not to overshoot. */
const STEPS = 10;
const RATE = 0.3;

/**
 * GLAD: Whitehill, Ruvolo, Wu, Bergsma, Movellan, "Whose vote should count more", NIPS 2009. A worker is right with
 * probability σ(ability · ease); abilities and log-eases have normal priors of mean 1 and variance 1, as in the
 * authors' program. An error on a hard item costs less trust than one on an easy item.
 */
export function glad(votes: Votes, truth = noTruth(votes)): Aggregate & { ease: Float64Array } {
  const model: Model = {
    ability: new Float64Array(votes.workers.length).fill(1),
    ease: new Float64Array(votes.items.length).fill(1),
  };
  const start = voteShares(votes, truth, () => 1);
  const { posterior, iterations } = iterate(start, (now) => {
    climb(votes, now, model);
    return expect(votes, truth, now, model);
  });
  // At an item of middling ease, so that the figure compares with that of the other methods.
  const skill = model.ability.map((ability) => sigmoid(ability * Math.E));
  return { posterior, skill, iterations, ease: model.ease.map(Math.exp) };
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

function climb(votes: Votes, posterior: Float64Array, { ability, ease }: Model): void {
  const classes = votes.classes.length;
  for (let step = 0; step < STEPS; step++) {
    const up = { ability: ability.map((a) => 1 - a), ease: ease.map((e) => 1 - e) };
    const count = {
      ability: new Float64Array(ability.length).fill(1),
      ease: new Float64Array(ease.length).fill(1),
    };
    for (let r = 0; r < votes.item.length; r++) {
      const [item, worker] = [votes.item[r] as number, votes.worker[r] as number];
      const right = posterior[item * classes + (votes.value[r] as number)] as number;
      const [a, e] = [ability[worker] as number, Math.exp(ease[item] as number)];
      const slope = right - sigmoid(a * e);
      up.ability[worker] = (up.ability[worker] as number) + slope * e;
      up.ease[item] = (up.ease[item] as number) + slope * a * e;
      count.ability[worker] = (count.ability[worker] as number) + e * e;
      count.ease[item] = (count.ease[item] as number) + a * a * e * e;
    }
    // Divided by what one answer can change at the most: many answers must not make a longer step.
    for (let w = 0; w < ability.length; w++)
      ability[w] = (ability[w] as number) + (RATE * (up.ability[w] as number)) / (count.ability[w] as number);
    for (let i = 0; i < ease.length; i++)
      ease[i] = (ease[i] as number) + (RATE * (up.ease[i] as number)) / (count.ease[i] as number);
  }
}

function expect(votes: Votes, truth: Truth, posterior: Float64Array, { ability, ease }: Model): Float64Array {
  const classes = votes.classes.length;
  const prior = classShares(posterior, classes);
  const rows = new Float64Array(votes.items.length * classes);
  for (let i = 0; i < rows.length; i++) rows[i] = Math.log(prior[i % classes] as number);
  for (let r = 0; r < votes.item.length; r++) {
    const item = votes.item[r] as number;
    const strength = (ability[votes.worker[r] as number] as number) * Math.exp(ease[item] as number);
    const cell = item * classes + (votes.value[r] as number);
    // log σ(x) − log σ(−x) = x; the wrong classes share the rest.
    rows[cell] = (rows[cell] as number) + strength + Math.log(Math.max(1, classes - 1));
  }
  return softmaxRows(rows, classes, truth);
}
