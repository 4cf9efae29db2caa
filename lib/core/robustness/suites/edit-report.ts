import { mean } from 'd3-array';
import { dropBeyondControl } from '../metrics/benchmark-scores';
import { bootstrap, bootstrapMean } from '../metrics/estimates';
import type { Plot, ReportLine, SuiteReport } from '../report/report';
import { estimateShare, isCorrect, type RowTable, type Subject } from '../report/row-table';
import type { Row } from '../types';
import { POSITIONS } from '../variants/edits';

const CONTROL = 'edit.paste-back';

/** The variants of one kind of edit; where there are several, their names are the levels. */
const edits: { name: string; variants: Record<string, string | null>; axis?: string }[] = [
  {
    name: 'Background',
    variants: {
      'edit.background.simpler': 'blurred',
      'edit.background.richer': 'busier',
      'edit.background.same': 'of its class',
      'edit.background.other': 'of another class',
    },
  },
  { name: 'Size', variants: { 'edit.size': null }, axis: 'share of the picture' },
  { name: 'Position', variants: { 'edit.position': 'anywhere' } },
  { name: 'Direction', variants: { 'edit.direction': null, 'edit.flip': 'mirrored' }, axis: 'degrees' },
];

/** Minimum number of numeric settings for a curve instead of bars. */
const CURVE = 3;

/** One setting of an edit: of each image what it costs beyond cutting out and pasting back, null where it is not possible. */
interface EditLevel {
  kind: string;
  variant: string;
  level: Row['level'];
  word: string;
  /** The variant has no other, and goes by its own name. */
  isOnly: boolean;
  /** The object is as it was: a second control, and no edit. */
  isUnmoved: boolean;
  drops: (number | null)[];
  after: (number | null)[];
}

/** A share of the picture, an angle, or a name. */
const wordOf = (level: Row['level']): string =>
  typeof level === 'string'
    ? level
    : Math.abs(level) < 1 && level !== 0
      ? `${100 * level} %`
      : `${String(level).replace('-', '−')}°`;

/** The object moved, turned, resized, on another background; cutting and pasting by itself is taken off, image by image. */
export function editReport(table: RowTable, seed: number): SuiteReport {
  const found = edits.flatMap(({ name, variants }) =>
    Object.entries(variants).flatMap(([variant, word]) => levelsOf(table, name, variant, word)),
  );
  const lines = found.map(
    ({ kind, variant, level, word, isOnly, drops }): ReportLine => ({
      ...bootstrapMean(drops, { seed }),
      paradigm: 'transformation',
      group: `${kind} edited: accuracy lost`,
      name: word,
      filter: { variant, ...(isOnly ? {} : { level: String(level) }), sort: `drop ${variant}` },
    }),
  );
  const plots = edits.flatMap(({ name, axis }): Plot[] => {
    const own = found.filter(({ kind }) => kind === name);
    if (own.length === 0) return [];
    const points = own.map(({ word, after, variant, level, isOnly }) => {
      const known = after.filter((share) => share !== null);
      const right = known.reduce((sum, share) => sum + share, 0);
      const { value, low, high } = estimateShare(right, known.length, after.length);
      const filter = { variant, isRight: false, ...(isOnly ? {} : { level: String(level) }) };
      return { word, level, value, low, high, filter };
    });
    const shared = {
      id: `edit-${name.toLowerCase()}`,
      title: `Accuracy with the ${name.toLowerCase()} edited`,
      says: 'Over the images that allow the edit.',
    };
    const measured = points.filter(({ level }) => typeof level === 'number');
    if (axis && measured.length >= CURVE)
      return [
        {
          ...{ ...shared, kind: 'lines', x: axis, y: 'accuracy' },
          series: [
            {
              name,
              points: measured
                .map(({ level, value, low, high, filter }) => ({
                  ...{ x: Number(level), y: value, low, high, filter },
                }))
                .sort((a, b) => a.x - b.x),
            },
          ],
        },
      ];
    return [
      {
        ...{ ...shared, kind: 'bars', y: 'accuracy' },
        bars: points.map(({ word, level: _, ...bar }) => ({ name: word, ...bar })),
      },
    ];
  });
  return {
    findings: [
      {
        ...meanFall(table, found, seed),
        id: 'edit-fall',
        name: 'Mean accuracy drop under object edits',
        says: 'Mean over the edit types (background, size, position, direction) relative to the cut-and-paste control.',
        unit: 'points',
      },
    ],
    lines,
    plots: [...plots, ...positionMap(table)],
    skipped: [],
    notes: controlNote(table),
  };
}

