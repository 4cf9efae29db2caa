import { describe, expect, it } from 'vitest';
import { typicalClasses } from '@/lib/core/robustness/metrics/typical-classes';
import { RowTable } from '@/lib/core/robustness/report/row-table';
import { planSuites, type Setting, suites } from '@/lib/core/robustness/suites';
import { attributeEditReport } from '@/lib/core/robustness/suites/attribute-edit-report';
import { attributeSurrogateReport } from '@/lib/core/robustness/suites/attribute-surrogate';
import { attributeStatistics } from '@/lib/core/robustness/suites/attributes';
import { insertAttributes } from '@/lib/core/robustness/variants/attributes';
import vectors from '../../fixtures/evaluation-vectors.json' with { type: 'json' };
import { flat, SIDE } from './plain-scenes';
import { applied, ellipse, sampleOf, surroundingsOf } from './samples';
import { findingIn, plotIn, rowOf, subjectOf } from './support/report-rows';

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
    const around = surroundingsOf([pos, neg]);
    const outcome = await applied(insertAttributes(['ears']), pos, around);
    if ('invalid' in outcome) throw new Error(outcome.invalid);
    expect(outcome.extra).toMatchObject({ donor: 'neg', donorClass: 1, isFlipped: 0 });
    expect(outcome.extra?.rise).toBe(outcome.extra?.ownRise);
    expect(outcome.extra?.rise).toBeGreaterThan(0.01);
    const [before, after] = await around.query([neg.picture, outcome.picture]);
    expect(after?.[0]).toBeGreaterThan(before?.[0] as number);
    // An image of the class that has the attribute most often cannot be moved there.
    const typical = { ...around, typicalClass: () => 1 };
    expect(await applied(insertAttributes(['ears']), pos, typical)).toMatchObject({ extra: { rise: null } });
    const silent = { ...around, query: async () => [new Float32Array(3), Float32Array.of(0, Number.NaN, 0)] };
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
    expect(stubborn.notes[0]).toContain('one class only');
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
      'Nobody was asked about the attributes of these images.',
    ]);
  });
});
