import { mean } from 'd3-array';
import { instanceRfs, isInformative, meanOfRfs, rfs, rfsOfMeans } from '../metrics/benchmark-scores';
import { bootstrap } from '../metrics/estimates';
import type { Finding, Plot, SuiteReport } from '../report/report';
import { countByImage, macroAccuracy, type RowTable, type Subject } from '../report/row-table';

export interface NoisePair {
  /** Ids of the variants with noise in the object and in the background. */
  object: string;
  background: string;
  levels: readonly number[];
}

/** Wording of the noise level: σ for L∞, length for L2. */
export interface NoiseWords {
  /** Behind the ids of findings and plots. */
  suffix: string;
  /** Behind names and titles. */
  name: string;
  axis: string;
}

const SIGMA: NoiseWords = { suffix: '', name: '', axis: 'σ' };
export const LENGTH: NoiseWords = {
  suffix: '-l2',
  name: ', noise of a fixed length',
  axis: 'length at 224 pixels',
};

/** Mean class accuracy with noise in the object and in the background, as a function of resampling weights. */
const pairOf = (table: RowTable, pair: NoisePair, subjects: readonly Subject[], level: number | null) => {
  const [object, background] = [pair.object, pair.background].map((variant) =>
    countByImage(subjects, ({ id }) =>
      table.of(variant, id).filter((row) => level === null || row.level === level),
    ),
  );
  return (times?: ArrayLike<number>) => {
    if (!object || !background) return null;
    const foreground = macroAccuracy(object, table.classes.length, times);
    const beside = macroAccuracy(background, table.classes.length, times);
    return foreground === null || beside === null ? null : { foreground, background: beside };
  };
};

/** Noise analysis of RIVAL10: accuracy with noise in the object and in the background. */
export function noiseReport(
  table: RowTable,
  pair: NoisePair,
  seed: number,
  { suffix, name: words, axis }: NoiseWords = SIGMA,
): SuiteReport {
  const { classes } = table;
  const score = `irfs${suffix}`;
  const subjects = table.subjects.filter(
    ({ id }) => table.of(pair.object, id).length > 0 && table.of(pair.background, id).length > 0,
  );
  const of = table.subjects.length;
  const overall = pairOf(table, pair, subjects, null);
  const headline = bootstrap(
    subjects.length,
    (times) => {
      const found = overall(times);
      return found && rfs(found.foreground, found.background);
    },
    { seed, of },
  );
  const levels = pair.levels.flatMap((level) => {
    const found = pairOf(table, pair, subjects, level)();
    return found ? [{ level, ...found }] : [];
  });
  const findings: Finding[] = [
    {
      ...headline,
      id: `rfs${suffix}`,
      name: `Relative foreground sensitivity${words}`,
      says: 'Above 0 the model relies on the object, below 0 on the background. Of accuracies averaged over all levels; every class counts the same.',
      unit: 'number',
    },
    {
      ...bootstrap(
        subjects.length,
        (times) => {
          const found = overall(times);
          return found && (found.foreground + found.background) / 2;
        },
        { seed, of },
      ),
      id: `noise-robustness${suffix}`,
      name: `Accuracy under noise${words}`,
      says: 'Mean of that with noise in the object and that with noise beside it, over all levels. Every class counts the same.',
      unit: 'share',
    },
    {
      value: meanOfRfs(levels),
      low: null,
      high: null,
      n: subjects.length,
      of,
      id: `rfs-mean-of-levels${suffix}`,
      name: `Mean of the levels’ own sensitivity${words}`,
      says: 'As the paper words it; strongly moved by levels where the model nearly always or nearly never is right.',
      unit: 'number',
    },
  ];
  const perClass = classes.flatMap((name) => {
    const own = subjects.filter(({ className }) => className === name);
    const found = pairOf(table, pair, own, null)();
    return found ? [{ name, own, ...found }] : [];
  });
  const plots: Plot[] = [
    {
      id: `noise-curves${suffix}`,
      title: `Accuracy under noise${words}`,
      says: 'Mean over classes at each strength, with noise in the object only and beside it only.',
      kind: 'lines',
      x: axis,
      y: 'accuracy',
      series: [
        {
          name: 'in the object',
          points: levels.map(({ level, foreground }) => ({
            ...{ x: level, y: foreground },
            filter: { variant: pair.object, level: String(level), isRight: false },
          })),
        },
        {
          name: 'beside it',
          points: levels.map(({ level, background }) => ({
            ...{ x: level, y: background },
            filter: { variant: pair.background, level: String(level), isRight: false },
          })),
        },
      ],
    },
    {
      id: `rfs-curve${suffix}`,
      title: `Relative foreground sensitivity by strength${words}`,
      says: levels.some((each) => isInformative(each, classes.length))
        ? 'Levels at which the model guesses or almost never errs are uninformative and omitted.'
        : 'At every level the model guesses, or errs nearly never: there is nothing to draw.',
      kind: 'lines',
      x: axis,
      y: 'RFS',
      series: [
        {
          name: 'RFS',
          points: levels.map((each) => ({
            x: each.level,
            y: isInformative(each, classes.length) ? rfs(each.foreground, each.background) : null,
            filter: { variant: pair.object, level: String(each.level), isRight: false, sort: score },
          })),
        },
      ],
    },
    {
      id: `noise-scatter${suffix}`,
      title: `Object against background, by class${words}`,
      says: 'Above the line, noise in the object hurts more: the model looks at the object.',
      kind: 'scatter',
      x: 'accuracy with noise in the object',
      y: 'accuracy with noise beside it',
      hasDiagonal: true,
      points: perClass.map(({ name, foreground, background }) => ({
        name,
        x: foreground,
        y: background,
        filter: { className: name, variant: pair.object, sort: score },
      })),
    },
    {
      id: `irfs-distribution${suffix}`,
      title: `Sensitivity of single images${words}`,
      says: 'From the probability of the true class. Images far on the left rely on their background.',
      kind: 'distribution',
      x: 'iRFS',
      score,
      groups: perClass.map(({ name, own }) => ({
        name,
        values: own.map((subject) => imageRfs(table, pair, subject.id)).filter((value) => value !== null),
      })),
    },
  ];
  return {
    findings,
    plots,
    lines: perClass.map(({ name, own, foreground, background }) => ({
      paradigm: 'transformation',
      group: `Noise in the object against noise beside it${words}`,
      name,
      value: rfsOfMeans([{ foreground, background }]),
      low: null,
      high: null,
      n: own.length,
      of: table.subjects.filter(({ className }) => className === name).length,
      filter: { className: name, variant: pair.object, sort: score },
    })),
    skipped: [],
    notes: [],
  };
}

/** Of one image: how much surer the model is of it with noise beside the object than with noise in it. Null without both. */
export const noiseDifference = (table: RowTable, pair: NoisePair, id: string): number | null => {
  const meanOf = (variant: string) => mean(table.of(variant, id), ({ pTrue }) => pTrue);
  const [inside, beside] = [meanOf(pair.object), meanOf(pair.background)];
  return inside === undefined || beside === undefined ? null : beside - inside;
};

export const imageRfs = (table: RowTable, pair: NoisePair, id: string): number | null => {
  const probabilities = (variant: string) => table.of(variant, id).map(({ pTrue }) => pTrue);
  return instanceRfs(probabilities(pair.object), probabilities(pair.background));
};
