import { type Aggregate, iterate, noTruth, softmaxRows, type Truth, type Votes, voteShares } from './votes';

/** Each worker's confusion: workers × true class × given class, rows of probabilities; and how common each class is. */
export type Confusion = { readonly rates: Float64Array; readonly prior: Float64Array };

/**
 * Dawid & Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm", Applied Statistics
 * 28 (1979): every worker has an error rate for each pair of true and given class. Needs many answers per worker:
 * the number of rates grows with the square of the classes.
 */
export function dawidSkene(votes: Votes, truth = noTruth(votes)): Aggregate & { confusion: Confusion } {
  const start = voteShares(votes, truth, () => 1);
  const { posterior, iterations } = iterate(start, (now) =>
    expect(votes, truth, maximise(votes, now, SMOOTHING)),
  );
  const confusion = maximise(votes, posterior, 0);
  return { posterior, skill: skillOf(votes, confusion), iterations, confusion };
}

/** Pseudo-answers per cell. Without any, one missing pair of classes would forbid that pair for ever. */
const SMOOTHING = 1e-3;

function maximise(votes: Votes, posterior: Float64Array, smoothing: number): Confusion {
  const classes = votes.classes.length;
  const rates = new Float64Array(votes.workers.length * classes * classes).fill(smoothing);
  for (let r = 0; r < votes.item.length; r++) {
    const block = (votes.worker[r] as number) * classes * classes + (votes.value[r] as number);
    for (let c = 0; c < classes; c++) {
      const cell = block + c * classes;
      rates[cell] = (rates[cell] as number) + (posterior[(votes.item[r] as number) * classes + c] as number);
    }
  }
  for (let row = 0; row < rates.length; row += classes) {
    let sum = 0;
    for (let c = 0; c < classes; c++) sum += rates[row + c] as number;
    for (let c = 0; c < classes; c++)
      rates[row + c] = sum > 0 ? (rates[row + c] as number) / sum : 1 / classes;
  }
  return { rates, prior: classShares(posterior, classes) };
}

/** How common each class is, by the posterior. */
export function classShares(posterior: Float64Array, classes: number): Float64Array {
  const shares = new Float64Array(classes);
  for (let i = 0; i < posterior.length; i++)
    shares[i % classes] = (shares[i % classes] as number) + (posterior[i] as number);
  const items = posterior.length / classes;
  return shares.map((sum) => (items > 0 ? sum / items : 1 / classes));
}

function expect(votes: Votes, truth: Truth, { rates, prior }: Confusion): Float64Array {
  const classes = votes.classes.length;
  const rows = new Float64Array(votes.items.length * classes);
  for (let i = 0; i < rows.length; i++) rows[i] = Math.log(prior[i % classes] as number);
  for (let r = 0; r < votes.item.length; r++) {
    const row = (votes.item[r] as number) * classes;
    const block = (votes.worker[r] as number) * classes * classes + (votes.value[r] as number);
    for (let c = 0; c < classes; c++)
      rows[row + c] = (rows[row + c] as number) + Math.log(rates[block + c * classes] as number);
  }
  return softmaxRows(rows, classes, truth);
}

/** The probability of a right answer: the diagonal, weighted by how common each class is. */
function skillOf({ workers, classes }: Votes, { rates, prior }: Confusion): Float64Array {
  const k = classes.length;
  return Float64Array.from(workers, (_, worker) =>
    prior.reduce((sum, share, c) => sum + share * (rates[worker * k * k + c * k + c] as number), 0),
  );
}
