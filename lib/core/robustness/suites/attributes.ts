import { AttributeTable, attributePairs } from '@/lib/core/statistics';
import type { Plot, SuiteReport } from '../report/report';
import type { RowTable, Subject } from '../report/row-table';
import { insertAttributes, removeAttributes } from '../variants/attributes';
import { grayAttributes } from '../variants/basic';
import { attributeEditReport } from './attribute-edit-report';
import { attributeSurrogateReport } from './attribute-surrogate';
import { joinReports, onAllImages, type Suite } from './suite';

export const attributes: Suite = {
  id: 'attributes',
  version: 1,
  name: 'Attribute effects',
  description: 'Attributes covered, inserted into other images, and fitted to the predictions.',
  refusal: ({ marked }) =>
    marked.length > 0
      ? null
      : 'The schema has no attributes. Add attributes, annotate them and freeze a version.',
  variants: ({ attributes: drawn }) =>
    drawn.length === 0
      ? []
      : onAllImages([removeAttributes(drawn), insertAttributes(drawn), grayAttributes(drawn)]),
  report: (table, { attributes: drawn, marked, seed }) =>
    joinReports([
      attributeSurrogateReport(table, marked, seed),
      ...(drawn.length > 0 ? [attributeEditReport(table, drawn, seed)] : []),
      attributeStatistics(table, marked),
    ]),
};

/** Two attributes that vary together more than this say the same. */
const SAME = 0.9;
/** A share of fewer images names no class. */
const MIN_IMAGES = 5;
/** Pairs and names that a note lists. */
const LISTED = 6;

/** How the attributes of the images hang together, and which of them give the class away: a model can learn no less. */
export function attributeStatistics(table: RowTable, attributes: readonly string[]): SuiteReport {
  const answered = table.subjects.filter((subject) => subject.attributes !== null);
  const seen = attributes.filter((id) => answered.some((subject) => subject.attributes?.includes(id)));
  if (seen.length === 0) return { findings: [], lines: [], plots: [], skipped: [], notes: [NOBODY_ASKED] };
  const bits = new AttributeTable(seen.length);
  for (const subject of answered) bits.add(placesIn(seen, subject), subject.classIndex, -1, false);
  const { correlation } = attributePairs(bits, null);
  const classes = table.classes.flatMap((name) => {
    const own = answered.filter(({ className }) => className === name);
    return own.length === 0 ? [] : [{ name, n: own.length, shares: seen.map((id) => shareIn(own, id)) }];
  });
  const plots: Plot[] = [
    {
      id: 'attribute-correlation',
      title: 'Attributes that come together',
      says: `Correlation over ${answered.length} images with answered attributes. Empty where an attribute never varies.`,
      kind: 'heat',
      rows: seen,
      columns: seen,
      unit: 'number',
      isDiverging: true,
      values: correlation.map((row) => row.map(({ value }) => value)),
      filters: seen.map((a) =>
        seen.map((b) => (a === b ? { attribute: a } : { attribute: a, alsoAttribute: b })),
      ),
    },
    {
      id: 'attribute-means',
      title: 'Attributes by class',
      says: `Share of the images of a class that have the attribute: ${classes.map(({ name, n }) => `${name} ${n}`).join(', ')} images.`,
      kind: 'heat',
      rows: classes.map(({ name }) => name),
      columns: seen,
      unit: 'share',
      values: classes.map(({ shares }) => shares),
      filters: classes.map(({ name }) => seen.map((attribute) => ({ className: name, attribute }))),
    },
  ];
  return {
    findings: [],
    lines: [],
    plots,
    skipped: [],
    notes: [...findRedundant(seen, plots), ...findGivingAway(seen, classes)],
  };
}

const NOBODY_ASKED = 'These images have no answers about attributes.';

const placesIn = (seen: readonly string[], { attributes }: Subject): number[] =>
  seen.flatMap((id, at) => (attributes?.includes(id) ? [at] : []));

const shareIn = (subjects: readonly Subject[], id: string): number =>
  subjects.filter(({ attributes }) => attributes?.includes(id)).length / subjects.length;

function findRedundant(seen: readonly string[], [plot]: readonly Plot[]): string[] {
  if (plot?.kind !== 'heat') return [];
  const pairs = seen.flatMap((a, i) =>
    seen.slice(i + 1).flatMap((b, k) => {
      const r = plot.values[i]?.[i + 1 + k];
      return typeof r === 'number' && Math.abs(r) > SAME ? [`${a} and ${b} (${r.toFixed(2)})`] : [];
    }),
  );
  return pairs.length === 0 ? [] : [`Attributes that say the same: ${listed(pairs)}.`];
}

/** Attributes that are present in all images of one class and in no other class. */
function findGivingAway(
  seen: readonly string[],
  classes: readonly { name: string; n: number; shares: readonly number[] }[],
): string[] {
  if (classes.length < 2) return [];
  const found = seen.flatMap((id, at) => {
    const having = classes.filter(({ shares }) => shares[at] !== 0);
    const [only] = having;
    return having.length === 1 && only && only.shares[at] === 1 && only.n >= MIN_IMAGES
      ? [`${id} (${only.name})`]
      : [];
  });
  return found.length === 0 ? [] : [`Attributes that give a class away: ${listed(found)}.`];
}

const listed = (all: readonly string[]): string =>
  all.length > LISTED ? `${all.slice(0, LISTED).join(', ')} and ${all.length - LISTED} more` : all.join(', ');
