import { describe, expect, it } from 'vitest';
import { RowTable } from '@/lib/core/robustness/report/row-table';
import { planSuites, presets, type Setting, scoresOf } from '@/lib/core/robustness/suites';
import { maskedCorruptionReport } from '@/lib/core/robustness/suites/corruption';
import { editStanding } from '@/lib/core/robustness/suites/edits';
import { ablationReport } from '@/lib/core/robustness/suites/noise';
import { findingIn, plotIn, rowOf, subjectOf } from './support/report-rows';

const CLASSES = ['cat', 'dog'];
const [tom, kit, rex] = [subjectOf('tom', 0), subjectOf('kit', 0), subjectOf('rex', 1)];
const subjects = [tom, kit, rex];
const clean = subjects.map((each) => rowOf(each, 'identity'));

const setting = (preset: Setting['preset']): Setting => ({
  preset,
  seed: 0,
  classes: CLASSES,
  attributes: ['ears'],
  marked: ['ears'],
  side: 64,
  offers: { gradient: false, oracle: false, features: true },
});

describe('corruptions of one region', () => {
  const types = [{ id: 'fog', object: 'corrupt.fog.object', background: 'corrupt.fog.background' }];
  const said = (variant: string, right: boolean[], level = 3) =>
    subjects.flatMap((each, i) => {
      const isRight = right[i];
      return isRight === undefined ? [] : [rowOf(each, variant, { isRight, level })];
    });

  it('have a sensitivity of their own, beside the accuracies it is made of', () => {
    const table = new RowTable(subjects, CLASSES, [
      ...clean,
      ...said('corrupt.fog.object', [true, false, true]),
      ...said('corrupt.fog.background', [true, true, true]),
    ]);
    const report = maskedCorruptionReport(table, types, [3], 0);
    expect(findingIn(report, 'corruption-object').value).toBeCloseTo(3 / 4);
    expect(findingIn(report, 'corruption-background').value).toBe(1);
    // Around 7/8 no more than 1/4 apart is possible.
    expect(findingIn(report, 'corruption-rfs').value).toBeCloseTo(1);
    expect(findingIn(report, 'corruption-rfs')).toMatchObject({ n: 3, of: 3 });
    expect(plotIn(report, 'corruption-regions')).toMatchObject({ points: [{ name: 'fog', x: 0.75, y: 1 }] });
    expect(report.lines).toMatchObject([{ name: 'fog', filter: { sort: 'drop corrupt.fog.background' } }]);
  });

  it('say nothing of images without a mask', () => {
    const table = new RowTable(subjects, CLASSES, clean);
    const report = maskedCorruptionReport(table, types, [3], 0);
    expect(report.findings.every(({ value, n }) => value === null && n === 0)).toBe(true);
    expect(report.plots).toEqual([]);
  });

  it('are in both presets, each region as often as the other', () => {
    for (const preset of presets) {
      const ids = planSuites('corruptions', setting(preset)).variants.map(({ id }) => id);
      const [inside, beside] = ['object', 'background'].map((where) =>
        ids.filter((id) => id.endsWith(`.${where}`)).map((id) => id.slice(0, -where.length)),
      );
      expect(inside).toEqual(beside);
      expect(inside).toHaveLength(preset === 'paper' ? 15 : 4);
    }
  });
});

describe('gray attributes', () => {
  it('cost points of accuracy and of probability, in all and one by one, with n in images', () => {
    const table = new RowTable(subjects, CLASSES, [
      ...clean,
      rowOf(tom, 'gray.attribute', { level: 'ears', isRight: false, pTrue: 0.2 }),
      rowOf(tom, 'gray.attribute', { level: 'tail', pTrue: 0.8 }),
      rowOf(kit, 'gray.attribute', { level: 'ears', pTrue: 0.6 }),
    ]);
    const report = ablationReport(table, 0);
    expect(findingIn(report, 'attribute-ablation')).toMatchObject({ n: 2, of: 3 });
    expect(findingIn(report, 'attribute-ablation').value).toBeCloseTo(1 / 3);
    expect(findingIn(report, 'attribute-ablation-probability').value).toBeCloseTo(0.8 / 3);
    expect(report.lines.map(({ name, value, n }) => [name, value, n])).toEqual([
      ['ears', 0.5, 2],
      ['tail', 0, 1],
    ]);
    expect(plotIn(report, 'attribute-ablation')).toMatchObject({
      rows: ['ears', 'tail', 'all'],
      columns: ['cat', 'all'],
      values: [
        [50, 50],
        [0, 0],
        [100 / 3, 100 / 3],
      ],
    });
    expect(ablationReport(new RowTable(subjects, CLASSES, clean), 0).plots).toEqual([]);
  });
});

describe('edited objects', () => {
  it('stand under the worst edit that is possible, and answers stay or change whether right or wrong', () => {
    const table = new RowTable(subjects, CLASSES, [
      rowOf(tom, 'identity'),
      rowOf(kit, 'identity', { isRight: false }),
      rowOf(rex, 'identity'),
      rowOf(tom, 'edit.size', { level: 0.1 }),
      rowOf(tom, 'edit.position', { level: 'anywhere', isRight: false }),
      rowOf(kit, 'edit.size', { level: 0.1, isRight: false }),
      // Turned by nothing it was not edited.
      rowOf(rex, 'edit.direction', { level: 0, isRight: false }),
      rowOf(rex, 'edit.direction', { level: 45 }),
    ]);
    const report = editStanding(table, 0);
    expect(findingIn(report, 'edit-worst')).toMatchObject({ value: 1 / 3, n: 3, of: 3 });
    expect(findingIn(report, 'edit-consistency')).toMatchObject({ value: 3 / 4, n: 3 });
    const none = editStanding(new RowTable(subjects, CLASSES, clean), 0);
    expect(none.findings.every(({ value, n }) => value === null && n === 0)).toBe(true);
  });
});

describe('scores of single images', () => {
  it('have their sensitivity in both norms, and no fall on pictures that are another’s', () => {
    const noisy = (norm: string, inside: number, beside: number) => [
      rowOf(tom, `noise.object.${norm}`, { pTrue: inside }),
      rowOf(tom, `noise.background.${norm}`, { pTrue: beside }),
    ];
    const table = new RowTable(subjects, CLASSES, [
      ...clean,
      ...noisy('linf', 0.2, 0.8),
      ...noisy('l2', 0.8, 0.2),
      rowOf(tom, 'attribute.insert', { level: 'ears', pTrue: 0 }),
      rowOf(tom, 'gray.object', { pTrue: 0.3 }),
    ]);
    const scores = scoresOf(table, planSuites('all', setting('quick'))).get('tom');
    expect(scores?.irfs).toBeCloseTo(0.6);
    expect(scores?.['irfs-l2']).toBeCloseTo(-0.6);
    expect(scores?.['noise difference']).toBeCloseTo(0.6);
    expect(scores?.['drop gray.object']).toBeCloseTo(0.5);
    expect(scores).not.toHaveProperty('drop attribute.insert');
  });
});
