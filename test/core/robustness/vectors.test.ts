import { describe, expect, it } from 'vitest';
import { wilson } from '@/lib/core/quality/interval';
import { squareSide } from '@/lib/core/robustness/attacks/square';
import { crossEntropy, dlr, margin, targetedDlr } from '@/lib/core/robustness/logits';
import {
  corruptionError,
  instanceRfs,
  meanCorruptionError,
  meanOfRfs,
  readMixed,
  relativeCorruptionError,
  rfs,
  rfsOfMeans,
  shapeBias,
} from '@/lib/core/robustness/metrics/benchmark-scores';
import { overSeeds, weightedMean } from '@/lib/core/robustness/metrics/estimates';
import { countFmr, fmrOf } from '@/lib/core/robustness/metrics/fmr';
import { areaUnderCurve, bestNode, nodeIou, selectStrongest } from '@/lib/core/robustness/metrics/nodes';
import { invertRegion, type Picture, type Region } from '@/lib/core/robustness/picture';
import { composite, fillRegion } from '@/lib/core/robustness/pixels/compositing';
import { resizeBilinear } from '@/lib/core/robustness/pixels/resample';
import { createRng } from '@/lib/core/robustness/random';
import { alignment } from '@/lib/core/robustness/saliency/alignment';
import { classMap, nodeMap, resizeMap } from '@/lib/core/robustness/saliency/maps';
import {
  addNoise,
  addNoiseOfLength,
  LENGTHS,
  l2Distance,
  scaledLength,
} from '@/lib/core/robustness/variants/noise';
import vectors from '@/test/fixtures/evaluation-vectors.json' with { type: 'json' };

/** Vectors have one channel; the same in all three, and lengths are those of one. */
const picture = (values: readonly number[]): Picture => ({
  width: values.length,
  height: 1,
  data: Float32Array.from([...values, ...values, ...values]),
});
const plane = ({ data, width, height }: Picture) => Array.from(data.subarray(0, width * height));
const region = (values: readonly number[]): Region => Uint8Array.from(values);
const close = (found: readonly (number | null)[], wanted: readonly (number | null)[], digits = 6) => {
  expect(found.length).toBe(wanted.length);
  found.forEach((value, i) => {
    const want = wanted[i] ?? null;
    if (want === null || value === null) expect(value).toBe(want);
    else expect(value).toBeCloseTo(want, digits);
  });
};

