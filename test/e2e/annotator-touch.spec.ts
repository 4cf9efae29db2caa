import { expect, type Page, test } from '@playwright/test';
import { Annotator, type Point } from './support/annotator';
import { signIn } from './support/people';

test.use({ hasTouch: true, viewport: { width: 1180, height: 820 } });

test('a finger draws, and two fingers zoom without drawing', async ({ page }) => {
  await signIn(page, 'worker2');
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 1);
  const drawn = await annotator.shapes();
  await annotator.tool('Brush');
  await touch(page, [
    [await annotator.onScreen([60, 60])],
    [await annotator.onScreen([100, 90])],
    [await annotator.onScreen([140, 80])],
  ]);
  await annotator.hasShapes(drawn + 1);
  const { zoom } = await annotator.view();
  const [x, y] = await annotator.onScreen([120, 120]);
  await touch(page, [
    [
      [x - 40, y],
      [x + 40, y],
    ],
    [
      [x - 90, y],
      [x + 90, y],
    ],
    [
      [x - 120, y],
      [x + 120, y],
    ],
  ]);
  await expect.poll(async () => (await annotator.view()).zoom).toBeGreaterThan(2 * zoom);
  await annotator.hasShapes(drawn + 1);
  await annotator.isStored();
});

/** Fingers from frame to frame, by the browser's own protocol: Playwright itself only taps. */
async function touch(page: Page, frames: readonly (readonly Point[])[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const [i, fingers] of frames.entries()) {
    const touchPoints = fingers.map(([x, y], id) => ({ x, y, id }));
    await session.send('Input.dispatchTouchEvent', {
      type: i === 0 ? 'touchStart' : 'touchMove',
      touchPoints,
    });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}
