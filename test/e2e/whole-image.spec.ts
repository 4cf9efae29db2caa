import type { Page } from '@playwright/test';
import { encodeCounts, rasterizeShapes, type Shape } from '@/lib/core/mask';
import { expectAccessible } from './support/accessible';
import { Annotator } from './support/annotator';
import { look } from './support/look';
import { type PartsProject, partsProject, subjectOf } from './support/parts-project';
import { fromHere, signIn } from './support/people';
import { storedAnswer } from './support/stored-mask';
import { expect, test } from './support/story';

const title = (page: Page) => page.getByRole('heading', { level: 1 });
const target = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}, `) });

/** Takes a batch and opens it at its first item. */
async function begin(page: Page, { stageId }: PartsProject): Promise<Annotator> {
  const taken = await page.request.post(`/api/v1/work/stages/${stageId}/batch`, { headers: fromHere() });
  expect(taken.ok()).toBe(true);
  const annotator = new Annotator(page);
  await page.goto(`/annotate/batch/${(await taken.json()).batch.id}?item=1`);
  await annotator.isReady();
  return annotator;
}

/** A rectangle by arrow keys. The cursor begins in the middle of the view and stays at the last corner. */
async function drawByKeys(page: Page, across: string, down: string): Promise<void> {
  await page.keyboard.press('r');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  for (let step = 0; step < 3; step++) await page.keyboard.press(`Shift+${across}`);
  for (let step = 0; step < 2; step++) await page.keyboard.press(`Shift+${down}`);
  await page.keyboard.press('Enter');
}

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, 'worker2');
});

test('an image with five parts is done by keyboard alone, and each part is stored', async ({ page }) => {
  const annotator = await begin(page, await partsProject('worker2', 2));
  const names = ['Head', 'Body', 'Engine', 'Wing', 'Tail'];
  const { items } = await annotator.batch();
  const order = items.map(({ target }) => target?.name ?? '');
  expect(order.slice(0, 5).toSorted()).toEqual(names.toSorted());
  await expect(page.getByText('Image 1 of 2')).toBeVisible();

  const moves = ['ArrowLeft', 'ArrowRight'] as const;
  for (const [i, number] of [3, 1, 5, 2, 4].entries()) {
    await page.keyboard.press(String(number));
    await expect(title(page)).toContainText(`“${order[number - 1]}”`);
    await drawByKeys(page, moves[i % 2] ?? 'ArrowLeft', i < 3 ? 'ArrowUp' : 'ArrowDown');
    await annotator.hasShapes(1);
    if (i === 2) await look(page, 'whole-image');
    await page.keyboard.press('Control+Enter');
  }
  await expect(page.getByText('Image 2 of 2')).toBeVisible();
  await annotator.isReady();
  for (const number of [1, 2, 3, 4, 5]) {
    await page.keyboard.press(String(number));
    await expect(title(page)).toContainText(`“${order[4 + number]}”`);
    await page.keyboard.press('n');
    await expect(target(page, order[4 + number] ?? '')).toHaveAttribute('data-state', 'nothing');
  }
  await page.keyboard.press('Alt+Enter');
  await expect(page.getByText('All items are done')).toBeVisible();
  await annotator.isStored();
  const drafts = (await annotator.batch()).items;
  await page.keyboard.press('Control+Shift+Enter');
  await page.waitForURL(/\/done$/);

  for (const [i, { leaseId, image, draft }] of drafts.entries()) {
    const { value, mask } = await storedAnswer(leaseId);
    expect((await subjectOf(leaseId)).target).toBe(items[i]?.target?.id);
    if (i >= 5) {
      expect(value).toEqual({ kind: 'nothing' });
      continue;
    }
    const shapes =
      draft?.document.layers.flatMap((layer) => layer.shapes.map(({ shape }) => shape as Shape)) ?? [];
    expect(value).toEqual({ kind: 'mask', shapes });
    expect(mask).toBe(encodeCounts(rasterizeShapes(shapes, image.height, image.width)));
  }
  const outlines = drafts.slice(0, 5).map(({ draft }) => JSON.stringify(draft?.document.layers));
  expect(new Set(outlines).size).toBe(5);
});

test('parts that are switched back and forth keep their drawings and histories until they are submitted', async ({
  page,
}) => {
  const annotator = await begin(page, await partsProject('worker2', 2));
  const press = (key: string) => page.keyboard.press(key);
  await annotator.polygon([
    [40, 40],
    [120, 40],
    [80, 110],
  ]);
  const { zoom } = await annotator.view();
  await press('+');
  await press('2');
  await annotator.hasShapes(0);
  expect((await annotator.view()).zoom).toBeGreaterThan(zoom);
  await press('f');
  await annotator.polygon([
    [150, 60],
    [220, 60],
    [180, 120],
  ]);
  // An outline that is not finished waits for its part.
  await annotator.outline([
    [60, 150],
    [120, 150],
  ]);
  await press('1');
  await annotator.hasShapes(1);
  await expect(annotator.canvas).toHaveAttribute('data-state', 'polygon.idle');
  await press('Control+z');
  await annotator.hasShapes(0);
  await press('2');
  await annotator.hasShapes(1);
  await expect(annotator.canvas).toHaveAttribute('data-state', 'polygon.drawing');
  await press('1');
  await press('Control+y');
  await annotator.hasShapes(1);
  await annotator.isStored();

  await page.reload();
  await annotator.isReady();
  await annotator.hasShapes(1);
  await press('2');
  await expect(annotator.canvas).toHaveAttribute('data-state', 'polygon.drawing');
  await annotator.outline([[90, 190]]);
  await press('Enter');
  await annotator.hasShapes(2);
  await press('PageDown');
  await expect(page.getByText('Image 2 of 2')).toBeVisible();
  await annotator.isReady();
  await press('PageUp');
  await expect(page.getByText('Image 1 of 2')).toBeVisible();
  await annotator.isReady();
  await press('1');
  await annotator.hasShapes(1);
  await press('Control+Enter');
  await expect(page.getByRole('button', { name: /^Image 1, 1 of 5 done/ })).toBeVisible();
  await press('2');
  await annotator.hasShapes(2);
  await press('Control+Enter');
  await annotator.isStored();
  await annotator.submit();
  const answers = (await annotator.batch()).items.map(({ answer }) => answer?.shapes?.length ?? 0);
  expect(answers).toEqual([1, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test('tools are one stop of the Tab key, and the page with several parts is accessible', async ({ page }) => {
  await begin(page, await partsProject('worker2', 1));
  const tools = page.getByRole('toolbar', { name: 'Tools' });
  const stops = () => tools.locator('button[tabindex="0"]').count();
  expect(await stops()).toBe(1);
  await tools.locator('button[tabindex="0"]').focus();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  const first = await focused();
  await page.keyboard.press('ArrowDown');
  expect(await focused()).not.toBe(first);
  expect(await stops()).toBe(1);
  await page.keyboard.press('Enter');
  await expect(tools.locator('button:focus')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('main ~ [role="status"]')).toContainText(String(await focused()));
  await page.keyboard.press('Home');
  await page.keyboard.press('Tab');
  expect(await tools.locator('button:focus').count()).toBe(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
});
