import { describe, expect, it } from 'vitest';
import { RowTable } from '@/lib/core/robustness/report/row-table';
import {
  describePlan,
  planSuites,
  presets,
  type Setting,
  scoresOf,
  suites,
} from '@/lib/core/robustness/suites';
import { attributeEditReport } from '@/lib/core/robustness/suites/attribute-edit-report';
import { attributeSurrogateReport } from '@/lib/core/robustness/suites/attribute-surrogate';
import { attributeStatistics } from '@/lib/core/robustness/suites/attributes';
import { maskedCorruptionReport } from '@/lib/core/robustness/suites/corruption';
import { editStanding } from '@/lib/core/robustness/suites/edits';
import { ablationReport } from '@/lib/core/robustness/suites/noise';
import { insertAttributes, typicalClasses } from '@/lib/core/robustness/variants/attributes';
import vectors from '@/test/fixtures/evaluation-vectors.json' with { type: 'json' };
import {
  applied,
  ellipse,
  findingIn,
  flat,
  plotIn,
  rowOf,
  SIDE,
  sampleOf,
  subjectOf,
  surroundingsOf,
} from './samples';

const setting: Setting = {
  preset: 'quick',
  seed: 0,
  classes: ['cat', 'dog'],
  attributes: ['ears'],
  marked: ['ears', 'wet'],
  side: 32,
  offers: { gradient: false, oracle: false, features: true },
};