/** Of each kind the mean of its settings, then of the kinds: a kind with many settings does not outvote the others. */
function meanFall(table: RowTable, found: readonly EditLevel[], seed: number) {
  const edited = found.filter(({ isUnmoved }) => !isUnmoved);
  const places = table.subjects.flatMap((_, i) =>
    edited.some(({ drops }) => typeof drops[i] === 'number') ? [i] : [],
  );
  return bootstrap(
    places.length,
    (times) => {
      const falls = edits.flatMap(({ name }) => {
        const own = edited
          .filter(({ kind }) => kind === name)
          .map(({ drops }) => weighted(drops, places, times))
          .filter((value) => value !== null);
        return own.length === 0 ? [] : [mean(own) as number];
      });
      return mean(falls) ?? null;
    },
    { seed, of: table.subjects.length },
  );
}

function levelsOf(table: RowTable, kind: string, variant: string, word: string | null): EditLevel[] {
  const levels = new Set(table.subjects.flatMap(({ id }) => table.of(variant, id).map(({ level }) => level)));
  return [...levels].map((level) => {
    const costs = table.subjects.map((subject) => costOf(table, subject, variant, level));
    return {
      kind,
      variant,
      level,
      word: word ?? wordOf(level),
      isOnly: word !== null,
      isUnmoved: variant === 'edit.direction' && level === 0,
      drops: costs.map((cost) => cost?.drop ?? null),
      after: costs.map((cost) => cost?.after ?? null),
    };
  });
}

/** Over the trials of one setting, against the same image pasted back. */
function costOf(table: RowTable, { id, classIndex }: Subject, variant: string, level: Row['level']) {
  const control = table.one(CONTROL, id);
  if (!control) return null;
  const row = (edited: number) => ({ sample: id, truth: classIndex, clean: control.predicted, edited });
  const edited = table.of(variant, id).filter((each) => each.level === level);
  return dropBeyondControl(
    edited.map(({ predicted }) => row(predicted)),
    [row(control.predicted)],
  );
}

function controlNote(table: RowTable): string[] {
  const falls = table.subjects.flatMap(({ id, classIndex }) => {
    const [clean, control] = [table.one('identity', id), table.one(CONTROL, id)];
    return clean && control
      ? [Number(clean.predicted === classIndex) - Number(control.predicted === classIndex)]
      : [];
  });
  return falls.length === 0
    ? []
    : [
        `The cut-and-paste control costs ${(100 * (mean(falls) as number)).toFixed(1)} points over ${falls.length} images.`,
      ];
}

function weighted(
  values: readonly (number | null)[],
  places: readonly number[],
  times: ArrayLike<number>,
): number | null {
  let [sum, n] = [0, 0];
  places.forEach((place, i) => {
    const value = values[place];
    if (typeof value !== 'number') return;
    sum += (times[i] as number) * value;
    n += times[i] as number;
  });
  return n === 0 ? null : sum / n;
}

const POSITION_GRID = 'edit.position-grid';

const ROWS = ['top', 'middle', 'bottom'];
const COLUMNS = ['left', 'centre', 'right'];

/** Accuracy by where the object lies in its picture: where the model expects things. */
function positionMap(table: RowTable): Plot[] {
  const found = new Map(
    POSITIONS.map((level) => {
      const rows = table.subjects.flatMap((subject) =>
        table
          .of(POSITION_GRID, subject.id)
          .filter((row) => row.level === level)
          .map((row) => Number(isCorrect(row, subject))),
      );
      return [level, rows] as const;
    }),
  );
  const n = Math.max(...[...found.values()].map(({ length }) => length));
  if (n === 0) return [];
  const levels = ROWS.map((row) => COLUMNS.map((column) => `${row}-${column}`));
  return [
    {
      id: 'edit-position-map',
      title: 'Accuracy by position of the object',
      says: `The object pasted at nine positions of its own image, over ${n} images that allow it.`,
      kind: 'heat',
      rows: ROWS,
      columns: COLUMNS,
      unit: 'share',
      values: levels.map((row) => row.map((level) => mean(found.get(level) ?? []) ?? null)),
      filters: levels.map((row) =>
        row.map((level) => ({
          variant: POSITION_GRID,
          level,
          isRight: false,
          sort: `drop ${POSITION_GRID}`,
        })),
      ),
    },
  ];
}