describe('the vectors of the evaluation', () => {
  it('streams of chance', () => {
    const { key, u32, normals } = vectors.rng;
    const whole = createRng(key);
    expect(u32.map(() => whole.next())).toEqual(u32);
    const normal = createRng(key);
    close(
      normals.map(() => normal.normal()),
      normals,
      12,
    );
  });

  it('intervals', () => {
    for (const [right, n, low, high] of vectors.wilson95 as [number, number, number, number][]) {
      const found = wilson(right, n);
      close([found?.low ?? null, found?.high ?? null], [low, high], 9);
    }
    const found = overSeeds(vectors.seedCI.x);
    close([found?.mean ?? null, found?.half ?? null], [vectors.seedCI.mean, vectors.seedCI.half], 6);
    const { w, ok, acc, nEff } = vectors.weighted;
    const weighted = weightedMean(ok, w);
    close([weighted?.mean ?? null, weighted?.effective ?? null], [acc, nEff], 9);
  });

  it('relative foreground sensitivity', () => {
    for (const [foreground, background, wanted] of vectors.rfs as [number, number, number | null][])
      close([rfs(foreground, background)], [wanted], 9);
    const levels = vectors.rfsLevels.levels.map(([foreground = 0, background = 0]) => ({
      foreground,
      background,
    }));
    close(
      [meanOfRfs(levels), rfsOfMeans(levels)],
      [vectors.rfsLevels.meanOfRfs, vectors.rfsLevels.rfsOfMeans],
      9,
    );
    const { pfg, pbg, irfs } = vectors.irfsTrials;
    close([instanceRfs(pfg, pbg)], [irfs], 9);
  });

  it('noise, graying and what a model makes of them', () => {
    const { x, m, n, linf, l2, grayBg, grayAttr, toy } = vectors.noise;
    const [given, object] = [picture(x), region(m)];
    const background = invertRegion(object);
    const noise = Float64Array.from([...n, ...n, ...n]);
    close(plane(addNoise(given, object, noise, linf.sigma)), linf.fg);
    close(plane(addNoise(given, background, noise, linf.sigma)), linf.bg);
    // Three equal channels are √3 as long as one.
    const length = l2.eps * Math.sqrt(3);
    const long = [object, background].map((each) => addNoiseOfLength(given, each, noise, length));
    close(plane(long[0] as Picture), l2.fg);
    close(plane(long[1] as Picture), l2.bg);
    close(
      long.map((each) => l2Distance(each, given) / Math.sqrt(3)),
      l2.realised,
    );
    close(plane(fillRegion(given, background)), grayBg);
    close(plane(fillRegion(given, object)), grayAttr);
    const sees = (each: Picture) =>
      1 / (1 + Math.exp(-plane(each).reduce((sum, value, i) => sum + value * (toy.w[i] as number), 0)));
    const [fg, bg] = [object, background].map((each) => sees(addNoise(given, each, noise, toy.sigma)));
    close([instanceRfs([fg as number], [bg as number])], [-0.032837], 5);
    close(
      LENGTHS.map((each) => scaledLength(each, 64, 64)),
      [7.143, 14.286, 21.429, 28.571, 35.714, 42.857, 50, 57.143],
      3,
    );
  });

  it('saliency on the object', () => {
    const ties = {
      s: [0.5, 0.5, 0.5, 0.5, 0, 0],
      iou: 0.4,
      delta: 0,
      ap: 0.5,
      precision: 0.5,
      recall: 2 / 3,
    };
    const given: (Partial<typeof ties> & {
      m: number[];
      s: number[];
      dice?: number;
      iouAsPrinted?: number;
    })[] = vectors.saliency;
    const names = {
      iou: 'iou',
      iouAsPrinted: 'iouAsPrinted',
      dice: 'dice',
      delta: 'delta',
      ap: 'averagePrecision',
      precision: 'precision',
      recall: 'recall',
    } as const;
    for (const wanted of [...given, { ...ties, m: given[0]?.m ?? [] }]) {
      const found = alignment(wanted.s, wanted.m);
      for (const [theirs, ours] of Object.entries(names)) {
        const value = (wanted as Record<string, unknown>)[theirs];
        if (typeof value === 'number') close([found[ours]], [value], 9);
      }
    }
  });

  it('class maps', () => {
    const { in: small, out } = vectors.bilinear2to4;
    close(Array.from(resizeBilinear(small.flat(), 2, 2, 4, 4)), out.flat());
    const { A, W, maps } = vectors.cam;
    const features = { channels: 2, width: 2, height: 2, data: A.flat(2) };
    maps.forEach((map, c) => {
      close(Array.from(classMap(features, W[c] as number[])), map.flat(), 6);
    });
    // Enlarged to the same size, nothing changes.
    const [first] = maps.map((_, c) => classMap(features, W[c] as number[])) as [Float32Array];
    close(Array.from(resizeMap(first, { width: 2, height: 2 }, 2, 2)), Array.from(first), 6);
  });

  it('nodes and attributes', () => {
    const { maps, k, S } = vectors.node;
    const ids = ['a', 'b', 'c'] as const;
    const featuresOf = (id: (typeof ids)[number]) => ({
      channels: 2,
      width: 2,
      height: 2,
      data: maps[id].flat(2),
    });
    const images = ids.map((id) => ({
      id,
      activations: [0, 1].map((node) => nodeMap(featuresOf(id), node).reduce((a, b) => a + b, 0) / 4),
    }));
    const scoreOf = (node: number, attribute: 'ears' | 'tail') => {
      const top = selectStrongest(images, node, k).map(({ id }) => id as (typeof ids)[number]);
      const ious = top.map((id) =>
        nodeIou(nodeMap(featuresOf(id), node), vectors.node[attribute][id].flat()),
      );
      return { top, score: ious.reduce((a, b) => a + b, 0) / k };
    };
    for (const node of [0, 1] as const) {
      const wanted = S[`${node}`];
      expect(scoreOf(node, 'ears').top).toEqual(wanted.top);
      close([scoreOf(node, 'ears').score, scoreOf(node, 'tail').score], [wanted.ears, wanted.tail], 9);
    }
    expect(bestNode([0, 1].map((node) => scoreOf(node, 'ears').score))).toBe(0);
    expect(bestNode([0, 1].map((node) => scoreOf(node, 'tail').score))).toBe(1);
    close([areaUnderCurve(vectors.auc.pos, vectors.auc.neg)], [vectors.auc.auc], 9);
  });

  it('FMR: the integers of Table 13 give its printed totals', () => {
    const { n, classes, cleanCorrect, validated, perturbedCorrect, SA, VR, PA, FMR } = vectors.fmrTable13;
    const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
    const found = fmrOf({
      images: n * classes.length,
      cleanCorrect: sum(cleanCorrect),
      validated: sum(validated),
      perturbedCorrect: sum(perturbedCorrect),
    });
    const percent = (value: number | null) => Number(((value ?? 0) * 100).toFixed(2));
    expect([found.sa, found.vr, found.pa, found.fmr].map(percent)).toEqual([SA, VR, PA, FMR]);
    const toy = vectors.fmrToy;
    const rows = (toy.rows as [string, string, boolean, string | null][]).map(
      ([truth, clean, isValidated, perturbed]) => ({ truth, clean, isValidated, perturbed }),
    );
    const small = fmrOf(countFmr(rows));
    close(
      [small.sa, small.vr, small.pa, small.fmr, small.fmrMatched],
      [toy.SA, toy.VR, toy.PA, toy.FMR, toy.FMRmatched],
      9,
    );
  });

  it('losses of attacks and squares', () => {
    const { z, y0, y1, targeted_y0_t1, ce_y0 } = vectors.dlr;
    close(
      [dlr(z, 0), dlr(z, 1), targetedDlr(z, 0, 1), crossEntropy(z, 0)],
      [y0, y1, targeted_y0_t1, ce_y0],
      9,
    );
    expect(margin(z, 0)).toBe(1);
    for (const [side, queries] of Object.entries(vectors.squareSide))
      for (const [query = 0, wanted] of queries) expect(squareSide(query, +side, +side)).toBe(wanted);
  });

  it('corruption errors', () => {
    const { ref, err, ce, mce, clean, refClean, relative } = vectors.mce;
    // A reference that errs the same at every severity.
    const all = err.map((errors, i) => ({ errors, reference: errors.map(() => ref[i] as number) }));
    close(all.map(corruptionError), ce, 9);
    close([meanCorruptionError(all)], [mce], 9);
    close(
      all.map((each) => relativeCorruptionError(each, clean, refClean)),
      relative,
      9,
    );
  });

  it('mixed backgrounds, swapped attributes, cues in conflict', () => {
    const { fg, bg, m, out, rows, acc, bgFollow } = vectors.mix;
    close(plane(composite(picture(fg), picture(bg), region(m))), out);
    const mixed = readMixed(
      (rows as [string, string, string][]).map(([object, background, predicted]) => ({
        object,
        background,
        predicted,
      })),
    );
    close([mixed.accuracy, mixed.follows], [acc, bgFollow], 9);
    const { pos, neg, m: part, insert, remove } = vectors.swap;
    close(plane(composite(picture(pos), picture(neg), region(part))), insert);
    close(plane(composite(picture(neg), picture(pos), region(part))), remove);
    const bias = shapeBias(
      (vectors.shapeBias.rows as [string, string, string][]).map(([shape, texture, decision]) => ({
        shape,
        texture,
        decision,
      })),
    );
    expect(bias.conflicts).toBe(vectors.shapeBias.n);
    close([bias.bias, bias.cueAccuracy], [vectors.shapeBias.bias, vectors.shapeBias.cueAccuracy], 9);
  });
});
