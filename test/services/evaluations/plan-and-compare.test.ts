import { and, eq, isNotNull } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { imageMeasures } from '@/lib/core/robustness/report/paired-differences';
import {
  compareEvaluations,
  DisagreementQuery,
  listDisagreements,
  loadNoisePoints,
} from '@/lib/services/evaluations/compare-evaluations';
import { planText } from '@/lib/services/evaluations/evaluation-request';
import { GalleryQuery, loadGallery, scoreNames } from '@/lib/services/evaluations/gallery';
import { groupIntoBoards, whyNotComparable } from '@/lib/services/evaluations/leaderboard';
import { listEvaluations } from '@/lib/services/evaluations/list-evaluations';
import { planEvaluation } from '@/lib/services/evaluations/plan-evaluation';
import { readVariantResult, renderPicture } from '@/lib/services/evaluations/variant-pictures';
import { storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { brightParts } from '../training/loop-model';
import { studio } from './projects';

useHome();
const db = useDatabase();

const context = () => ({ db: db(), storage: storage(), signal: new AbortController().signal });

describe('a researcher who thinks about an evaluation', () => {
  it('is told its cost first, then pays it, then is told that all is known', async () => {
    const { projectId, addModel, asked, evaluate } = await studio(db(), 'planned');
    const model = await addModel('Bright');
    const plan = () => planEvaluation(context(), { projectId, evaluation: asked({ model, suite: 'noise' }) });
    const before = await plan();
    expect(before.known).toBe(0);
    expect(before.speed?.from).toBe('calibration');
    expect(before.seconds).toBeGreaterThan(0);
    expect(before.suites.map(({ id }) => id)).toEqual(['clean', 'noise']);
    expect(before.runs).toBe(before.suites.reduce((sum, { runs }) => sum + runs, 0));
    const { metrics } = await evaluate({ model, suite: 'noise' });
    // What has no mask is not asked: never more than was said, and the clean pictures in any case.
    expect(metrics?.runs).toBeGreaterThanOrEqual(before.images);
    expect(metrics?.runs).toBeLessThanOrEqual(before.runs);
    const after = await plan();
    expect(after).toMatchObject({ runs: before.runs, known: before.runs, seconds: 0, isKnownAtMost: false });
    expect(planText(after)).toMatch(/of them known: no time/);
    // Another suite shares the clean pictures and nothing else.
    const other = await planEvaluation(context(), {
      projectId,
      evaluation: asked({ model, suite: 'backgrounds' }),
    });
    expect(other.known).toBe(other.images);
  });

  it('is told which images lack an outline, and what the model does not offer', async () => {
    const { projectId, addModel, asked, freeze } = await studio(db(), 'lacking');
    const model = await addModel('Bright');
    await db()
      .update(tables.labels)
      .set({ isCurrent: false })
      .where(and(eq(tables.labels.projectId, projectId), isNotNull(tables.labels.mask)));
    await freeze();
    const evaluation = asked({ model, suite: 'all', split: 'all' });
    const plan = await planEvaluation(context(), { projectId, evaluation });
    const missing = plan.skipped.find(({ reason }) => reason === 'mask-missing');
    expect(missing?.images).toBe(plan.images);
    expect(missing?.suites).toEqual(expect.arrayContaining(['Noise and graying', 'Backgrounds']));
    expect(plan.offers.find(({ offer }) => offer === 'gradient')).toMatchObject({ isThere: false });
    expect(plan.left.map(({ suite }) => suite)).toContain('Oracle-validated robustness (FMR)');
    await expect(
      planEvaluation(context(), { projectId, evaluation: { ...evaluation, model: newId() } }),
    ).rejects.toThrow(/no such model/);
    await expect(
      planEvaluation(context(), { projectId, evaluation: { ...evaluation, oracle: [model] } }),
    ).rejects.toThrow(/is the evaluated model/);
  });
});

describe('a researcher who compares two models', () => {
  it('gets from the images the numbers of the report, and paired differences of each', async () => {
    const { projectId, addModel, evaluate } = await studio(db(), 'compared');
    const [bright, dark, judge] = [
      await addModel('Bright'),
      await addModel('Dark', brightParts(1)),
      await addModel('Judge', brightParts('n')),
    ];
    const settings = { images: 5, oracle: [judge] };
    const first = await evaluate({ model: bright, ...settings });
    const second = await evaluate({ model: dark, ...settings });
    const rows = await db()
      .select()
      .from(tables.evaluationImages)
      .where(eq(tables.evaluationImages.evaluationId, first.id));
    const names = await scoreNames(db(), first.id);
    const findings = new Map(first.metrics?.findings.map((finding) => [finding.id, finding.value]));
    const measured = imageMeasures(names).filter(({ id }) => findings.get(id) != null);
    expect(measured.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        ...['clean-accuracy', 'gray-background', 'corruption-accuracy', 'background-gap'],
        ...['adversarial-accuracy', 'fmr', 'saliency-iou'],
      ]),
    );
    for (const { id, holds, over } of measured) {
      const own = rows.filter(holds);
      const value = over(own)(own.map(() => 1));
      expect([id, value?.toFixed(9)]).toEqual([id, findings.get(id)?.toFixed(9)]);
    }
    const { differences, agreement, common, used } = await compareEvaluations(db(), { a: first, b: second });
    expect([common, used]).toEqual([rows.length, rows.length]);
    for (const { first: a, second: b, difference } of differences) expect(difference).toBeCloseTo(b - a, 12);
    // Saliency of tiles and of class maps are different numbers.
    const { metrics } = second;
    if (!metrics) throw new Error('The evaluation found nothing.');
    const offers = { ...metrics.offers, looking: 'sensitivity' as const };
    const tiled = { ...second, metrics: { ...metrics, offers } };
    const told = (await compareEvaluations(db(), { a: first, b: tiled })).differences;
    const isOfMaps = ({ id }: { id: string }) => id.startsWith('saliency-');
    expect(differences.filter(isOfMaps)).not.toEqual([]);
    expect(told).toEqual(differences.filter((each) => !isOfMaps(each)));
    const { bothRight, onlyFirst, onlySecond, bothWrong } = agreement;
    expect(bothRight + onlyFirst + onlySecond + bothWrong).toBe(rows.length);
    for (const [right, count] of Object.entries({
      first: onlyFirst,
      second: onlySecond,
      neither: bothWrong,
      both: bothRight,
    })) {
      const query = DisagreementQuery.parse({ right });
      expect((await listDisagreements(db(), { a: first.id, b: second.id, ...query })).total).toBe(count);
    }
    expect((await loadNoisePoints(db(), [first.id, second.id])).size).toBe(2);
    const [board] = groupIntoBoards(await listEvaluations(db(), { projectId }));
    expect(board?.entries.map(({ model }) => model).toSorted()).toEqual(['Bright', 'Dark']);
  });

  it('is refused what is not comparable, with the reason', async () => {
    const { addModel, evaluate } = await studio(db(), 'incomparable');
    const model = await addModel('Bright');
    const first = await evaluate({ model, suite: 'saliency' });
    const second = await evaluate({ model, suite: 'saliency', seed: 7, split: 'all' });
    expect(whyNotComparable(first, first)).toEqual(['It is the same evaluation twice.']);
    expect(whyNotComparable(first, second).slice(0, 2)).toEqual([
      'Different seed: 0 and 7.',
      'Different split: train and all.',
    ]);
    expect(whyNotComparable(first, { ...second, state: 'running', metrics: null })).toEqual([
      'The evaluation of Bright is running.',
    ]);
    const judged = (oracle: string) => ({
      ...first,
      id: newId(),
      options: { ...first.options, oracle: [oracle] },
    });
    const names = new Map([['one', 'First judge']]);
    expect(whyNotComparable(judged('one'), judged('two'), names)).toEqual([
      'Different oracle or generator: search, First judge and search, two.',
    ]);
    expect(whyNotComparable(first, { ...first, id: newId() })).toEqual([]);
  });

  it('old and new rows are not mixed in one leaderboard after a corruption was added', async () => {
    const { addModel, evaluate } = await studio(db(), 'variants-changed');
    const current = await evaluate({ model: await addModel('Bright'), suite: 'saliency' });
    const { metrics } = current;
    if (!metrics) throw new Error('The evaluation has no metrics.');
    expect(metrics.plan).toMatch(/^[0-9a-f]{64}$/);
    const withPlan = (plan: string | undefined, model: string) => ({
      ...current,
      id: newId(),
      modelId: newId(),
      model,
      metrics: { ...metrics, plan },
    });
    const alike = withPlan(metrics.plan, 'Same variants');
    const earlier = withPlan('0'.repeat(64), 'Earlier variants');
    const [unhashed, other] = [withPlan(undefined, 'No hash'), withPlan(undefined, 'No hash either')];
    const boards = groupIntoBoards([current, alike, earlier, unhashed, other]);
    expect(boards.map(({ plan, entries }) => [plan, entries.map(({ model }) => model).toSorted()])).toEqual([
      [metrics.plan, ['Bright', 'Same variants']],
      ['0'.repeat(64), ['Earlier variants']],
      [null, ['No hash', 'No hash either']],
    ]);
    expect(whyNotComparable(current, unhashed)).toEqual([
      `Different variants or suite version: ${metrics.plan?.slice(0, 8)} and not recorded.`,
    ]);
  });
});

