import { accuracyIn, isRight, shareOf } from './accuracy';
import type { Finding, Plot, SuiteReport } from './report';
import type { RowTable } from './row-table';

export interface Attacked {
  /** Of the chain of attacks. */
  variant: string;
  attacks: readonly { id: string; needsGradient: boolean }[];
  /** In 255ths; the first is the headline. */
  radii: readonly number[];
}

/** Gradients are likely hidden where squares still find so much after them, in shares. */
const HIDDEN = 0.002;

/** An image stands where the model is right on the clean picture and on everything the attacks found. */
export function attackReport(table: RowTable, { variant, attacks, radii }: Attacked): SuiteReport {
  const subjects = table.subjects.filter(({ id }) => table.of(variant, id).length > 0);
  const [headline = 8] = radii;
  const rowAt = (id: string, radius: number) => table.of(variant, id).find(({ level }) => level === radius);
  const standing = (radius: number, without: readonly string[] = []) =>
    shareOf(
      subjects.filter((subject) => {
        const row = rowAt(subject.id, radius);
        if (!row) return false;
        return row.extra.brokenBy === null || without.includes(String(row.extra.brokenBy));
      }).length,
      subjects.length,
      table.subjects.length,
    );
  const isBound = attacks.every(({ needsGradient }) => !needsGradient);
  const finding: Finding = {
    ...standing(headline),
    id: 'adversarial-accuracy',
    name: 'Adversarial accuracy',
    says: `Right on the clean picture and after every attack within ${headline}/255; every image counts the same.${isBound ? ' An upper bound: no attack saw the gradient.' : ''}`,
    unit: 'share',
    isBound,
  };
  const clean = accuracyIn(table, 'identity', subjects);
  const plots: Plot[] = [
    {
      id: 'attack-curve',
      title: 'Accuracy against the size of the perturbation',
      says: `Over ${subjects.length} images. A curve that does not fall to 0 hints at hidden gradients, not at robustness.`,
      kind: 'lines',
      x: 'ε · 255',
      y: 'accuracy',
      series: [
        {
          name: isBound ? 'at most' : 'worst case',
          points: [
            { x: 0, y: clean.value, low: clean.low, high: clean.high },
            ...radii
              .toSorted((a, b) => a - b)
              .map((radius) => {
                const { value, low, high } = standing(radius);
                return {
                  ...{ x: radius, y: value, low, high },
                  filter: { variant, level: String(radius), isRight: false },
                };
              }),
          ],
        },
      ],
    },
  ];
  // What stands after each: those that a later one broke stood until then.
  const lines = attacks.map(({ id }, i) => ({
    ...standing(
      headline,
      attacks.slice(i + 1).map((later) => later.id),
    ),
    paradigm: 'attack' as const,
    group: `Attacks within ${headline}/255, one after the other`,
    name: id,
    filter: { sort: `drop ${variant}` },
  }));
  const squares = attacks.filter(({ needsGradient }) => !needsGradient).map(({ id }) => id);
  const [all, white] = [standing(headline).value, standing(headline, squares).value];
  const isHidden = !isBound && all !== null && white !== null && white - all > HIDDEN;
  const wrong = subjects.filter((subject) => {
    const row = table.one('identity', subject.id);
    return row && !isRight(row, subject);
  }).length;
  return {
    findings: [finding],
    lines,
    plots,
    skipped: [],
    notes: [
      ...(wrong > 0 ? [`${wrong} of ${subjects.length} attacked images are wrong without any attack.`] : []),
      ...(isHidden
        ? [
            'An attack without gradients found what those with gradients did not: the gradients are likely hidden.',
          ]
        : []),
    ],
  };
}
