import { encodeCounts, rasterizePolygonWithHoles } from '@/lib/core/mask';
import { expectAccessible } from './support/accessible';
import { Annotator } from './support/annotator';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { signIn, signInByHand } from './support/people';
import { storedMask } from './support/stored-mask';
import { expect, test } from './support/story';

const STAGE = 'Object masks';

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, 'worker1');
});

test('a polygon with a hole is stored as exactly the mask that was drawn', async ({ page }) => {
  const complaints = complaintsOf(page);
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 0);
  const outer = await annotator.polygon([
    [60, 60],
    [200, 70],
    [210, 200],
    [50, 190],
  ]);
  await annotator.tool('Cut out');
  const hole = await annotator.outline([
    [90, 100],
    [150, 100],
    [140, 150],
  ]);
  await page.keyboard.press('Enter');
  await annotator.hasShapes(1);
  await annotator.isStored();
  await look(page, 'annotator');
  await page.setViewportSize({ width: 1280, height: 800 });
  const { leaseId, image } = await annotator.item();
  await annotator.done();
  await expect(page.getByText(`Item ${annotator.number} of`)).toBeHidden();
  await annotator.submit();
  expect((await annotator.item()).state).toBe('answered');
  const expected = rasterizePolygonWithHoles(outer.flat(), [hole.flat()], image.height, image.width);
  expect(await storedMask(leaseId)).toBe(encodeCounts(expected));
  expectQuiet(complaints);
});

test('what is painted and erased is stored stroke by stroke', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 2);
  await annotator.tool('Brush');
  await annotator.drag([
    [50, 100],
    [100, 120],
    [180, 110],
  ]);
  await annotator.tool('Eraser');
  await annotator.drag([
    [110, 80],
    [112, 150],
  ]);
  await annotator.hasShapes(2);
  await annotator.isStored();
  expect(await annotator.draft()).toMatchObject([
    { kind: 'stroke', op: 'add', radius: 10 },
    { kind: 'stroke', op: 'erase', radius: 10 },
  ]);
});

test('a vertex is dragged, and undo to empty and redo to the end give the same bytes', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 3);
  await annotator.polygon([
    [40, 40],
    [150, 40],
    [150, 150],
    [40, 150],
  ]);
  await annotator.tool('Edit points');
  const corner = await annotator.onScreen([60, 60]);
  await page.mouse.click(corner[0], corner[1]);
  const [, , end] = await annotator.drag([
    [150, 150],
    [170, 175],
    [190, 200],
  ]);
  await annotator.tool('Brush');
  await annotator.drag([
    [60, 200],
    [100, 210],
  ]);
  await annotator.hasShapes(2);
  await annotator.isStored();
  const before = JSON.stringify(await annotator.draft());
  expect(before).toContain(end?.join());
  for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z');
  await annotator.hasShapes(0);
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled();
  await annotator.isStored();
  expect(await annotator.draft()).toEqual([]);
  for (let step = 0; step < 3; step++) await page.keyboard.press('Control+y');
  await annotator.hasShapes(2);
  await annotator.isStored();
  await expect(page.getByRole('button', { name: 'Redo', exact: true })).toBeDisabled();
  expect(JSON.stringify(await annotator.draft())).toBe(before);
});

test('a reload in the middle of an outline goes on with it', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 4);
  await annotator.polygon([
    [40, 40],
    [80, 40],
    [60, 80],
  ]);
  await annotator.isStored();
  await annotator.outline([
    [120, 50],
    [180, 60],
    [170, 120],
  ]);
  await page.reload();
  await annotator.isReady();
  await expect(annotator.canvas).toHaveAttribute('data-state', 'polygon.drawing');
  await annotator.hasShapes(1);
  await page.keyboard.press('Enter');
  await annotator.hasShapes(2);
});

test('a stroke is there after the tab was closed at once', async ({ page, context }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 5);
  await annotator.tool('Brush');
  // The server never hears of it from this tab.
  await page.route('**/draft', (route) => route.abort());
  await annotator.drag([
    [50, 60],
    [90, 70],
    [130, 90],
  ]);
  const url = page.url();
  await page.close({ runBeforeUnload: false });
  const again = new Annotator(await context.newPage());
  again.number = annotator.number;
  await again.page.setViewportSize({ width: 1280, height: 800 });
  await again.page.goto(url);
  await again.isReady();
  await again.hasShapes(1);
  await again.isStored();
  expect(await again.draft()).toMatchObject([{ kind: 'stroke', op: 'add' }]);
});

