import type { EvaluationPlan } from './evaluation-plan';

type Offer = EvaluationPlan['offers'][number]['offer'];

/** What a suite can use beside logits, and what it does without. */
const uses: readonly { offer: Offer; suites: readonly string[]; there: string; without: string }[] = [
  {
    offer: 'gradient',
    suites: ['attacks'],
    there: 'Attacks follow the gradient.',
    without: 'The model came without its gradient: attacks see its scores alone, and give an upper bound.',
  },
  {
    offer: 'feature map',
    suites: ['saliency', 'nodes'],
    there: 'Where the model looks is read off its last map, or tile by tile where that is too coarse.',
    without:
      'The file shows no map of features: where it looks is found tile by tile, without its gradient at a run for each.',
  },
  {
    offer: 'oracle',
    suites: ['fmr'],
    there: 'Perturbed pictures are judged.',
    without: 'Nobody judges perturbed pictures: name an oracle, or FMR is left out.',
  },
];

const UNKNOWN = 'Known when the model is opened.';

export const offersFor = (suite: string, has: Record<Offer, boolean | null>): EvaluationPlan['offers'] =>
  uses
    .filter(({ suites }) => suite === 'all' || suites.includes(suite))
    .map(({ offer, there, without }) => {
      const isThere = has[offer];
      return { offer, isThere, says: isThere === null ? UNKNOWN : isThere ? there : without };
    });
