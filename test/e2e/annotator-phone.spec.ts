import { ringArea } from '@/lib/core/geometry';
import {
  area,
  boundingBox,
  decodeCounts,
  iou,
  type Mask,
  rasterizeShapes,
  simplifiedRegions,
} from '@/lib/core/mask';
import { Annotator, type Point } from './support/annotator';
import { Hand } from './support/fingers';
import { partsProject, subjectOf } from './support/parts-project';
import { fromHere, signIn } from './support/people';
import { storedAnswer } from './support/stored-mask';
import { expect, test } from './support/story';

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

/** The border of the largest piece of a mask. */
function ringOf(mask: Mask): number[] {
  const areaOf = ({ outer }: { outer: readonly number[] }) => ringArea(outer);
  const [largest] = simplifiedRegions(mask, 0.002).toSorted((a, b) => areaOf(b) - areaOf(a));
  return [...(largest?.outer ?? [])];
}

/** How much of a mask its largest piece is. */
function wholeness(mask: Mask): number {
  const outer = ringOf(mask);
  if (outer.length < 6) return 0;
  return iou(
    rasterizeShapes([{ kind: 'polygon', op: 'add', outer, holes: [] }], mask.height, mask.width),
    mask,
  );
}

/** A ring in even steps of a few pixels, as a finger goes along it. */
function stepsAlong(ring: readonly number[]): Point[] {
  const points = Array.from(
    { length: ring.length / 2 },
    (_, i): Point => [ring[2 * i] as number, ring[2 * i + 1] as number],
  );
  return points.flatMap(([x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length] as Point;
    const steps = Math.max(1, Math.round(Math.hypot(nextX - x, nextY - y) / 4));
    return Array.from(
      { length: steps },
      (_, k): Point => [x + ((nextX - x) * k) / steps, y + ((nextY - y) * k) / steps],
    );
  });
}

test('a part is drawn with a finger on a phone and covers it by 85 percent', async ({ page }) => {
  await signIn(page, 'worker2');
  const { stageId, scenes } = await partsProject('worker2', 1);
  const taken = await page.request.post(`/api/v1/work/stages/${stageId}/batch`, { headers: fromHere() });
  const annotator = new Annotator(page);
  await page.goto(`/annotate/batch/${(await taken.json()).batch.id}?item=1`);
  await annotator.isReady();
  // The canvas has the space: the instructions are a sheet that is closed.
  await expect(page.getByRole('complementary')).toBeHidden();
  const box = await annotator.canvas.boundingBox();
  expect(box?.width).toBe(390);
  expect(box?.height).toBeGreaterThan(400);
  await page.getByRole('button', { name: 'Show the instructions' }).tap();
  await expect(page.getByRole('complementary', { name: 'Instructions and view' })).toBeVisible();
  await page.getByRole('complementary').getByRole('button', { name: 'Hide the instructions' }).tap();

  const { items } = await annotator.batch();
  const [scene] = scenes.values();
  // A part that shows in one piece.
  const [name, truth] = Object.entries(scene?.partMasks ?? {}).toSorted(
    ([, a], [, b]) => wholeness(b) - wholeness(a),
  )[0] as [string, Mask];
  const item = items.find(({ target }) => target?.id === name);
  const leaseId = item?.leaseId ?? '';
  const label = item?.target?.name ?? '';
  expect((await subjectOf(leaseId)).target).toBe(name);
  await page.getByRole('button', { name: new RegExp(`^${label}, `) }).tap();
  await annotator.tool('Polygon');
  const border = stepsAlong(ringOf(truth));

  const hand = await Hand.on(page);
  // Two fingers zoom to the part, and draw nothing.
  const [left, top, width, height] = boundingBox(truth);
  const [x, y] = await annotator.onScreen([left + width / 2, top + height / 2]);
  const before = await annotator.view();
  const factor = Math.min(3, 340 / (width * before.zoom), 400 / (height * before.zoom));
  const middle: Point = [195, 350];
  await hand.touch(
    [0, 0.5, 1].map((share) => {
      const reach = 24 * (1 + (factor - 1) * share);
      const [atX, atY] = [x + (middle[0] - x) * share, y + (middle[1] - y) * share];
      return [
        [atX - reach, atY],
        [atX + reach, atY],
      ];
    }),
  );
  await expect.poll(async () => (await annotator.view()).zoom / before.zoom).toBeCloseTo(factor, 1);
  await annotator.hasShapes(0);

  const path = [];
  for (const point of border) path.push(await annotator.onScreen(point));
  for (const [i, point] of path.entries()) await hand.fingers(i === 0 ? 'touchStart' : 'touchMove', [point]);
  await expect(page.locator('[data-magnifier]')).toBeVisible();
  await hand.fingers('touchEnd', []);
  await expect(page.locator('[data-magnifier]')).toBeHidden();
  await annotator.hasShapes(1);
  await annotator.press('Undo');
  await annotator.hasShapes(0);
  await annotator.press('Redo');
  await annotator.hasShapes(1);
  await annotator.done();
  await expect(page.getByRole('button', { name: `${label}, done` })).toBeVisible();
  await annotator.isStored();
  await annotator.submit();
  const { mask } = await storedAnswer(leaseId);
  const drawn = decodeCounts(mask ?? '', truth.height, truth.width);
  expect(area(drawn)).toBeGreaterThan(0);
  expect(iou(drawn, truth)).toBeGreaterThanOrEqual(0.85);
});

test('a form is filled in with one thumb on a phone', async ({ page }) => {
  await signIn(page, 'worker1');
  const annotator = new Annotator(page);
  await annotator.enter('Attributes');
  const groups = page.getByRole('group').filter({ has: page.getByRole('checkbox') });
  await expect(groups.first()).toBeVisible();
  const done = page.getByRole('button', { name: 'Done', exact: true });
  await expect(done).toBeEnabled();
  annotator.number = Number(/item=(\d+)/.exec(page.url())?.[1]);
  for (const [index, group] of (await groups.all()).entries()) {
    if ((await group.getByRole('checkbox', { checked: true }).count()) > 0) continue;
    const none = group.getByRole('checkbox', { name: /^none/i });
    await (index === 0 ? group.getByRole('checkbox').first() : none).tap();
    await expect(group.getByRole('checkbox', { checked: true })).toHaveCount(1);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBe(0);
  // Within reach of the thumb, and large enough for it.
  const box = await done.boundingBox();
  expect(box?.y).toBeGreaterThan(844 / 2);
  expect(box?.height).toBeGreaterThanOrEqual(44);
  await done.tap();
  await expect(annotator.tile()).toHaveAttribute('data-status', 'done');
  await annotator.submit();
  expect((await annotator.item()).answer?.kind).toBe('attributes');
});

test('a stage that needs a larger screen says so before consent, and in place of the work', async ({
  page,
}) => {
  await signIn(page, 'worker2');
  const { slug, stageId } = await partsProject('worker2', 1, { minScreenWidth: 900 });
  await page.goto(`/annotate/${slug}/consent`);
  await expect(page.getByText('needs a screen at least 900 pixels wide')).toBeVisible();
  const taken = await page.request.post(`/api/v1/work/stages/${stageId}/batch`, { headers: fromHere() });
  await page.goto(`/annotate/batch/${(await taken.json()).batch.id}`);
  await expect(page.getByText('This task needs a larger screen')).toBeVisible();
  await page.setViewportSize({ width: 1180, height: 820 });
  await new Annotator(page).isReady();
});
