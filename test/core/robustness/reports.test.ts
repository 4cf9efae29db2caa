import { describe, expect, it } from 'vitest';
import { bootstrap } from '@/lib/core/robustness/metrics/estimates';
import { createRng } from '@/lib/core/robustness/random';
import type { SuiteReport } from '@/lib/core/robustness/report/report';
import { RowTable, type Subject } from '@/lib/core/robustness/report/row-table';
import { sliceReport } from '@/lib/core/robustness/report/slice-report';
import { attackReport } from '@/lib/core/robustness/suites/attack';
import { backgroundReport } from '@/lib/core/robustness/suites/background';
import { corruptionReport } from '@/lib/core/robustness/suites/corruption';
import { editReport } from '@/lib/core/robustness/suites/edit-report';
import { shapeReport } from '@/lib/core/robustness/suites/edits';
import { fmrReport } from '@/lib/core/robustness/suites/fmr';
import { grayReport } from '@/lib/core/robustness/suites/noise';
import { LENGTH, noiseReport } from '@/lib/core/robustness/suites/noise-report';
import { saliencyReport } from '@/lib/core/robustness/suites/saliency';
import type { Row } from '@/lib/core/robustness/types';
import { groupIntoBoards, listTradeOffs, sortByFmr } from '@/lib/services/evaluations/leaderboard';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';

const CLASSES = ['cat', 'dog'];
const subjects = ['tom', 'kit', 'lynx', 'rex'].map(
  (id): Subject => ({
    id,
    className: id === 'rex' ? 'dog' : 'cat',
    classIndex: id === 'rex' ? 1 : 0,
    split: 'test',
    attributes: null,
    objectShare: 0.2,
    touchesEdge: false,
    confidence: 1,
  }),
);

/** By image what was said, 1 for right and 0 for wrong; null where the variant could not change it. */
type Said = Partial<Record<'tom' | 'kit' | 'lynx' | 'rex', number | null>>;

const rows = (variant: string, said: Said, level: Row['level'] = 0, trial = 0): Row[] =>
  Object.entries(said).map(([sample, right]) => {
    const truth = sample === 'rex' ? 1 : 0;
    return {
      sample,
      variant,
      level,
      trial,
      reason: right === null ? 'mask-tiny' : null,
      predicted: right ? truth : 1 - truth,
      pTrue: right ? 0.8 : 0.3,
      margin: 0,
      extra: {},
      queries: 1,
    };
  });

const withExtra = (list: Row[], extra: Record<string, Row['extra']>): Row[] =>
  list.map((row) => ({ ...row, extra: extra[row.sample] ?? {} }));

const clean = rows('identity', { tom: 1, kit: 1, lynx: 0, rex: 1 });
const tableOf = (...more: Row[][]) => new RowTable(subjects, CLASSES, [clean, ...more].flat());
const finding = (report: SuiteReport, id: string) => {
  const found = report.findings.find((each) => each.id === id);
  if (!found) throw new Error(`There is no finding ${id}.`);
  return found;
};