test('a second tab only looks until it takes over, and then has everything', async ({ page, context }) => {
  const first = new Annotator(page);
  await first.open(STAGE, 6);
  const second = new Annotator(await context.newPage());
  second.number = first.number;
  await second.page.goto(page.url());
  await expect(second.page.getByText('open in another tab')).toBeVisible();
  await expect(second.page.getByRole('button', { name: 'Submit', exact: true })).toBeDisabled();
  await first.polygon([
    [40, 40],
    [150, 40],
    [90, 150],
  ]);
  await second.page.getByRole('button', { name: 'Take over' }).click();
  await second.isReady();
  await second.hasShapes(1);
  await expect(page.getByText('open in another tab')).toBeVisible();
  await second.polygon([
    [40, 160],
    [150, 160],
    [90, 220],
  ]);
  await second.isStored();
  expect(await second.draft()).toHaveLength(2);
});

test('work goes on without a connection and is stored when it is back', async ({ page, context }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 7);
  await context.setOffline(true);
  await annotator.polygon([
    [40, 40],
    [150, 40],
    [90, 150],
  ]);
  await expect(page.getByText(/^Offline\./)).toBeVisible();
  await annotator.hasShapes(1);
  await context.setOffline(false);
  await annotator.isStored();
  expect(await annotator.draft()).toHaveLength(1);
});

test('a session that ends in the middle of the work loses nothing', async ({ page, context }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 8);
  await context.clearCookies();
  await annotator.polygon([
    [40, 40],
    [150, 40],
    [90, 150],
  ]);
  await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
  const other = await context.newPage();
  await signInByHand(other, 'worker1');
  await other.close();
  await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeHidden();
  await annotator.hasShapes(1);
  await annotator.isStored();
  expect(await annotator.draft()).toHaveLength(1);
});

test('a polygon is drawn by keyboard alone', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 1);
  await annotator.canvas.focus();
  await page.keyboard.press('p');
  const side = async (key: string) => {
    for (let step = 0; step < 4; step++) await page.keyboard.press(`Shift+${key}`);
    await page.keyboard.press('Enter');
  };
  await side('ArrowLeft');
  await side('ArrowDown');
  await side('ArrowRight');
  await expect(page.locator('main ~ [role="status"]')).toContainText(/point 3/i);
  await page.keyboard.press('Enter');
  await annotator.hasShapes(1);
  await annotator.isStored();
  expect(await annotator.draft()).toMatchObject([{ kind: 'polygon', op: 'add' }]);
});

test('"Nothing to label" is an answer, and an empty drawing is not', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 0);
  await annotator.done();
  await expect(page.getByText('Draw the area first')).toBeVisible();
  await annotator.press('Nothing to label');
  await expect(page.getByText('Draw the area first')).toBeHidden();
  await annotator.done();
  await annotator.submit();
  await expect.poll(async () => (await annotator.item()).answer).toEqual({ kind: 'nothing' });
});

test('the page is accessible, light and dark, with and without its sheet of shortcuts', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 2);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page);
});

test('a draft that fits no more is told and kept, and the work goes on', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 2);
  await page.route('**/api/v1/work/batches/*', async (route) => {
    const response = await route.fetch();
    const batch = await response.json();
    for (const item of batch.items) if (item.draft) item.draft.document = { version: 1, width: 1, height: 1 };
    await route.fulfill({ response, json: batch });
  });
  await annotator.polygon([
    [40, 40],
    [150, 40],
    [90, 150],
  ]);
  await annotator.isStored();
  await page.reload();
  await annotator.isReady();
  await expect(page.getByText('does not fit this item any more')).toBeVisible();
  await annotator.hasShapes(0);
});

test('an image that cannot be decoded is reported, and the next item comes', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 0);
  await page.route('**/api/v1/work/leases/*/image', (route) =>
    route.fulfill({ body: 'not an image', contentType: 'image/png' }),
  );
  await page.reload();
  await expect(page.getByText('This image cannot be shown')).toBeVisible();
  await page.unroute('**/api/v1/work/leases/*/image');
  await page.getByRole('button', { name: 'Report and go on' }).click();
  await expect.poll(async () => (await annotator.item()).state).toBe('released');
  await expect(page.getByText(`Item ${annotator.number} of`)).toBeHidden();
});
