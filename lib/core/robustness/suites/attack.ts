import { apgdAttack, attackVariant, pgdAttack, squareAttack, standardAttacks } from '../attacks/attacks';
import { checkAttackResults, checkRadiusSweep, measureAdversarial } from '../attacks/warnings';
import { rightKey } from '../report/image-scores';
import type { Finding, Plot, SuiteReport } from '../report/report';
import { estimateShare, measureAccuracy, type RowTable } from '../report/row-table';
import type { Setting, Suite } from './suite';

/** Attacks need thousands of model runs per image. */
const QUICK_IMAGES = 50;
const PAPER_IMAGES = 1000;

const chosen = ({ preset, offers }: Setting) => {
  const attacks =
    preset === 'paper'
      ? // The part-model paper reports PGD alone and the whole sequence.
        [...(offers.gradient ? [pgdAttack()] : []), ...standardAttacks(offers.gradient)]
      : offers.gradient
        ? [apgdAttack({ iterations: 20 }), squareAttack({ queries: 200 })]
        : [squareAttack({ queries: 500 })];
  const radii = preset === 'paper' ? [8, 16, 24, 32] : [8, 32];
  return { attacks, radii, variant: attackVariant(attacks, { radii }) };
};

export const attack: Suite = {
  id: 'attacks',
  version: 1,
  name: 'Attacks',
  description:
    'Adversarial examples within a small L∞ distance: gradient-based if the model has a gradient graph, score-based otherwise.',
  refusal: () => null,
  variants(setting) {
    const { variant } = chosen(setting);
    return [{ ...variant, maxImages: setting.preset === 'paper' ? PAPER_IMAGES : QUICK_IMAGES }];
  },
  report(table, setting) {
    const { attacks, radii, variant } = chosen(setting);
    return attackReport(table, { variant: variant.id, attacks, radii });
  },
};

interface AttackReportOptions {
  /** Of the chain of attacks. */
  variant: string;
  attacks: readonly { id: string; needsGradient: boolean }[];
  /** In 255ths; the first is the headline. */
  radii: readonly number[];
}

/** An image stands where the model is right on the clean picture and on everything the attacks found. */
export function attackReport(table: RowTable, { variant, attacks, radii }: AttackReportOptions): SuiteReport {
  const subjects = table.subjects.filter(({ id }) => table.of(variant, id).length > 0);
  const [headline = 8] = radii;
  const rowAt = (id: string, radius: number) => table.of(variant, id).find(({ level }) => level === radius);
  const standing = (radius: number, without: readonly string[] = []) =>
    estimateShare(
      subjects.filter((subject) => {
        const row = rowAt(subject.id, radius);
        if (!row) return false;
        return row.extra.brokenBy === null || without.includes(String(row.extra.brokenBy));
      }).length,
      subjects.length,
      table.subjects.length,
    );
  const isBound = attacks.every(({ needsGradient }) => !needsGradient);
  const attackMetrics = measureAdversarial(
    subjects.flatMap(({ id }) => {
      const row = rowAt(id, headline);
      if (!row) return [];
      const { brokenBy, queries } = row.extra;
      return [
        {
          isRobust: brokenBy === null,
          brokenBy: brokenBy === null ? null : String(brokenBy),
          queries: Number(queries ?? 0),
        },
      ];
    }),
    attacks,
    table.subjects.length,
  );
  const fallen = attackMetrics.after.reduce((sum, { broke }) => sum + broke, 0);
  const right = Math.round((attackMetrics.clean.value ?? 0) * attackMetrics.clean.n);
  const finding: Finding = {
    ...standing(headline),
    id: 'adversarial-accuracy',
    name: 'Robust accuracy',
    says: `Share of images that stay correct under every attack within ${headline}/255.${isBound ? ' Upper bound: no gradient-based attack ran.' : ''}`,
    unit: 'share',
    isBound,
  };
  const clean = measureAccuracy(table, 'identity', subjects);
  const plots: Plot[] = [
    {
      id: 'attack-curve',
      title: 'Accuracy by perturbation radius',
      says: `Over ${subjects.length} images. A curve that does not fall to 0 suggests gradient masking rather than robustness.`,
      kind: 'lines',
      x: 'ε · 255',
      y: 'accuracy',
      series: [
        {
          name: isBound ? 'at most' : 'worst case',
          points: [
            {
              ...{ x: 0, y: clean.value, low: clean.low, high: clean.high },
              // Of those that were attacked: there is a share of what stood.
              filter: { isRight: false, score: rightKey(variant), from: 0 },
            },
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
    group: `Accuracy after each attack, radius ${headline}/255`,
    name: id,
    filter: { variant, sort: `drop ${variant}` },
  }));
  const wrong = attackMetrics.clean.n - right;
  const sweep = radii.flatMap((radius) => {
    const { value, n } = standing(radius);
    return value === null ? [] : [{ radius, accuracy: value, n }];
  });
  return {
    findings: [
      finding,
      {
        ...estimateShare(fallen, right, table.subjects.length),
        id: 'attack-success',
        name: 'Attack success rate',
        says: `Share of correctly classified images with an adversarial example within ${headline}/255. Lower is better.`,
        unit: 'share',
      },
      {
        value: attackMetrics.medianQueries,
        low: null,
        high: null,
        n: fallen,
        of: table.subjects.length,
        id: 'attack-queries',
        name: 'Median queries per successful attack',
        says: 'Over the images with a successful attack. Higher is better.',
        unit: 'number',
      },
    ],
    lines,
    plots,
    skipped: [],
    notes: [
      ...(wrong > 0
        ? [`${wrong} of ${subjects.length} attacked images are misclassified without any attack.`]
        : []),
      // Without gradient-based attacks there is nothing to warn about.
      ...(isBound ? [] : [...checkAttackResults(attackMetrics), ...checkRadiusSweep(sweep)]).map(
        ({ message }) => message,
      ),
    ],
  };
}
