import { crowdVariant, fmrVariant } from '../fmr/fmr-variant';
import {
  type Generator,
  identityGenerator,
  latentGenerator,
  randomGenerator,
  rebuiltGenerator,
  searchGenerator,
  squaresGenerator,
} from '../fmr/generators';
import { bootstrap } from '../metrics/estimate';
import {
  countFmr,
  type FmrChainRow,
  type FmrCounts,
  fmrByClass,
  fmrOf,
  meanSteps,
  oracleAgreement,
} from '../metrics/fmr';
import type { Finding, SuiteReport } from '../report/report';
import { type RowTable, shareOf } from '../report/row-table';
import type { Planned, Setting, Suite } from './suite';

const QUICK_IMAGES = 50;
const PAPER_IMAGES = 1000;

/** All that decides what pictures are driven by, and how far. */
type Driving = Pick<Setting, 'preset' | 'generator' | 'offers'>;

const budgetOf = ({ preset }: Driving): number => (preset === 'paper' ? 50 : 10);

function generatorOf({ preset, generator = { id: 'search' } }: Driving): Generator {
  const candidates = preset === 'paper' ? 8 : 4;
  if (generator.id === 'decoder') return latentGenerator({ candidates, step: generator.step });
  return generator.id === 'squares' ? squaresGenerator({ candidates }) : searchGenerator({ candidates });
}

/** What images are driven by, and how far at most. */
export const chainOf = (setting: Driving) => ({
  generator: generatorOf(setting),
  budget: budgetOf(setting),
});

const mostOf = ({ preset }: Driving): number => (preset === 'paper' ? PAPER_IMAGES : QUICK_IMAGES);

/** What the figure is made of; all else are controls. */
export const driven = (setting: Driving): Planned => ({
  ...(setting.offers.crowd ? crowdVariant(chainOf(setting)) : fmrVariant(chainOf(setting))),
  most: mostOf(setting),
});

/** Without guidance, and without any change: what the guided chain has to be held against. */
const controls = (setting: Setting) =>
  // People are paid: they are not asked about controls.
  setting.offers.crowd
    ? []
    : [randomGenerator(), identityGenerator()].map((generator) =>
        fmrVariant({ generator, budget: budgetOf(setting) }),
      );

/** Of a decoder also what it makes of a picture by itself; once is enough, it would be the same again. */
const rebuilt = ({ generator, offers }: Setting) =>
  generator?.id === 'decoder' && !offers.crowd
    ? [fmrVariant({ generator: rebuiltGenerator(), budget: 1 })]
    : [];

export const fmr: Suite = {
  id: 'fmr',
  name: 'As far as an oracle follows',
  says: 'Pictures driven away from the model for as long as other models, or people, still see the class (FMR).',
  refusal: ({ offers }) =>
    offers.oracle || offers.crowd
      ? null
      : 'It needs an oracle: name one to three other models of the project that know the same classes, or the crowd.',
  variants(setting) {
    const beside = [...controls(setting), ...rebuilt(setting)];
    return [driven(setting), ...beside.map((variant) => ({ ...variant, most: mostOf(setting) }))];
  },
  report(table, setting) {
    const found = fmrReport(table, driven(setting).id, setting.seed);
    // Of the same images above and below: only there is 1 what no change gives.
    const matched = ({ id }: { id: string }) => fmrOf(countFmr(fmrRows(table, id))).fmrMatched;
    const [atRandom, unchanged] = controls(setting).map(matched);
    const [redrawn] = rebuilt(setting).map(matched);
    const text = (value: number | null | undefined) => (typeof value === 'number' ? value.toFixed(2) : '–');
    return {
      ...found,
      notes: [
        ...found.notes,
        ...(setting.offers.crowd
          ? []
          : [
              `Controls of FMR, on validated images: ${text(atRandom)} where changes are made at random, ${text(unchanged)} where none is made (1 by definition).`,
            ]),
        ...(redrawn === undefined
          ? []
          : [
              `The decoder alone: ${text(redrawn)} where pictures are drawn again without a step. What is lost there is not the walk’s doing.`,
            ]),
      ],
    };
  },
};

/** What the chains of a variant came to, image by image. */
function fmrRows(table: RowTable, variant: string): FmrChainRow[] {
  const name = (index: number) => table.classes[index] ?? '?';
  return table.subjects.flatMap((subject) => {
    const clean = table.one('identity', subject.id);
    const row = table.one(variant, subject.id);
    if (!clean || !row) return [];
    const isValidated = row.extra.isValidated === 1;
    return [
      {
        truth: subject.className,
        clean: name(clean.predicted),
        isValidated,
        perturbed: isValidated ? name(row.predicted) : null,
        steps: Number(row.extra.steps ?? 0),
        isOracleRight: row.extra.isOracleRight === 1,
      },
    ];
  });
}