describe('the suite of attributes', () => {
  it('is refused where the schema has none, and shares gray attributes with the suite of noise', () => {
    const none = planSuites('attributes', { ...setting, attributes: [], marked: [] });
    expect(none.left[0]?.why).toContain('The schema has no attributes.');
    const ids = planSuites('all', setting).variants.map(({ id }) => id);
    expect(ids.filter((id) => id === 'gray.attribute')).toHaveLength(1);
    expect(new Set(ids).size).toBe(ids.length);
    // Attributes that are marked and never drawn can be fitted, and nothing can be covered.
    expect(planSuites('attributes', { ...setting, attributes: [] }).variants.map(({ id }) => id)).toEqual([
      'identity',
    ]);
    expect(suites.map(({ id }) => id)).toContain('attributes');
  });

  it('a class is typical of an attribute by its share, not by its size; not asked is not "no"', () => {
    const image = (classIndex: number, attributes: string[] | null) => ({ classIndex, attributes });
    const found = typicalClasses([
      ...Array.from({ length: 9 }, (_, i) => image(0, i < 4 ? ['ears'] : [])),
      image(1, ['ears']),
      image(1, null),
      image(1, null),
      image(2, []),
    ]);
    expect([...found]).toEqual([['ears', 1]]);
  });

  it('shows what a part does to another image: red paint speaks for the class that goes by red', async () => {
    const pos = sampleOf('pos', flat(0.1), ellipse(SIDE, SIDE, 0.4), {
      attributes: ['ears'],
      attributeRegions: { ears: ellipse(SIDE, SIDE, 0.2) },
    });
    pos.picture.data.fill(1, 0, SIDE * SIDE);
    const neg = sampleOf('neg', flat(0.5), ellipse(SIDE, SIDE, 0.3), { classIndex: 1, attributes: [] });
    const context = surroundingsOf([pos, neg]);
    const outcome = await applied(insertAttributes(['ears']), pos, context);
    if ('invalid' in outcome) throw new Error(outcome.invalid);
    expect(outcome.extra).toMatchObject({ donor: 'neg', donorClass: 1, isFlipped: 0 });
    expect(outcome.extra?.rise).toBe(outcome.extra?.ownRise);
    expect(outcome.extra?.rise).toBeGreaterThan(0.01);
    const [before, after] = await context.query([neg.picture, outcome.picture]);
    expect(after?.[0]).toBeGreaterThan(before?.[0] as number);
    // An image of the class that has the attribute most often cannot be moved there.
    const typical = { ...context, typicalClass: () => 1 };
    expect(await applied(insertAttributes(['ears']), pos, typical)).toMatchObject({ extra: { rise: null } });
    const silent = {
      ...context,
      query: async () => [new Float32Array(3), Float32Array.of(0, Number.NaN, 0)],
    };
    expect(await applied(insertAttributes(['ears']), pos, silent)).toEqual({ invalid: 'not-finite' });
  });

  const cats = ['tom', 'kit'].map((id) => subjectOf(id, 0, { attributes: ['ears'] }));
  const rex = subjectOf('rex', 1, { attributes: ['wet'] });

  it('covering and laying on: means over attributes, with n in images', () => {
    const [tom, kit] = cats as [(typeof cats)[0], (typeof cats)[0]];
    const on = (rise: number | null, isFlipped: number) => ({ level: 'ears', extra: { rise, isFlipped } });
    const table = new RowTable([tom, kit, rex], setting.classes, [
      ...[tom, kit, rex].map((each) => rowOf(each, 'identity')),
      rowOf(tom, 'attribute.remove', { level: 'ears', pTrue: 0.2, isRight: false }),
      rowOf(tom, 'attribute.remove', { level: 'tail', pTrue: 0.7 }),
      rowOf(kit, 'attribute.remove', { level: 'ears', pTrue: 0.6 }),
      rowOf(tom, 'gray.attribute', { level: 'ears', pTrue: 0.4 }),
      rowOf(tom, 'attribute.insert', on(0.5, 1)),
      rowOf(kit, 'attribute.insert', on(null, 0)),
    ]);
    const report = attributeEditReport(table, ['ears', 'tail'], 0);
    const removal = findingIn(report, 'removal-effect');
    // 0.6, 0.1 and 0.2 of two images.
    expect(removal.value).toBeCloseTo(0.3);
    expect(removal).toMatchObject({ n: 2, of: 3 });
    expect(removal.low).toBeLessThan(0.3);
    expect(removal.high).toBeGreaterThan(0.3);
    expect(findingIn(report, 'removal-flips').value).toBeCloseTo(1 / 3);
    expect(findingIn(report, 'insertion-effect')).toMatchObject({ value: 0.5, n: 1 });
    expect(findingIn(report, 'insertion-flips')).toMatchObject({ value: 0.5, n: 2 });
    const heat = plotIn(report, 'attribute-covered');
    if (heat.kind !== 'heat') throw new Error(heat.kind);
    expect(heat.columns).toEqual(['cat', 'dog', 'all']);
    expect(heat.values[0]?.[0]).toBeCloseTo(40);
    expect(heat.values[0]?.[1]).toBeNull();
    const fill = plotIn(report, 'attribute-fill');
    if (fill.kind !== 'heat') throw new Error(fill.kind);
    expect(fill.values[0]?.map((value) => Math.round(value ?? 0))).toEqual([40, 40]);
    expect(fill.values[1]?.[0]).toBeNull();
    expect(attributeEditReport(new RowTable([rex], setting.classes, []), ['ears'], 0).plots).toEqual([]);
  });

  it('a model that goes by one attribute is found out, on images that the fit has not seen', () => {
    const many = Array.from({ length: 120 }, (_, i) =>
      subjectOf(`i${i}`, i % 2, {
        attributes: ['ears', 'wet', 'tall'].filter((_, a) => ((i * 2654435761) >>> (8 + a)) & 1),
      }),
    );
    const said = (predicted: (subject: (typeof many)[0], i: number) => number) =>
      new RowTable(
        many,
        setting.classes,
        many.map((each, i) => rowOf(each, 'identity', { predicted: predicted(each, i) })),
      );
    const follows = said(({ attributes }) => Number(attributes?.includes('wet')));
    const marked = ['ears', 'wet', 'tall'];
    const found = attributeSurrogateReport(follows, marked, 0);
    expect(findingIn(found, 'attribute-surrogate')).toMatchObject({ value: 1, n: 120, of: 120 });
    // Classes were dealt in turn: the attributes tell nothing of them.
    expect(findingIn(found, 'attribute-classifier').value).toBeLessThan(0.75);
    const weights = plotIn(found, 'surrogate-weights');
    if (weights.kind !== 'heat') throw new Error(weights.kind);
    const [, wet] = weights.values[1] as number[];
    expect(wet).toBe(Math.max(...(weights.values[1] as number[])));
    const stubborn = attributeSurrogateReport(
      said(() => 1),
      marked,
      0,
    );
    expect(stubborn.findings).toEqual([]);
    expect(stubborn.notes[0]).toContain('a single class');
  });

  it('statistics are those of the vector, and name what is redundant and what gives a class away', () => {
    const { X, y, r01, means } = vectors.attr;
    const ids = ['a', 'b', 'c'];
    const subjects = X.map((row, i) =>
      subjectOf(`v${i}`, y[i] as number, { attributes: ids.filter((_, at) => row[at]) }),
    );
    const report = attributeStatistics(new RowTable(subjects, ['cat', 'dog'], []), ids);
    const r = plotIn(report, 'attribute-correlation');
    const mu = plotIn(report, 'attribute-means');
    if (r.kind !== 'heat' || mu.kind !== 'heat') throw new Error('Both are heat maps.');
    expect(r.values[0]?.[1]).toBeCloseTo(r01, 4);
    expect(r.values[2]).toEqual([null, null, null]);
    mu.values.forEach((row, c) => {
      row.forEach((value, a) => {
        expect(value).toBeCloseTo(means[c]?.[a] as number, 12);
      });
    });
    const twins = Array.from({ length: 20 }, (_, i) =>
      subjectOf(`t${i}`, i % 2, { attributes: i % 2 ? ['tail', 'fur'] : [] }),
    );
    const { notes } = attributeStatistics(new RowTable(twins, ['cat', 'dog'], []), ['tail', 'fur']);
    expect(notes).toEqual([
      'Attributes that say the same: tail and fur (1.00).',
      'Attributes that give a class away: tail (dog), fur (dog).',
    ]);
    expect(attributeStatistics(new RowTable([subjectOf('x', 0)], ['cat'], []), ids).notes).toEqual([
      'These images have no answers about attributes.',
    ]);
  });
});

