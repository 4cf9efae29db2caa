import { sum } from 'd3-array';
import { bootstrapPooled } from '../metrics/estimates';
import type { Finding, Plot, ReportLine, SuiteReport } from '../report/report';
import type { RowTable, Subject } from '../report/row-table';
import type { Row } from '../types';

export const INSERTED = 'attribute.insert';
export const COVERED = 'attribute.remove';
export const GRAYED = 'gray.attribute';

/** What one attribute does, image by image: laid on another image, covered, or gray. Shares of probability. */
export function attributeEditReport(
  table: RowTable,
  attributes: readonly string[],
  seed: number,
): SuiteReport {
  const { subjects, classes } = table;
  const lost = (variant: string) => valuesOf(table, variant, lossOf(table));
  const covered = lost(COVERED);
  const gained = valuesOf(table, INSERTED, ({ extra }) => numberIn(extra.rise));
  const meanOf = (values: Values, attribute?: string, own: readonly Subject[] = subjects) =>
    bootstrapPooled(
      own.map(({ id }) => chosen(values.get(id), attribute)),
      { seed },
    );
  const finding = (id: string, name: string, says: string, values: Values, unit: Finding['unit']) => ({
    ...meanOf(values),
    id,
    name,
    says,
    unit,
  });
  const seen = attributes.filter((attribute) =>
    subjects.some(({ id }) =>
      [covered, gained].some((values) => chosen(values.get(id), attribute).length > 0),
    ),
  );
  const lines = [
    { variant: COVERED, values: covered, group: 'Attribute covered: probability lost' },
    { variant: INSERTED, values: gained, group: 'Attribute laid on another image: probability gained' },
  ].flatMap(({ variant, values, group }) =>
    seen.map(
      (attribute): ReportLine => ({
        ...meanOf(values, attribute),
        paradigm: 'transformation',
        group,
        name: attribute,
        // Laid on another image, the picture is not the image's own: those that lend the attribute are shown.
        filter: variant === INSERTED ? { attribute } : { variant, level: attribute, sort: `drop ${variant}` },
      }),
    ),
  );
  const bars = (group: string) =>
    lines
      .filter((line) => line.group === group)
      .map(({ name, value, low, high, filter }) => ({ name, value, low, high, filter }));
  const present = classes.filter((name) => subjects.some(({ className }) => className === name));
  const gray = lost(GRAYED);
  const plots: Plot[] = [
    {
      id: 'attribute-covered',
      title: 'What covering an attribute costs, by class',
      says: 'Points of probability of the true class that are lost, where another image’s pixels lie over the attribute.',
      kind: 'heat',
      rows: seen,
      columns: [...present, 'all'],
      unit: 'points',
      values: seen.map((attribute) =>
        [...present, null].map((name) =>
          plainMean(
            subjects
              .filter(({ className }) => name === null || className === name)
              .flatMap(({ id }) => chosen(covered.get(id), attribute)),
          ),
        ),
      ),
      filters: seen.map((attribute) =>
        [...present, undefined].map((name) => ({
          ...{ variant: COVERED, level: attribute, isRight: false },
          ...(name === undefined ? {} : { className: name }),
        })),
      ),
    },
    {
      id: 'attribute-inserted',
      title: 'What an attribute does to another image',
      says: 'Gain of the class that has the attribute most often, where it is laid on an image of another class without it. With 95 % intervals.',
      kind: 'bars',
      y: 'probability gained',
      bars: bars('Attribute laid on another image: probability gained'),
    },
    {
      id: 'attribute-fill',
      title: 'Gray, or covered by another image',
      says: 'Points of probability of the true class that are lost: what is put in the place of an attribute matters.',
      kind: 'heat',
      rows: seen,
      columns: ['gray', 'covered'],
      unit: 'points',
      values: seen.map((attribute) =>
        [gray, covered].map((values) =>
          plainMean(subjects.flatMap(({ id }) => chosen(values.get(id), attribute))),
        ),
      ),
      filters: seen.map((attribute) =>
        [GRAYED, COVERED].map((variant) => ({ variant, level: attribute, sort: `drop ${variant}` })),
      ),
    },
  ];
  return {
    findings: [
      finding(
        'removal-effect',
        'Probability lost when an attribute is covered',
        'Of the true class, over all attributes that are drawn and are not the whole object. High: the model needs them.',
        covered,
        'points',
      ),
      finding(
        'removal-flips',
        'Changes its mind when an attribute is covered',
        'Share of covered attributes after which the model says another class.',
        valuesOf(table, COVERED, flipOf(table)),
        'share',
      ),
      finding(
        'insertion-effect',
        'Probability gained when an attribute is laid on',
        'Of the class that has the attribute most often, on images of other classes. High: the attribute by itself speaks for the class.',
        gained,
        'points',
      ),
      finding(
        'insertion-flips',
        'Changes its mind when an attribute is laid on',
        'Share of the other images of which the model says another class than before.',
        valuesOf(table, INSERTED, ({ extra }) => numberIn(extra.isFlipped)),
        'share',
      ),
    ],
    lines,
    plots: seen.length === 0 ? [] : plots,
    skipped: [],
    notes:
      seen.length === 0
        ? ['No image has a drawn attribute that another image could cover or take: draw attributes first.']
        : [
            'The class of an image with a covered or an added attribute is what it was labelled before: nobody was asked what is to be seen now.',
          ],
  };
}

/** By image and attribute. */
type Values = Map<string, { attribute: string; value: number }[]>;

function valuesOf(
  table: RowTable,
  variant: string,
  measure: (row: Row, subject: Subject) => number | null,
): Values {
  return new Map(
    table.subjects.map((subject) => [
      subject.id,
      table.of(variant, subject.id).flatMap((row) => {
        const value = measure(row, subject);
        return value === null ? [] : [{ attribute: String(row.level), value }];
      }),
    ]),
  );
}

const lossOf =
  (table: RowTable) =>
  ({ pTrue }: Row, { id }: Subject): number | null => {
    const clean = table.one('identity', id);
    return clean && clean.pTrue - pTrue;
  };

const flipOf =
  (table: RowTable) =>
  ({ predicted }: Row, { id }: Subject): number | null => {
    const clean = table.one('identity', id);
    return clean && Number(clean.predicted !== predicted);
  };

const chosen = (values: readonly { attribute: string; value: number }[] = [], attribute?: string): number[] =>
  values.filter((each) => attribute === undefined || each.attribute === attribute).map(({ value }) => value);

const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** In points. */
const plainMean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : (100 * sum(values)) / values.length;