describe('reports of four images whose answers are known', () => {
  it('accuracy: by images, and by classes', () => {
    const report = sliceReport(tableOf(), 0);
    expect(finding(report, 'clean-accuracy')).toMatchObject({ value: 3 / 4, n: 4, of: 4 });
    expect(finding(report, 'clean-accuracy-macro').value).toBeCloseTo((2 / 3 + 1) / 2);
    expect(report.lines.find(({ name }) => name === 'cat')).toMatchObject({ value: 2 / 3, n: 3 });
  });

  it('noise: sensitivity of means over classes, in both norms under names of their own', () => {
    const pair = (norm: string) => [
      rows(`noise.object.${norm}`, { tom: 1, kit: 0, lynx: 0, rex: 1 }, 0.1),
      rows(`noise.background.${norm}`, { tom: 1, kit: 1, lynx: 0, rex: 1 }, 0.1),
    ];
    const table = tableOf(...pair('linf'), ...pair('l2'));
    const ids = (norm: string) => ({
      object: `noise.object.${norm}`,
      background: `noise.background.${norm}`,
      levels: [0.1],
    });
    const report = noiseReport(table, ids('linf'), 0);
    // 2/3 with noise in the object, 5/6 beside it: 1/6 of the 1/2 that is possible around 3/4.
    expect(finding(report, 'rfs').value).toBeCloseTo(1 / 3);
    expect(finding(report, 'rfs-mean-of-levels').value).toBeCloseTo(1 / 3);
    const { low, high } = finding(report, 'rfs');
    expect(low ?? 1).toBeLessThan(1 / 3);
    expect(high ?? 0).toBeGreaterThan(1 / 3);
    const other = noiseReport(table, ids('l2'), 0, LENGTH);
    expect(finding(other, 'rfs-l2').value).toBeCloseTo(1 / 3);
    const named = [report, other].flatMap(({ findings, plots }) =>
      [...findings, ...plots].map(({ id }) => id),
    );
    expect(new Set(named).size).toBe(named.length);
  });

  it('gray: accuracy, and its fall on the same images', () => {
    const report = grayReport(tableOf(rows('gray.background', { tom: 1, kit: 0, lynx: null, rex: 1 })), 0);
    expect(finding(report, 'gray-background')).toMatchObject({ value: 2 / 3, n: 3, of: 4 });
    const fall = finding(report, 'gray-background-fall');
    expect(fall).toMatchObject({ n: 3, of: 4 });
    expect(fall.value).toBeCloseTo(1 / 3);
  });

  it('backgrounds: the gap where both are there, and who follows the background', () => {
    const other = withExtra(rows('mix.other', { tom: 1, kit: 0, lynx: 0, rex: 0 }), {
      kit: { backgroundClass: 1 },
      lynx: { backgroundClass: 0 },
    });
    const table = tableOf(rows('mix.same', { tom: 1, kit: 1, lynx: null, rex: 0 }), other);
    const report = backgroundReport(table, 0);
    expect(finding(report, 'background-gap')).toMatchObject({ n: 3, of: 4 });
    expect(finding(report, 'background-gap').value).toBeCloseTo(1 / 3);
    expect(finding(report, 'background-follow')).toMatchObject({ value: 1 / 4, n: 4 });
  });

  it('corruptions: mean over images of their cells', () => {
    const table = tableOf(
      rows('corrupt.fog', { tom: 1, kit: 1, lynx: 0, rex: 1 }, 1),
      rows('corrupt.fog', { tom: 1, kit: 0, lynx: 0, rex: 0 }, 5),
    );
    const report = corruptionReport(table, [{ id: 'fog', variant: 'corrupt.fog' }], [1, 5], 0);
    expect(finding(report, 'corruption-accuracy')).toMatchObject({ value: 1 / 2, n: 4 });
    expect(report.plots[0]).toMatchObject({ values: [[3 / 4, 1 / 4]] });
  });

  it('edits: against the same images pasted back, kinds before settings, 0° in no mean, n in images', () => {
    const table = tableOf(
      rows('edit.paste-back', { tom: 1, kit: 1, lynx: 0, rex: null }),
      // Rex has no control: what an edit costs beyond it is not known.
      rows('edit.size', { tom: 0, kit: 1, lynx: 0, rex: 0 }, 0.1),
      rows('edit.position', { tom: 1 }, 'anywhere', 0),
      rows('edit.position', { tom: 0 }, 'anywhere', 1),
      rows('edit.position', { tom: 0 }, 'anywhere', 2),
      rows('edit.direction', { tom: 0, kit: 0 }, 0),
      rows('edit.direction', { tom: 1, kit: 0 }, 45),
      rows('edit.direction', { tom: 0, kit: 1 }, 90),
      rows('edit.position-grid', { tom: 1, kit: 0 }, 'top-left'),
      rows('edit.position-grid', { tom: 0 }, 'middle-centre'),
    );
    const report = editReport(table, 0);
    const line = (group: string, name: string) =>
      report.lines.find((each) => each.group.startsWith(group) && each.name === name);
    expect(line('Size', '10 %')).toMatchObject({ value: 1 / 3, n: 3, of: 4 });
    expect(line('Position', 'anywhere')?.value).toBeCloseTo(2 / 3);
    expect(line('Position', 'anywhere')?.n).toBe(1);
    expect(line('Direction', '0°')).toMatchObject({ value: 1, n: 2 });
    const { value, low, high, n } = finding(report, 'edit-fall');
    // Size 1/3, position 2/3, direction (1/2 + 1/2) / 2.
    expect(value).toBeCloseTo((1 / 3 + 2 / 3 + 1 / 2) / 3);
    expect(n).toBe(3);
    expect(low ?? 1).toBeLessThan(value ?? 0);
    expect(high ?? 0).toBeGreaterThan(value ?? 1);
    const plot = (id: string) => report.plots.find((each) => each.id === id);
    // Three angles are a curve; the map has its places, and nothing where nobody laid an object.
    expect(plot('edit-direction')).toMatchObject({
      kind: 'lines',
      series: [
        {
          points: [
            { x: 0, y: 0 },
            { x: 45, y: 1 / 2 },
            { x: 90, y: 1 / 2 },
          ],
        },
      ],
    });
    expect(plot('edit-size')).toMatchObject({ kind: 'bars' });
    expect(plot('edit-position-map')).toMatchObject({
      values: [
        [1 / 2, null, null],
        [null, 0, null],
        [null, null, null],
      ],
    });
    expect(report.notes).toEqual(['The cut-and-paste control costs 0.0 points over 3 images.']);
  });

  it('shape: decisions for either cue only', () => {
    const said = withExtra(rows('shape.texture', { tom: 1, kit: 0, lynx: 1 }), {
      tom: { textureClass: 1 },
      kit: { textureClass: 1 },
      lynx: { textureClass: 0 },
    });
    expect(finding(shapeReport(tableOf(said)), 'shape-bias')).toMatchObject({ value: 1 / 2, n: 2, of: 2 });
  });

  it('attacks: what stands after all of them', () => {
    const attacked = withExtra(rows('attack', { tom: 1, kit: 0, lynx: 0, rex: 1 }, 8), {
      tom: { brokenBy: null },
      kit: { brokenBy: 'square', queries: 40 },
      lynx: { brokenBy: 'clean' },
      rex: { brokenBy: null },
    });
    const attacks = [
      { id: 'apgd-ce', needsGradient: true },
      { id: 'square', needsGradient: false },
    ];
    const report = attackReport(tableOf(attacked), { variant: 'attack', attacks, radii: [8] });
    expect(finding(report, 'adversarial-accuracy')).toMatchObject({ value: 1 / 2, n: 4, isBound: false });
    expect(report.lines.map(({ value }) => value)).toEqual([3 / 4, 1 / 2]);
    expect(finding(report, 'attack-success')).toMatchObject({ value: 1 / 3, n: 3, of: 4 });
    expect(finding(report, 'attack-queries')).toMatchObject({ value: 40, n: 1 });
    expect(report.notes.some((note) => note.includes('The gradients are unreliable'))).toBe(true);
    expect(report.notes.some((note) => note.includes('1 of 4 attacked images'))).toBe(true);
  });

  it('FMR: by all clean images, by the same images, and what the oracle is worth', () => {
    const chain = (isValidated: number, isOracleRight: number, steps: number) => ({
      isValidated,
      isOracleRight,
      steps,
    });
    const driven = withExtra(rows('fmr.search', { tom: 1, kit: 0, lynx: 0, rex: 1 }), {
      tom: chain(1, 1, 10),
      kit: chain(1, 1, 4),
      lynx: chain(0, 0, 0),
      rex: chain(1, 1, 1),
    });
    const report = fmrReport(tableOf(driven), 'fmr.search', 0);
    expect(finding(report, 'fmr').value).toBeCloseTo(2 / 3 / (3 / 4));
    expect(finding(report, 'fmr-matched')).toMatchObject({ n: 3, of: 4 });
    expect(finding(report, 'fmr-matched').value).toBeCloseTo(2 / 3);
    expect(finding(report, 'fmr-validation-rate')).toMatchObject({ value: 3 / 4, n: 4 });
    expect(finding(report, 'fmr-oracle-agreement')).toMatchObject({ value: 3 / 4, n: 4 });
    expect(finding(report, 'fmr-steps')).toMatchObject({ value: 5, n: 3 });
    expect(report.notes).toEqual([]);
    const lost = fmrReport(
      tableOf(
        withExtra(rows('fmr.search', { tom: 0, kit: 0, lynx: 0, rex: 0 }), {
          tom: chain(1, 1, 10),
          kit: chain(1, 1, 4),
        }),
      ),
      'fmr.search',
      0,
    );
    expect(finding(lost, 'fmr')).toMatchObject({ value: 0, low: 0, high: 0 });
    expect(lost.notes.join(' ')).toContain('none of the 2 validated images right');
    // Nothing changed: by the same images nothing is lost, whatever the oracle recognised.
    const unchanged = withExtra(rows('fmr.identity', { tom: 1, kit: 1, lynx: 0, rex: 1 }), {
      tom: chain(1, 1, 1),
      lynx: chain(1, 1, 1),
    });
    const control = fmrReport(tableOf(unchanged), 'fmr.identity', 0);
    expect(finding(control, 'fmr-matched').value).toBe(1);
    expect(finding(control, 'fmr').value).not.toBe(1);
  });

  it('saliency: means, and how the maps were made', () => {
    const looked = withExtra(rows('saliency', { tom: 1, kit: 1, lynx: null, rex: 1 }), {
      tom: { iou: 0.2, by: 'head', isEmpty: 0 },
      kit: { iou: 0.4, by: 'head', isEmpty: 0 },
      rex: { iou: 0.6, by: 'occlusion', isEmpty: 1 },
    });
    const report = saliencyReport(tableOf(looked), 0);
    expect(finding(report, 'saliency-iou').value).toBeCloseTo(0.4);
    expect(finding(report, 'saliency-iou')).toMatchObject({ n: 3, of: 4 });
    expect(report.notes).toEqual([
      'Saliency method for 2 images: CAM from the weights of the last layer.',
      'Saliency method for 1 image: occlusion by tile.',
      '1 image has an all-zero saliency map and counts as 0.',
    ]);
  });
});

