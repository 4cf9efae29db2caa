import { shapeBias } from '../metrics/shape-bias';
import type { Row } from '../types';
import { accuracyIn, isRight } from './accuracy';
import type { Finding, Plot, ReportLine, SuiteReport } from './report';
import type { RowTable } from './row-table';

/** The variants of one kind of edit; where there are several, their names are the levels. */
const edits: { name: string; variants: Record<string, string | null> }[] = [
  {
    name: 'Background',
    variants: {
      'edit.background.simpler': 'blurred',
      'edit.background.richer': 'busier',
      'edit.background.same': 'of its class',
      'edit.background.other': 'of another class',
    },
  },
  { name: 'Size', variants: { 'edit.size': null } },
  { name: 'Position', variants: { 'edit.position': 'anywhere' } },
  { name: 'Direction', variants: { 'edit.direction': null, 'edit.flip': 'mirrored' } },
];

export const editVariants = edits.flatMap(({ variants }) => Object.keys(variants));

/** Fall of accuracy against the clean pictures, over the images where the edit is possible: the same on both sides. */
export function fallOf(
  table: RowTable,
  variant: string,
  level: Row['level'],
): { fall: number; accuracy: number; n: number } | null {
  let [before, after, n] = [0, 0, 0];
  for (const subject of table.subjects) {
    const clean = table.one('identity', subject.id);
    for (const row of table.of(variant, subject.id)) {
      if (row.level !== level || !clean) continue;
      n += 1;
      if (isRight(clean, subject)) before += 1;
      if (isRight(row, subject)) after += 1;
    }
  }
  return n === 0 ? null : { fall: (before - after) / n, accuracy: after / n, n };
}

function levelsOf(table: RowTable, variant: string) {
  const levels = new Set(table.subjects.flatMap(({ id }) => table.of(variant, id).map(({ level }) => level)));
  return [...levels].flatMap((level) => {
    const found = fallOf(table, variant, level);
    return found ? [{ level, ...found }] : [];
  });
}

/** A share of the picture, an angle, or a name. */
const wordOf = (level: Row['level']): string =>
  typeof level === 'string' ? level : Math.abs(level) < 1 && level !== 0 ? `${100 * level} %` : `${level}°`;

/** The object moved, turned, resized, on another background; cutting and pasting by itself is taken off. */
export function editReport(table: RowTable): SuiteReport {
  const control = levelsOf(table, 'edit.paste-back')[0] ?? null;
  const lines: ReportLine[] = [];
  const plots: Plot[] = [];
  const falls: number[] = [];
  for (const { name, variants } of edits) {
    const found = Object.entries(variants).flatMap(([variant, word]) =>
      levelsOf(table, variant).map((each) => ({ ...each, variant, word: word ?? wordOf(each.level) })),
    );
    if (found.length === 0) continue;
    falls.push(...found.map(({ fall }) => fall - (control?.fall ?? 0)));
    for (const { variant, word, fall, n } of found)
      lines.push({
        paradigm: 'transformation',
        group: `${name} edited: accuracy lost`,
        name: word,
        value: fall - (control?.fall ?? 0),
        low: null,
        high: null,
        n,
        of: table.subjects.length,
        filter: { sort: `drop ${variant}` },
      });
    plots.push({
      id: `edit-${name.toLowerCase()}`,
      title: `Accuracy with the ${name.toLowerCase()} edited`,
      says: 'Over the images where the edit is possible.',
      kind: 'bars',
      y: 'accuracy',
      bars: found.map(({ word, accuracy }) => ({ name: word, value: accuracy, low: null, high: null })),
    });
  }
  const finding: Finding = {
    id: 'edit-fall',
    name: 'Accuracy lost by editing the object',
    says: 'Mean over backgrounds, sizes, positions and directions, less what cutting out and pasting back costs by itself.',
    unit: 'points',
    value: falls.length === 0 ? null : falls.reduce((a, b) => a + b, 0) / falls.length,
    low: null,
    high: null,
    n: table.subjects.length,
    of: table.subjects.length,
  };
  return {
    findings: [finding],
    lines,
    plots,
    skipped: [],
    notes: control
      ? [`Cutting out and pasting back costs ${(100 * control.fall).toFixed(1)} points by itself.`]
      : [],
  };
}

/** Shape or texture: objects filled with the texture of another class, and silhouettes. */
export function shapeReport(table: RowTable): SuiteReport {
  const nameOf = (index: unknown) => (typeof index === 'number' ? (table.classes[index] ?? '?') : '?');
  const rows = table.subjects.flatMap(({ id, className }) =>
    table.of('shape.texture', id).map(({ predicted, extra }) => ({
      shape: className,
      texture: nameOf(extra.textureClass),
      decision: nameOf(predicted),
    })),
  );
  const found = shapeBias(rows);
  const stimuli = (
    [
      ['shape.silhouette', 'silhouettes'],
      ['shape.grayscale', 'gray pictures'],
      ['shape.edges', 'edges'],
    ] as const
  ).filter(([variant]) => table.has(variant));
  return {
    findings: [
      {
        id: 'shape-bias',
        name: 'Shape bias',
        says: `Decisions for the shape among those for shape or texture (${found.shape} and ${found.texture} of ${found.conflicts}). Over few decisions it is noise.`,
        unit: 'share',
        value: found.bias,
        low: null,
        high: null,
        n: found.shape + found.texture,
        of: found.conflicts,
      },
    ],
    lines: stimuli.map(([variant, name]) => ({
      ...accuracyIn(table, variant, table.subjects),
      paradigm: 'transformation',
      group: 'Shape and texture',
      name,
      filter: { sort: `drop ${variant}` },
    })),
    plots: [],
    skipped: [],
    notes: [],
  };
}
