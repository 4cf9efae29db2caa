import { Annotator } from './support/annotator';
import { Hand } from './support/fingers';
import { signIn } from './support/people';
import { expect, test } from './support/story';

test.use({ hasTouch: true, viewport: { width: 1180, height: 820 } });

test.beforeEach(({ page }) => signIn(page, 'worker2'));

test('a finger draws, and two fingers zoom without drawing', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 1);
  const hand = await Hand.on(page);
  const drawn = await annotator.shapes();
  await annotator.tool('Brush');
  await hand.touch([
    [await annotator.onScreen([60, 60])],
    [await annotator.onScreen([100, 90])],
    [await annotator.onScreen([140, 80])],
  ]);
  await annotator.hasShapes(drawn + 1);
  const { zoom } = await annotator.view();
  const [x, y] = await annotator.onScreen([120, 120]);
  await hand.touch(
    [40, 90, 120].map((reach) => [
      [x - reach, y],
      [x + reach, y],
    ]),
  );
  await expect.poll(async () => (await annotator.view()).zoom).toBeGreaterThan(2 * zoom);
  await annotator.hasShapes(drawn + 1);
  await annotator.isStored();
});

test('a pen draws while the palm rests, and two fingers move the picture under it', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 2);
  const hand = await Hand.on(page);
  await annotator.tool('Brush');
  const palm = await annotator.onScreen([180, 200]);
  const [start, middle, end] = [
    await annotator.onScreen([60, 60]),
    await annotator.onScreen([90, 80]),
    await annotator.onScreen([120, 70]),
  ];
  // The palm comes down first, then the pen; it slides while the pen draws.
  await hand.fingers('touchStart', [palm]);
  await hand.pen('mousePressed', start);
  await hand.fingers('touchMove', [[palm[0] + 12, palm[1] + 6]]);
  await hand.pen('mouseMoved', middle);
  await hand.pen('mouseMoved', end);
  await hand.pen('mouseReleased', end);
  await hand.fingers('touchEnd', []);
  await annotator.hasShapes(1);
  await annotator.isStored();
  const exact = await Promise.all([start, middle, end].map((place) => annotator.inImage(place)));
  expect(await annotator.draft()).toMatchObject([{ kind: 'stroke', op: 'add', points: exact.flat() }]);

  const before = await annotator.view();
  await hand.touch([[palm], [[palm[0] - 30, palm[1] - 20]]]);
  await annotator.hasShapes(1);
  await hand.touch(
    [0, 40, 80].map((shift) => [
      [start[0] + shift, start[1] + shift / 2],
      [end[0] + shift, end[1] + shift / 2],
    ]),
  );
  await expect.poll(async () => Math.round((await annotator.view()).panX - before.panX)).toBe(80);
  const after = await annotator.view();
  expect(after.zoom).toBeCloseTo(before.zoom, 5);
  expect(after.panY - before.panY).toBeCloseTo(40, 5);
  await annotator.hasShapes(1);
});