const CLASSES = ['cat', 'dog'];
const [tom, kit, rex] = [subjectOf('tom', 0), subjectOf('kit', 0), subjectOf('rex', 1)];
const subjects = [tom, kit, rex];
const clean = subjects.map((each) => rowOf(each, 'identity'));

const regionSetting = (preset: Setting['preset']): Setting => ({
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
      const ids = planSuites('corruptions', regionSetting(preset)).variants.map(({ id }) => id);
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
    const scores = scoresOf(table, planSuites('all', regionSetting('quick'))).get('tom');
    expect(scores?.irfs).toBeCloseTo(0.6);
    expect(scores?.['irfs-l2']).toBeCloseTo(-0.6);
    expect(scores?.['noise difference']).toBeCloseTo(0.6);
    expect(scores?.['drop gray.object']).toBeCloseTo(0.5);
    expect(scores).not.toHaveProperty('drop attribute.insert');
  });
});

describe('the description of a plan', () => {
  const setting: Setting = {
    preset: 'quick',
    seed: 0,
    classes: ['round', 'square'],
    attributes: [],
    marked: [],
    side: 64,
    offers: { gradient: false, oracle: false, features: false },
  };
  const described = () => JSON.stringify(describePlan('corruptions', setting));

  it('changes when a corruption is added or a suite gets another version', () => {
    const suite = suites.find(({ id }) => id === 'corruptions');
    if (!suite) throw new Error('There is no suite of corruptions.');
    const before = described();
    expect(described()).toBe(before);
    const { variants, version } = suite;
    try {
      suite.variants = (given) =>
        variants(given).flatMap((each) => [each, { ...each, id: `${each.id}.new` }]);
      expect(described()).not.toBe(before);
      Object.assign(suite, { variants, version: version + 1 });
      expect(described()).not.toBe(before);
    } finally {
      Object.assign(suite, { variants, version });
    }
    expect(described()).toBe(before);
  });

  it('is the same for models with and without a gradient, so that they share a leaderboard', () => {
    const withGradient = { ...setting, offers: { ...setting.offers, gradient: true } };
    expect(describePlan('attacks', withGradient)).toEqual(describePlan('attacks', setting));
  });
});
