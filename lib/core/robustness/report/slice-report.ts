import { bootstrap } from '../metrics/estimates';
import type { GalleryFilter, ReportLine, SuiteReport } from './report';
import { countByImage, macroAccuracy, measureAccuracy, type RowTable, type Subject } from './row-table';

/** Fewer images tell nothing about a group. */
export const MIN_SLICE_IMAGES = 20;

/** Clean accuracy overall and by slice. Needs no additional model runs. */
export function sliceReport(table: RowTable, seed: number): SuiteReport {
  const overall = measureAccuracy(table, 'identity', table.subjects);
  const lines: ReportLine[] = listSlicesOf(table).flatMap(({ group, name, holds, filter }) => {
    const own = table.subjects.filter(holds);
    if (own.length === 0) return [];
    return [
      {
        ...measureAccuracy(table, 'identity', own),
        ...{ paradigm: 'subpopulation' as const, group, name, filter },
        ...(group === 'Class' ? {} : { classShares: sharesOf(own, table.classes.length) }),
      },
    ];
  });
  const seen = table.subjects.filter(({ id }) => table.one('identity', id));
  const counts = countByImage(seen, ({ id }) => table.of('identity', id));
  return {
    findings: [
      {
        ...overall,
        id: 'clean-accuracy',
        name: 'Clean accuracy',
        says: 'On clean images. Every image counts the same.',
        unit: 'share',
      },
      {
        ...bootstrap(seen.length, (times) => macroAccuracy(counts, table.classes.length, times), {
          seed,
          of: table.subjects.length,
        }),
        id: 'clean-accuracy-macro',
        name: 'Mean class accuracy',
        says: 'On clean images. Every class counts the same, as in foreground sensitivity.',
        unit: 'share',
      },
    ],
    lines,
    plots: [
      {
        id: 'class-accuracy',
        title: 'Accuracy by class',
        says: 'With 95 % intervals.',
        kind: 'bars',
        y: 'accuracy',
        bars: lines
          .filter(({ group }) => group === 'Class')
          .map(({ name, value, low, high }) => ({
            ...{ name, value, low, high },
            filter: { className: name, isRight: false },
          })),
      },
    ],
    skipped: [],
    notes: [],
  };
}

/** A group that is of one class mostly says more about that class than about itself. */
const sharesOf = (subjects: readonly Subject[], classes: number): number[] =>
  Array.from(
    { length: classes },
    (_, at) => subjects.filter(({ classIndex }) => classIndex === at).length / subjects.length,
  );

/** A group of images by labels or facts. */
interface Slice {
  group: string;
  name: string;
  holds(subject: Subject): boolean;
  filter: GalleryFilter;
}

/** Maximum number of attribute pairs, parts and saved slices. */
const [PAIRS, PARTS, SAVED] = [20, 30, 50];

/** Every group that these images can be put into; groups that hold none of them, or all of them alike, are left out. */
export function listSlicesOf({ subjects, classes }: RowTable): Slice[] {
  const slice = (group: string, name: string, holds: Slice['holds'], filter?: GalleryFilter): Slice => ({
    group,
    name,
    holds,
    filter: filter ?? { group: `${group}: ${name}` },
  });
  const between = (name: string, from: number, to: number) =>
    slice(
      'Size of the object',
      name,
      ({ objectShare }) => objectShare !== null && objectShare >= from && objectShare < to,
    );
  const agreed = (name: string, from: number, to: number) =>
    slice(
      'How far people agree',
      name,
      ({ agreement }) => typeof agreement === 'number' && agreement >= from && agreement < to,
    );
  const has = (attribute: string) => (subject: Subject) => subject.attributes?.includes(attribute) ?? false;
  const isEdge = (wanted: boolean) => (subject: Subject) =>
    subject.objectShare !== null && subject.touchesEdge === wanted;
  const found = [
    ...classes.map((name) =>
      slice('Class', name, ({ className }) => className === name, { className: name }),
    ),
    ...[...new Set(subjects.flatMap(({ attributes }) => attributes ?? []))]
      .sort()
      .map((attribute) => slice('Attribute', attribute, has(attribute))),
    ...mostFrequent(subjects.flatMap(pairsIn), PAIRS).map((pair) => {
      const [a = '', b = ''] = pair.split('\n');
      return slice('Two attributes', `${a} and ${b}`, (subject) => has(a)(subject) && has(b)(subject));
    }),
    slice('Parts', 'all seen', ({ parts }) => parts?.missing.length === 0),
    slice('Parts', 'some not seen', ({ parts }) => (parts?.missing.length ?? 0) > 0),
    ...mostFrequent(
      subjects.flatMap(({ parts }) => [...(parts?.seen ?? []), ...(parts?.missing ?? [])]),
      PARTS,
    ).flatMap((part) => [
      slice('Part', `${part} seen`, ({ parts }) => parts?.seen.includes(part) ?? false),
      slice('Part', `${part} not seen`, ({ parts }) => parts?.missing.includes(part) ?? false),
    ]),
    between('below 10 % of the picture', 0, 0.1),
    between('10 to 30 %', 0.1, 0.3),
    between('above 30 %', 0.3, 1.1),
    slice('Edge of the picture', 'cut off by the edge', isEdge(true)),
    slice('Edge of the picture', 'all in the picture', isEdge(false)),
    slice('How sure the labels are', 'below 90 %', ({ confidence }) => confidence < 0.9),
    slice('How sure the labels are', '90 % and above', ({ confidence }) => confidence >= 0.9),
    agreed('below 70 %', 0, 0.7),
    agreed('70 to 90 %', 0.7, 0.9),
    agreed('90 % and above', 0.9, 1.1),
    ...[...new Set(subjects.map(({ split }) => split))]
      .sort()
      .map((name) => slice('Split', name, ({ split }) => split === name)),
    slice('Near-duplicates', 'of an image in another split', ({ lookalike }) => lookalike === 'other split'),
    slice('Near-duplicates', 'of an image in the same split', ({ lookalike }) => lookalike === 'same split'),
    slice('Near-duplicates', 'of none', ({ lookalike }) => lookalike === 'none'),
    ...mostFrequent(
      subjects.flatMap((subject) => subject.slices ?? []),
      SAVED,
    ).map((name) => slice('Saved slice', name, (subject) => subject.slices?.includes(name) ?? false)),
  ];
  return withoutTrivial(found, subjects);
}

/** Groups that are omitted if they have a single slice, which equals the whole. */
const PARTED = new Set(['Split', 'Near-duplicates', 'Parts']);

function withoutTrivial(found: readonly Slice[], subjects: readonly Subject[]): Slice[] {
  const held = found.filter(({ holds }) => subjects.some(holds));
  return held.filter(
    ({ group }) => !PARTED.has(group) || held.filter((other) => other.group === group).length > 1,
  );
}

const pairsIn = ({ attributes }: Subject): string[] => {
  const own = [...new Set(attributes ?? [])].sort();
  return own.flatMap((a, i) => own.slice(i + 1).map((b) => `${a}\n${b}`));
};

/** Of equal ones by name. */
function mostFrequent(names: readonly string[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([name]) => name);
}