describe('the gallery of an evaluation', () => {
  it('shows the images of a cell, of a group and of a span of a score', async () => {
    const { addModel, evaluate } = await studio(db(), 'filtered');
    const { id, metrics } = await evaluate({ model: await addModel('Bright'), suite: 'noise' });
    const count = async (query: Record<string, unknown>) =>
      (await loadGallery(db(), id, GalleryQuery.parse(query))).total;
    const asked = { variant: 'noise.object.linf' };
    const all = await count(asked);
    expect(all).toBeGreaterThan(0);
    expect((await count({ ...asked, right: 'yes' })) + (await count({ ...asked, right: 'no' }))).toBe(all);
    const cells = metrics?.plots.find((plot) => plot.id === 'noise-curves');
    if (cells?.kind !== 'lines') throw new Error('There is no curve.');
    for (const { y, filter } of cells.series[0]?.points ?? []) {
      const level = { variant: filter?.variant, level: filter?.level };
      expect(await count(level)).toBe(all);
      // Nobody is wrong where the accuracy is 1, and somebody where it is not.
      expect((await count({ ...level, right: 'no' })) === 0).toBe(y === 1);
    }
    for (const line of metrics?.lines ?? [])
      if (line.filter.group)
        expect([line.name, await count({ group: line.filter.group })]).toEqual([line.name, line.n]);
    const spans = [-1, 0].map((from) => ({ score: 'irfs', from, ...(from < 0 ? { to: 0 } : {}) }));
    const [low = 0, high = 0] = await Promise.all(spans.map(count));
    const known = (await loadGallery(db(), id, GalleryQuery.parse({}))).items.filter(
      ({ scores }) => typeof scores.irfs === 'number',
    );
    expect(low + high).toBe(known.length);
  });

  it('makes the pictures of a variant again, and says what the model said to them', async () => {
    const { projectId, addModel, evaluate } = await studio(db(), 'pictured');
    const { id: evaluationId } = await evaluate({ model: await addModel('Bright'), suite: 'noise' });
    const gallery = await loadGallery(
      db(),
      evaluationId,
      GalleryQuery.parse({ variant: 'noise.object.linf' }),
    );
    const [image] = gallery.items;
    if (!image) throw new Error('There is no image.');
    const asked = { projectId, evaluationId, imageId: image.imageId };
    const seen = await readVariantResult(context(), { ...asked, variant: 'noise.object.linf' });
    expect(seen.refusal).toBeNull();
    expect(seen.cells.every(({ predicted, reason }) => predicted !== null && reason === null)).toBe(true);
    const rawOf = async (variant: string, at = 0) =>
      sharp(await renderPicture(context(), { ...asked, kind: 'picture', variant, at }))
        .raw()
        .toBuffer({ resolveWithObject: true });
    const plain = await rawOf('identity');
    expect(plain.info).toMatchObject({ width: 32, height: 32, channels: 3 });
    const [weak, strong] = seen.cells.slice(-2);
    const changed = async (at = 0) => {
      const { data } = await rawOf('noise.object.linf', at);
      return data.reduce((sum, value, i) => sum + Math.abs(value - (plain.data[i] as number)), 0);
    };
    expect(await changed(weak?.at)).toBeGreaterThan(0);
    expect(await changed(strong?.at)).toBeGreaterThan(await changed(weak?.at));
    for (const kind of ['object', 'saliency'] as const) {
      const png = await renderPicture(context(), { ...asked, kind, variant: 'identity', at: 0 });
      expect((await sharp(png).metadata()).channels).toBe(4);
    }
    const elsewhere = { ...asked, projectId: newId() };
    await expect(readVariantResult(context(), { ...elsewhere, variant: 'identity' })).rejects.toThrow(
      /no such/,
    );
    await expect(readVariantResult(context(), { ...asked, variant: 'nonsense' })).rejects.toThrow(
      /no such variant/,
    );
  });
});