describe('the bootstrap', () => {
  it('draws what it would draw if all draws were made at once', () => {
    const values = Array.from({ length: 17 }, (_, i) => (i * 7) % 5);
    const mean = (times: ArrayLike<number>) =>
      values.reduce((sum, value, i) => sum + value * (times[i] as number), 0) / values.length;
    const rng = createRng('tessera|3|bootstrap|17');
    const all = Array.from({ length: 1000 }, () => {
      const times = new Uint32Array(17);
      for (let i = 0; i < 17; i++) {
        const at = rng.below(17);
        times[at] = (times[at] ?? 0) + 1;
      }
      return times;
    });
    const sorted = all.map(mean).sort((x, y) => x - y);
    const at = (share: number) => {
      const place = share * 999;
      const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
      return low + (place - Math.floor(place)) * (high - low);
    };
    const { low, high } = bootstrap(17, mean, { seed: 3 });
    expect(low).toBeCloseTo(at(0.025), 12);
    expect(high).toBeCloseTo(at(0.975), 12);
  });
});

describe('a leaderboard', () => {
  const view = (id: string, modelId: string, accuracy: number, more: Partial<EvaluationView> = {}) =>
    ({
      id,
      modelId,
      suite: 'all',
      state: 'done',
      version: 1,
      versionHash: 'v',
      options: { preset: 'quick', seed: 0, split: 'test', images: 500, oracle: [] },
      metrics: { sources: 'same', findings: [{ id: 'clean-accuracy', value: accuracy }] },
      ...more,
    }) as unknown as EvaluationView;

  it('holds the newest of each model on the very same images, the best first', () => {
    const fewer = view('4', 'narrow', 1);
    const boards = groupIntoBoards([
      view('5', 'strong', 0.9),
      { ...fewer, metrics: { ...(fewer.metrics as NonNullable<typeof fewer.metrics>), sources: 'fewer' } },
      view('3', 'weak', 0.5),
      view('2', 'strong', 0.1),
      view('1', 'late', 0.7, { state: 'failed', metrics: null }),
    ]);
    expect(boards.map(({ entries }) => entries.map(({ id }) => id))).toEqual([['5', '3'], ['4']]);
  });

  it('does not mind the order in which judges were named', () => {
    const judged = (id: string, modelId: string, oracle: string[]) => {
      const plain = view(id, modelId, 0.5);
      return { ...plain, options: { ...plain.options, oracle } };
    };
    const boards = groupIntoBoards([
      judged('3', 'a', ['x', 'y']),
      judged('2', 'b', ['y', 'x']),
      judged('1', 'c', ['x']),
    ]);
    expect(boards.map(({ entries }) => entries.length)).toEqual([2, 1]);
  });

  it('draws clean against robust accuracy of models that have both, and ranks by FMR what an oracle judged', () => {
    const judged = (id: string, accuracy: number | null, found: Record<string, number | null>) => {
      const findings = { 'clean-accuracy': accuracy, ...found };
      const metrics = { findings: Object.entries(findings).map(([name, value]) => ({ id: name, value })) };
      return view(id, id, 0, {
        model: `model ${id}`,
        metrics: metrics as unknown as EvaluationView['metrics'],
      });
    };
    const entries = [
      judged('a', 0.9, { 'adversarial-accuracy': 0.2, 'corruption-accuracy': 0.6, fmr: 0.4 }),
      judged('b', 0.8, { 'adversarial-accuracy': 0.5, fmr: null }),
      judged('c', null, { 'adversarial-accuracy': 0.7, fmr: 0.9 }),
      judged('d', 0.7, { 'corruption-accuracy': null }),
    ];
    expect(listTradeOffs({ entries })).toEqual([
      {
        name: 'attacked',
        points: [
          { id: 'a', model: 'model a', x: 0.9, y: 0.2 },
          { id: 'b', model: 'model b', x: 0.8, y: 0.5 },
        ],
      },
      { name: 'corrupted', points: [{ id: 'a', model: 'model a', x: 0.9, y: 0.6 }] },
    ]);
    expect(listTradeOffs({ entries: entries.slice(0, 1) })).toEqual([]);
    expect(sortByFmr({ entries }).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  });
});