/** Accuracy on pictures that were driven away from the model as far as an oracle still sees the class. */
export function fmrReport(table: RowTable, variant: string, seed: number): SuiteReport {
  const rows = fmrRows(table, variant);
  const counts = countFmr(rows);
  const all = fmrOf(counts);
  const of = table.subjects.length;
  // Counted once for each image; a draw only adds them up.
  const single = rows.map((row) => countFmr([row]));
  const drawn = (times: ArrayLike<number>) => fmrOf(sumOf(single, times));
  const matched = rows.flatMap(({ isValidated }, i) => (isValidated ? [single[i] as FmrCounts] : []));
  const steps = rows.filter(({ isValidated }) => isValidated);
  const findings: Finding[] = [
    {
      ...bootstrap(rows.length, (times) => drawn(times).fmr, { seed, of }),
      id: 'fmr',
      name: 'Foundation-model-oriented robustness',
      says: 'Accuracy on the perturbed pictures that the oracle recognised divided by accuracy on all clean ones. Above 100 % where the oracle recognises the easy images.',
      unit: 'share',
    },
    {
      ...bootstrap(matched.length, (times) => fmrOf(sumOf(matched, times)).fmrMatched, { seed, of }),
      id: 'fmr-matched',
      name: 'The same on validated images only',
      says: 'Above and below the line the same images: not moved by which ones the oracle recognised. 100 %: nothing lost.',
      unit: 'share',
    },
    {
      ...shareOf(counts.perturbedCorrect, counts.validated, of),
      id: 'fmr-perturbed-accuracy',
      name: 'Accuracy on perturbed pictures',
      says: 'Of the pictures that the oracle recognised: what FMR divides by the accuracy on all clean ones.',
      unit: 'share',
    },
    {
      ...shareOf(counts.validated, counts.images, of),
      id: 'fmr-validation-rate',
      name: 'Validation rate',
      says: 'Share of images whose first perturbation the oracle still recognised.',
      unit: 'share',
    },
    {
      ...shareOf(rows.filter(({ isOracleRight }) => isOracleRight).length, rows.length, of),
      value: oracleAgreement(rows),
      id: 'fmr-oracle-agreement',
      name: 'The oracle on clean pictures',
      says: 'How often the oracle is right before anything is changed: where it is not, its word is worth little.',
      unit: 'share',
    },
    {
      ...bootstrap(steps.length, (times) => weightedSteps(steps, times), { seed, of }),
      value: meanSteps(rows),
      id: 'fmr-steps',
      name: 'Steps that the oracle follows',
      says: 'Mean number of changes after which the oracle still sees the class, over validated images.',
      unit: 'number',
    },
  ];
  return {
    findings,
    lines: fmrByClass(rows, table.classes).flatMap(({ className, counts: own, fmr }) => {
      if (own.images === 0) return [];
      return [
        {
          value: fmr.fmr,
          low: null,
          high: null,
          n: own.validated,
          of: own.images,
          paradigm: 'attack' as const,
          group: 'Foundation-model-oriented robustness',
          name: className,
          filter: { className },
        },
      ];
    }),
    plots: [],
    skipped: [],
    notes: [
      ...(all.vr !== null && all.vr < 0.5
        ? ['The oracle recognised less than half of the first perturbations: FMR says little here.']
        : []),
      ...noWidth(counts),
    ],
  };
}

/** Draws from outcomes that are all the same are all the same. */
function noWidth({ validated, perturbedCorrect }: FmrCounts): string[] {
  if (validated === 0 || (perturbedCorrect > 0 && perturbedCorrect < validated)) return [];
  return [
    `The model got ${perturbedCorrect === 0 ? 'none' : 'all'} of the ${validated} pictures right that the oracle recognised: the interval of FMR then knows nothing of how few they are. That of the accuracy on perturbed pictures does.`,
  ];
}

function sumOf(single: readonly FmrCounts[], times: ArrayLike<number>): FmrCounts {
  const sum: FmrCounts = {
    images: 0,
    cleanCorrect: 0,
    validated: 0,
    perturbedCorrect: 0,
    cleanCorrectValidated: 0,
  };
  single.forEach((each, i) => {
    const weight = times[i] as number;
    sum.images += weight * each.images;
    sum.cleanCorrect += weight * each.cleanCorrect;
    sum.validated += weight * each.validated;
    sum.perturbedCorrect += weight * each.perturbedCorrect;
    sum.cleanCorrectValidated += weight * each.cleanCorrectValidated;
  });
  return sum;
}

function weightedSteps(rows: readonly FmrChainRow[], times: ArrayLike<number>): number | null {
  let [sum, n] = [0, 0];
  rows.forEach(({ steps }, i) => {
    sum += (times[i] as number) * steps;
    n += times[i] as number;
  });
  return n === 0 ? null : sum / n;
}
