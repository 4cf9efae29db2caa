import { describe, expect, it } from 'vitest';
import { estimateLabelErrors, labelQualityReport } from '@/lib/core/robustness/report/label-quality';
import { RowTable, type Subject } from '@/lib/core/robustness/report/row-table';
import { listSlicesOf, sliceReport } from '@/lib/core/robustness/report/slice-report';
import { planSuites, scoresOf } from '@/lib/core/robustness/suites';
import { saliencyReport } from '@/lib/core/robustness/suites/saliency';
import vectors from '@/test/fixtures/evaluation-vectors.json' with { type: 'json' };
import { findingIn, plotIn, rowOf, subjectOf } from './samples';

const CLASSES = ['cat', 'dog'];
const tableOf = (subjects: readonly Subject[], isRight: (subject: Subject) => boolean = () => true) =>
  new RowTable(
    subjects,
    CLASSES,
    subjects.map((each) => rowOf(each, 'identity', { isRight: isRight(each) })),
  );

describe('groups of images by what people labelled', () => {
  const subjects = [
    subjectOf('tom', 0, {
      attributes: ['ears', 'fur', 'wet'],
      parts: { seen: ['head', 'tail'], missing: [] },
      agreement: 0.95,
      lookalike: 'other split',
      slices: ['Night', 'Blurred'],
      objectShare: 0.05,
      touchesEdge: true,
      confidence: 0.6,
    }),
    subjectOf('kit', 0, {
      attributes: ['ears', 'fur'],
      parts: { seen: ['head'], missing: ['tail'] },
      agreement: 0.5,
      lookalike: 'none',
      slices: ['Night'],
      split: 'val',
    }),
    subjectOf('rex', 1, { attributes: null, parts: null, agreement: null, objectShare: null }),
  ];

  it('each has its n and its interval, however few there are; none is empty', () => {
    const { lines } = sliceReport(
      tableOf(subjects, ({ id }) => id !== 'kit'),
      0,
    );
    const line = (group: string, name: string) =>
      lines.find((each) => each.group === group && each.name === name);
    expect(line('Class', 'cat')).toMatchObject({ value: 0.5, n: 2, filter: { className: 'cat' } });
    expect(line('Attribute', 'fur')).toMatchObject({ n: 2, filter: { group: 'Attribute: fur' } });
    expect(line('Two attributes', 'ears and fur')).toMatchObject({ value: 0.5, n: 2 });
    expect(line('Two attributes', 'ears and wet')).toMatchObject({ value: 1, n: 1 });
    expect(line('Parts', 'all seen')).toMatchObject({ value: 1, n: 1 });
    expect(line('Parts', 'some not seen')).toMatchObject({ value: 0, n: 1 });
    expect(line('Part', 'tail not seen')).toMatchObject({ value: 0, n: 1 });
    expect(line('Part', 'head seen')).toMatchObject({ n: 2 });
    expect(line('Size of the object', 'below 10 % of the picture')).toMatchObject({ n: 1 });
    expect(line('Edge of the picture', 'cut off by the edge')).toMatchObject({ n: 1 });
    expect(line('How sure the labels are', 'below 90 %')).toMatchObject({ n: 1 });
    expect(line('How far people agree', 'below 70 %')).toMatchObject({ value: 0, n: 1 });
    expect(line('How far people agree', '90 % and above')).toMatchObject({ value: 1, n: 1 });
    expect(line('Split', 'val')).toMatchObject({ n: 1 });
    expect(line('Near-duplicates', 'of an image in another split')).toMatchObject({ n: 1 });
    expect(line('Saved slice', 'Night')).toMatchObject({ value: 0.5, n: 2 });
    for (const { n, low, high } of lines) {
      expect(n).toBeGreaterThan(0);
      expect(low).not.toBeNull();
      expect(high).not.toBeNull();
    }
    const names = lines.map(({ group, name }) => `${group}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('say nothing of splits, parts and near-duplicates where all images are alike', () => {
    const plain = ['a', 'b'].map((id) =>
      subjectOf(id, 0, { lookalike: 'none', parts: { seen: ['head'], missing: [] } }),
    );
    const groups = listSlicesOf(tableOf(plain)).map(({ group }) => group);
    for (const group of ['Split', 'Near-duplicates', 'Parts', 'Saved slice', 'How far people agree'])
      expect(groups).not.toContain(group);
  });

  it('are bounded: a schema of hundreds of attributes does not make a table that nobody reads', () => {
    const attributes = Array.from({ length: 60 }, (_, i) => `a${i}`);
    const many = Array.from({ length: 30 }, (_, i) =>
      subjectOf(`i${i}`, 0, {
        attributes: attributes.slice(0, 2 * i),
        parts: { seen: attributes, missing: [] },
        slices: attributes,
      }),
    );
    const found = listSlicesOf(tableOf(many));
    const count = (group: string) => found.filter((each) => each.group === group).length;
    expect(count('Two attributes')).toBe(20);
    expect(count('Part')).toBe(30);
    expect(count('Saved slice')).toBe(50);
    expect(found.find(({ group }) => group === 'Two attributes')?.name).toBe('a0 and a1');
  });
});

describe('labels that can be trusted, and those that cannot', () => {
  it('accuracy weighted by confidence is that of the vector, with an interval', () => {
    const { w, ok, acc, nEff } = vectors.weighted;
    const subjects = w.map((confidence, i) => subjectOf(`i${i}`, 0, { confidence }));
    const report = labelQualityReport(
      tableOf(subjects, ({ id }) => ok[Number(id.slice(1))] === 1),
      0,
    );
    const found = findingIn(report, 'weighted-accuracy');
    expect(found.value).toBeCloseTo(acc);
    expect(found).toMatchObject({ n: 4, of: 4 });
    expect(found.says).toContain(`Effective sample size: ${Math.round(nEff)} of 4`);
    expect(found.low).toBeLessThan(acc);
    expect(found.high).toBeGreaterThan(acc);
  });

  it('unanimous images are told apart, where several people answered at all', () => {
    const subjects = [1, 0.97, 0.4, null].map((agreement, i) => subjectOf(`i${i}`, 0, { agreement }));
    const report = labelQualityReport(
      tableOf(subjects, ({ id }) => id !== 'i1'),
      0,
    );
    expect(findingIn(report, 'unanimous-accuracy')).toMatchObject({ value: 0.5, n: 2, of: 4 });
    const alone = labelQualityReport(tableOf([subjectOf('x', 0)]), 0);
    expect(alone.findings.map(({ id }) => id)).not.toContain('unanimous-accuracy');
  });

  it('a curator who mixed up labels finds them first: the model is sure, the label is not', () => {
    // Two hundred images; the labels of ten were swapped, and people had agreed less on them. The model also errs by itself.
    const images = Array.from({ length: 200 }, (_, i) => {
      const isSwapped = i % 20 === 0;
      const isHard = i % 20 === 7;
      const truth = i % 2;
      const label = isSwapped ? 1 - truth : truth;
      const subject = subjectOf(`i${i}`, label, { confidence: isSwapped ? 0.7 : 0.95 });
      const sure = isHard ? 0.55 : isSwapped ? 0.98 : 0.9 + (i % 9) / 100;
      const predicted = isHard ? 1 - truth : truth;
      const pTrue = predicted === label ? sure : 1 - sure;
      const margin = Math.log(pTrue / (1 - pTrue));
      return { isSwapped, isHard, subject, row: rowOf(subject, 'identity', { predicted, pTrue, margin }) };
    });
    const table = new RowTable(
      images.map(({ subject }) => subject),
      CLASSES,
      images.map(({ row }) => row),
    );
    const scores = scoresOf(table, planSuites('noise', { ...quick, attributes: [] }));
    const ranked = images
      .map((image) => ({ ...image, suspicion: scores.get(image.subject.id)?.labelSuspicion ?? 0 }))
      .sort((a, b) => b.suspicion - a.suspicion);
    expect(ranked.slice(0, 10).every(({ isSwapped }) => isSwapped)).toBe(true);
    const found = findingIn(labelQualityReport(table, 0), 'label-errors');
    // Ten swapped, ten hard: the hard ones are the model's own.
    expect(found).toMatchObject({ value: 0.5, n: 20, of: 200 });
    expect(found.says).toContain('10 of 20 errors');
  });

  it('is never surer than it can be, and says nothing of an image that was not asked about', () => {
    const one = { truth: 0, predicted: 1, reliability: 0 };
    const [far, even, lost] = estimateLabelErrors(
      [
        { ...one, pTrue: 1e-30, margin: -69 },
        { ...one, predicted: 0, pTrue: 0.5, margin: 0, reliability: 1 },
        { ...one, pTrue: 0, margin: -800, reliability: 1 },
      ],
      2,
    );
    expect(far?.suspicion).toBeLessThanOrEqual(1);
    expect(even).toEqual({ suspicion: expect.closeTo(0.02, 10), isSuspect: false });
    // No image is labelled with the class that it says: how sure it usually is of it is not known.
    expect(lost).toEqual({ suspicion: 1, isSuspect: false });
    const silent = new RowTable([subjectOf('x', 0)], CLASSES, []);
    expect(findingIn(labelQualityReport(silent, 0), 'label-errors')).toMatchObject({ value: null, n: 0 });
  });
});

describe('the human ceiling', () => {
  it('is how far two people agree on the same objects, and is not drawn where nobody drew twice', () => {
    const [tom, kit] = [subjectOf('tom', 0, { drawnIou: 0.7 }), subjectOf('kit', 0, { drawnIou: 0.9 })];
    const rex = subjectOf('rex', 0);
    const looked = [tom, kit, rex].map((each) =>
      rowOf(each, 'saliency', { extra: { iou: 0.3, by: 'head' } }),
    );
    const report = saliencyReport(new RowTable([tom, kit, rex], CLASSES, looked), 0);
    const ceiling = findingIn(report, 'human-ceiling');
    expect(ceiling.value).toBeCloseTo(0.8);
    expect(ceiling).toMatchObject({ n: 2, of: 3 });
    const bars = plotIn(report, 'saliency-iou');
    if (bars.kind !== 'bars') throw new Error(bars.kind);
    expect(bars.bars.at(-1)?.name).toBe('people');
    const without = saliencyReport(new RowTable([rex], CLASSES, []), 0);
    expect(without.findings.map(({ id }) => id)).not.toContain('human-ceiling');
  });
});

const quick = {
  preset: 'quick' as const,
  seed: 0,
  classes: CLASSES,
  attributes: [],
  marked: [],
  side: 32,
  offers: { gradient: false, oracle: false, features: false },
};
