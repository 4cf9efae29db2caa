import {
  type Generator,
  identityGenerator,
  latentGenerator,
  randomGenerator,
  reconstructionGenerator,
  searchGenerator,
  squaresGenerator,
} from '../fmr/generators';
import { crowdVariant, fmrVariant } from '../fmr/variants';
import { bootstrap } from '../metrics/estimates';
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
import { estimateShare, type RowTable } from '../report/row-table';
import type { Planned, Setting, Suite } from './suite';

const QUICK_IMAGES = 50;
const PAPER_IMAGES = 1000;

/** Settings that determine the chains. */
type ChainPlan = Pick<Setting, 'preset' | 'generator' | 'offers'>;

const budgetOf = ({ preset }: ChainPlan): number => (preset === 'paper' ? 50 : 10);

function generatorOf({ preset, generator = { id: 'search' } }: ChainPlan): Generator {
  const candidates = preset === 'paper' ? 8 : 4;
  if (generator.id === 'decoder') return latentGenerator({ candidates, step: generator.step });
  return generator.id === 'squares' ? squaresGenerator({ candidates }) : searchGenerator({ candidates });
}

/** Generator and budget of the chains. */
export const chainSettings = (setting: ChainPlan) => ({
  generator: generatorOf(setting),
  budget: budgetOf(setting),
});

const maxImagesOf = ({ preset }: ChainPlan): number => (preset === 'paper' ? PAPER_IMAGES : QUICK_IMAGES);

/** The variant that FMR is computed from; all others are controls. */
export const planChainVariant = (setting: ChainPlan): Planned => ({
  ...(setting.offers.crowd ? crowdVariant(chainSettings(setting)) : fmrVariant(chainSettings(setting))),
  maxImages: maxImagesOf(setting),
});

/** Unguided and unchanged controls. */
const controls = (setting: Setting) =>
  // Controls do not justify paying workers.
  setting.offers.crowd
    ? []
    : [randomGenerator(), identityGenerator()].map((generator) =>
        fmrVariant({ generator, budget: budgetOf(setting) }),
      );

/** Reconstruction control of a decoder; deterministic, so one step suffices. */
const rebuilt = ({ generator, offers }: Setting) =>
  generator?.id === 'decoder' && !offers.crowd
    ? [fmrVariant({ generator: reconstructionGenerator(), budget: 1 })]
    : [];

export const fmr: Suite = {
  id: 'fmr',
  version: 1,
  name: 'Oracle-validated robustness (FMR)',
  description: 'Adversarial examples for the model that other models, or workers, still recognise (FMR).',
  refusal: ({ offers }) =>
    offers.oracle || offers.crowd
      ? null
      : 'FMR needs an oracle. Choose one to three other models with the same classes, or a crowd stage.',
  variants(setting) {
    const beside = [...controls(setting), ...rebuilt(setting)];
    return [
      planChainVariant(setting),
      ...beside.map((variant) => ({ ...variant, maxImages: maxImagesOf(setting) })),
    ];
  },
  report(table, setting) {
    const found = fmrReport(table, planChainVariant(setting).id, setting.seed);
    // On validated images only: there, no change gives exactly 1.
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
      name: 'Foundation-model-oriented robustness (FMR)',
      says: 'Accuracy on oracle-validated perturbed images divided by clean accuracy. Above 100 % if the oracle validates mainly easy images.',
      unit: 'share',
    },
    {
      ...bootstrap(matched.length, (times) => fmrOf(sumOf(matched, times)).fmrMatched, { seed, of }),
      id: 'fmr-matched',
      name: 'FMR on validated images only',
      says: 'Numerator and denominator use the same validated images. 100 %: no loss.',
      unit: 'share',
    },
    {
      ...estimateShare(counts.perturbedCorrect, counts.validated, of),
      id: 'fmr-perturbed-accuracy',
      name: 'Accuracy on perturbed images',
      says: 'Over oracle-validated images: the numerator of FMR.',
      unit: 'share',
    },
    {
      ...estimateShare(counts.validated, counts.images, of),
      id: 'fmr-validation-rate',
      name: 'Validation rate',
      says: 'Share of images whose first perturbation the oracle recognised.',
      unit: 'share',
    },
    {
      ...estimateShare(rows.filter(({ isOracleRight }) => isOracleRight).length, rows.length, of),
      value: oracleAgreement(rows),
      id: 'fmr-oracle-agreement',
      name: 'Oracle accuracy on clean images',
      says: 'A low value makes FMR unreliable.',
      unit: 'share',
    },
    {
      ...bootstrap(steps.length, (times) => weightedSteps(steps, times), { seed, of }),
      value: meanSteps(rows),
      id: 'fmr-steps',
      name: 'Mean validated steps',
      says: 'Mean number of perturbation steps that the oracle accepts, over validated images.',
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
        ? ['The oracle recognised fewer than half of the first perturbations, so FMR is unreliable here.']
        : []),
      ...noWidth(counts),
    ],
  };
}

/** Draws from outcomes that are all the same are all the same. */
function noWidth({ validated, perturbedCorrect }: FmrCounts): string[] {
  if (validated === 0 || (perturbedCorrect > 0 && perturbedCorrect < validated)) return [];
  return [
    `The model got ${perturbedCorrect === 0 ? 'none' : 'all'} of the ${validated} validated images right, so the bootstrap interval of FMR has no width. Use the interval of the accuracy on perturbed images.`,
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
