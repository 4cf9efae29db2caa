import { bootstrap } from '../metrics/bootstrap';
import { instanceRfs, isInformative, meanOfRfs, rfs, rfsOfMeans } from '../metrics/rfs';
import type { Row } from '../types';
import { accuracyIn, isRight, macroAccuracy } from './accuracy';
import type { Finding, Plot, SuiteReport } from './report';
import type { RowTable, Subject } from './row-table';

export interface NoisePair {
  /** Ids of the variants with noise in the object and beside it. */
  object: string;
  background: string;
  levels: readonly number[];
}

type Counted = { right: number; n: number };

const counted = (rows: readonly Row[], subject: Subject, level: number | null): Counted => {
  const kept = rows.filter((row) => level === null || row.level === level);
  return { right: kept.filter((row) => isRight(row, subject)).length, n: kept.length };
};

/** Accuracy, class by class, with noise in the object and beside it. */
const pairAt = (
  table: RowTable,
  pair: NoisePair,
  subjects: readonly Subject[],
  level: number | null,
  times?: ArrayLike<number>,
) => {
  const accuracy = (variant: string) =>
    macroAccuracy(subjects, (subject) => counted(table.of(variant, subject.id), subject, level), times);
  const [foreground, background] = [accuracy(pair.object), accuracy(pair.background)];
  return foreground === null || background === null ? null : { foreground, background };
};

/** RIVAL10's analysis: where noise hurts more, in the object or beside it. */
export function noiseReport(table: RowTable, pair: NoisePair, seed: number): SuiteReport {
  const { classes } = table;
  const subjects = table.subjects.filter(
    ({ id }) => table.of(pair.object, id).length > 0 && table.of(pair.background, id).length > 0,
  );
  const of = table.subjects.length;
  const headline = bootstrap(
    subjects.length,
    (times) => {
      const found = pairAt(table, pair, subjects, null, times);
      return found && rfs(found.foreground, found.background);
    },
    { seed, of },
  );
  const levels = pair.levels.flatMap((level) => {
    const found = pairAt(table, pair, subjects, level);
    return found ? [{ level, ...found }] : [];
  });
  const findings: Finding[] = [
    {
      ...headline,
      id: 'rfs',
      name: 'Relative foreground sensitivity',
      says: 'Above 0 the model relies on the object, below 0 on the background. Of accuracies averaged over all levels.',
      unit: 'number',
    },
    {
      value: meanOfRfs(levels),
      low: null,
      high: null,
      n: subjects.length,
      of,
      id: 'rfs-mean-of-levels',
      name: 'Mean of the levels’ own sensitivity',
      says: 'As the paper words it; strongly moved by levels where the model nearly always or nearly never is right.',
      unit: 'number',
    },
  ];
  const perClass = classes.flatMap((name) => {
    const own = subjects.filter(({ className }) => className === name);
    const found = pairAt(table, pair, own, null);
    return found ? [{ name, own, ...found }] : [];
  });
  const plots: Plot[] = [
    {
      id: 'noise-curves',
      title: 'Accuracy under noise',
      says: 'Mean over classes at each strength, with noise in the object only and beside it only.',
      kind: 'lines',
      x: 'σ',
      y: 'accuracy',
      series: [
        {
          name: 'noise in the object',
          points: levels.map(({ level, foreground }) => ({ x: level, y: foreground })),
        },
        {
          name: 'noise beside it',
          points: levels.map(({ level, background }) => ({ x: level, y: background })),
        },
      ],
    },
    {
      id: 'rfs-curve',
      title: 'Relative foreground sensitivity by strength',
      says: 'Levels where the model guesses, or errs nearly never, tell nothing and are left out.',
      kind: 'lines',
      x: 'σ',
      y: 'RFS',
      series: [
        {
          name: 'RFS',
          points: levels.map((each) => ({
            x: each.level,
            y: isInformative(each, classes.length) ? rfs(each.foreground, each.background) : null,
          })),
        },
      ],
    },
    {
      id: 'noise-scatter',
      title: 'Object against background, by class',
      says: 'Above the line, noise in the object hurts more: the model looks at the object.',
      kind: 'scatter',
      x: 'accuracy with noise in the object',
      y: 'accuracy with noise beside it',
      hasDiagonal: true,
      points: perClass.map(({ name, foreground, background }) => ({
        name,
        x: foreground,
        y: background,
        filter: { className: name, sort: 'irfs' },
      })),
    },
    {
      id: 'irfs-distribution',
      title: 'Sensitivity of single images',
      says: 'From the probability of the true class. Images far on the left rely on their background.',
      kind: 'distribution',
      x: 'iRFS',
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
      group: 'Noise in the object against noise beside it',
      name,
      value: rfsOfMeans([{ foreground, background }]),
      low: null,
      high: null,
      n: own.length,
      of: table.subjects.filter(({ className }) => className === name).length,
      filter: { className: name, sort: 'irfs' },
    })),
    skipped: [],
    notes: [],
  };
}

export const imageRfs = (table: RowTable, pair: NoisePair, id: string): number | null => {
  const chances = (variant: string) => table.of(variant, id).map(({ pTrue }) => pTrue);
  return instanceRfs(chances(pair.object), chances(pair.background));
};

/** How much accuracy a gray background, or a gray object, costs. */
export function grayReport(table: RowTable): SuiteReport {
  const findings: Finding[] = (
    [
      [
        'gray-background',
        'gray.background',
        'Accuracy on gray backgrounds',
        'All but the object is gray. High: the object is enough.',
      ],
      [
        'gray-object',
        'gray.object',
        'Accuracy on gray objects',
        'The object is gray. High: the background gives the class away.',
      ],
    ] as const
  )
    .filter(([, variant]) => table.has(variant))
    .map(([id, variant, name, says]) => ({
      ...accuracyIn(table, variant, table.subjects),
      id,
      name,
      says,
      unit: 'share',
    }));
  return {
    findings,
    plots: [attributePlot(table)].filter((plot) => plot !== null),
    lines: [],
    skipped: [],
    notes: [],
  };
}

/** What graying an attribute costs, in points, over the images that have it. */
function attributePlot(table: RowTable): Plot | null {
  const attributes = [
    ...new Set(
      table.subjects.flatMap(({ id }) => table.of('gray.attribute', id).map(({ level }) => String(level))),
    ),
  ].sort();
  if (attributes.length === 0) return null;
  const columns = [...table.classes, 'all'];
  return {
    id: 'attribute-ablation',
    title: 'What graying an attribute costs',
    says: 'Fall of accuracy where the attribute is drawn, in points. Attributes of the whole object are left out.',
    kind: 'heat',
    rows: attributes,
    columns,
    unit: 'points',
    values: attributes.map((attribute) =>
      columns.map((column) => {
        let [before, after, n] = [0, 0, 0];
        for (const subject of table.subjects) {
          if (column !== 'all' && subject.className !== column) continue;
          const row = table.of('gray.attribute', subject.id).find(({ level }) => level === attribute);
          const clean = table.one('identity', subject.id);
          if (!row || !clean) continue;
          n += 1;
          if (isRight(clean, subject)) before += 1;
          if (isRight(row, subject)) after += 1;
        }
        return n === 0 ? null : (100 * (before - after)) / n;
      }),
    ),
  };
}
