import { encodeCounts, rasterizePolygons } from '@/lib/core/mask';
import { Annotator } from './support/annotator';
import { signIn } from './support/people';
import { storedMask } from './support/stored-mask';
import { expect, test } from './support/story';

const STAGE = 'Object masks';
const HOURS = 3_600_000;

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, 'worker2');
});

/** A wavy ring of that many vertices around the middle of the image, as a model's outline may have them. */
function wave(vertices: number, width: number, height: number): number[] {
  return Array.from({ length: 2 * vertices }, (_, i) => {
    const angle = (2 * Math.PI * Math.floor(i / 2)) / vertices;
    const reach = (0.3 + 0.05 * Math.sin(40 * angle)) * Math.min(width, height);
    const place = i % 2 === 0 ? width / 2 + reach * Math.cos(angle) : height / 2 + reach * Math.sin(angle);
    return Math.round(place * 1e4) / 1e4;
  });
}

for (const vertices of [99_998, 100_001])
  test(`a draft of ${vertices} vertices ${vertices < 100_000 ? 'is worked on' : 'is set aside and told'}, and the next item opens`, async ({
    page,
  }) => {
    const annotator = new Annotator(page);
    // What is answered is answered from the end: the next item is open as well.
    await annotator.open(STAGE, 1);
    const { width, height } = (await annotator.item()).image;
    await annotator.givesDraft(wave(vertices, width, height));
    await page.reload();
    await annotator.isReady();
    if (vertices < 100_000) {
      await annotator.hasShapes(1);
      await annotator.polygon([
        [10, 10],
        [30, 10],
        [20, 30],
      ]);
      await expect(page.locator('main ~ [role="status"]')).toContainText('at most 100,000 points');
    } else {
      await expect(page.getByText('was set aside in this browser')).toBeVisible();
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('PageDown');
    await expect(page.getByText(`Item ${annotator.number + 1} of`)).toBeVisible();
    await annotator.isReady();
    await annotator.polygon([
      [40, 40],
      [90, 40],
      [60, 90],
    ]);
    await annotator.isStored();
  });

for (const skew of [-5, 7])
  test(`a clock that is ${Math.abs(skew)} hours ${skew < 0 ? 'slow' : 'fast'} changes nothing`, async ({
    page,
  }) => {
    await page.addInitScript((offset) => {
      const real = Date.now;
      Date.now = () => real.call(Date) + offset;
    }, skew * HOURS);
    const annotator = new Annotator(page);
    await annotator.open(STAGE, 4);
    await annotator.polygon([
      [40, 40],
      [90, 40],
      [60, 90],
    ]);
    await annotator.isStored();
    // Corrected while somebody draws: what was to happen in a second still happens in a second.
    await page.evaluate((offset) => {
      const skewed = Date.now;
      Date.now = () => skewed.call(Date) - 2 * offset;
    }, skew * HOURS);
    await annotator.polygon([
      [140, 40],
      [190, 40],
      [160, 90],
    ]);
    await annotator.isStored();
    expect(await annotator.draft()).toHaveLength(2);
    await expect(page.getByTitle('Time spent on this item')).toHaveText(/^[0-4]:\d\d$/);
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
  });

test('a shape outside of the image is told, and one that reaches out is cut at the border', async ({
  page,
}) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 0);
  const { width, height } = (await annotator.item()).image;
  await page.keyboard.press('-');
  await page.keyboard.press('-');
  await annotator.polygon([
    [-40, -40],
    [-10, -40],
    [-20, -10],
  ]);
  await expect(page.locator('main ~ [role="status"]')).toContainText('outside of the image');
  await annotator.done();
  await expect(page.getByText('covers no pixel of the image')).toBeVisible();
  const reaching = await annotator.polygon([
    [width - 60, height - 50],
    [width + 30, height - 40],
    [width - 20, height + 25],
  ]);
  await annotator.hasShapes(2);
  const { leaseId } = await annotator.item();
  await expect(page.getByText('covers no pixel of the image')).toBeHidden();
  await annotator.done();
  await annotator.submit();
  await expect.poll(async () => (await annotator.item()).state).toBe('answered');
  const expected = rasterizePolygons([reaching.flat()], height, width);
  expect(await storedMask(leaseId)).toBe(encodeCounts(expected));
});
