import type { Page } from '@playwright/test';
import { Annotator } from './support/annotator';
import { killServer } from './support/kill-server';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, listens, test } from './support/story';

const STAGE = 'Object masks';

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
});

const triangle = [
  [40, 40],
  [150, 40],
  [90, 150],
] as const;

const below = [
  [60, 160],
  [150, 160],
  [100, 210],
] as const;

/** Goes to the next item and comes back. */
async function leaveAndReturn(annotator: Annotator): Promise<void> {
  const { page, number } = annotator;
  const here = page.getByText(`Item ${number} of`);
  const { items } = await countItems(page);
  const [away, back] = number === items ? ['Previous', 'Next'] : ['Next', 'Previous'];
  await page.getByRole('button', { name: `${away} item` }).click();
  await expect(here).toBeHidden();
  await annotator.isReady();
  await page.getByRole('button', { name: `${back} item` }).click();
  await expect(here).toBeVisible();
  await annotator.isReady();
}

const countItems = async (page: Page) => ({
  items: await page.getByRole('navigation', { name: 'All items' }).getByRole('button').count(),
});

/** On a busy machine timers come late: the tabs of a browser take seconds to agree which one may draw. */
async function delayTimers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const set = window.setInterval;
    window.setInterval = ((work: TimerHandler, ms = 0, ...values: unknown[]) =>
      set(work, Math.max(ms, 3000), ...values)) as typeof window.setInterval;
  });
}

/** Presses a key as soon as the batch is loaded, without waiting until it can be worked on. */
async function pressEarly(page: Page, key: string): Promise<void> {
  const isLoaded = page.waitForResponse(/\/api\/v1\/work\/batches\/[0-9a-f-]+(\?|$)/);
  await page.reload();
  await isLoaded;
  await listens(page);
  await page.keyboard.press(key);
}

test.describe('a drawing', () => {
  test.beforeEach(({ page }) => signIn(page, 'worker1'));

  test('is still there after going to the next item and back, and is what is submitted', async ({ page }) => {
    const annotator = new Annotator(page);
    await annotator.open(STAGE, 1);
    await annotator.polygon(triangle);
    await annotator.isStored();
    await leaveAndReturn(annotator);
    await annotator.hasShapes(1);
    await annotator.polygon(below);
    await annotator.hasShapes(2);
    await annotator.isStored();
    await expect(page.getByRole('dialog')).toBeHidden();
    await annotator.done();
    await expect(annotator.tile()).toHaveAttribute('data-status', 'done');
    await look(page, 'workspace');
    await page.setViewportSize({ width: 1280, height: 800 });
    await annotator.submit();
    const { state, answer } = await annotator.item();
    expect(state).toBe('answered');
    expect(answer?.shapes).toHaveLength(2);
  });

  test('stays editable after it is done, and the last version is submitted', async ({ page }) => {
    const annotator = new Annotator(page);
    await annotator.open(STAGE, 2);
    await annotator.polygon(triangle);
    await annotator.done();
    await expect(page.getByText(`Item ${annotator.number} of`)).toBeHidden();
    await annotator.tile().click();
    await annotator.isReady();
    await annotator.hasShapes(1);
    await annotator.polygon(below);
    await annotator.hasShapes(2);
    await expect(annotator.tile()).toHaveAttribute('data-status', 'done');
    await annotator.isStored();
    expect((await annotator.item()).draft?.done).toBe(true);
    await annotator.submit();
    expect((await annotator.item()).answer?.shapes).toHaveLength(2);
  });

  test('that is made and submitted without a connection arrives when it is back', async ({
    page,
    context,
  }) => {
    const annotator = new Annotator(page);
    await annotator.open(STAGE, 1);
    await annotator.polygon(triangle);
    await annotator.isStored();
    await context.setOffline(true);
    await annotator.polygon(below);
    await leaveAndReturn(annotator);
    await annotator.hasShapes(2);
    await annotator.done();
    await annotator.press('Submit');
    await annotator.press('Submit anyway');
    await expect(page.getByText('The batch is submitted as soon as you are back')).toBeVisible();
    await context.setOffline(false);
    await page.waitForURL(/\/done$/, { timeout: 30_000 });
    const { state, answer } = await annotator.item();
    expect(state).toBe('answered');
    expect(answer?.shapes).toHaveLength(2);
  });

  test('goes with the person from one tab to another and back', async ({ page, context }) => {
    const first = new Annotator(page);
    await first.open(STAGE, 2);
    await first.polygon(triangle);
    const second = new Annotator(await context.newPage());
    second.number = first.number;
    await second.page.setViewportSize({ width: 1280, height: 800 });
    await second.page.goto(page.url());
    await second.page.getByRole('button', { name: 'Take over' }).click();
    await second.isReady();
    await second.hasShapes(1);
    await second.polygon(below);
    await second.hasShapes(2);
    await leaveAndReturn(second);
    await second.hasShapes(2);
    await page.getByRole('button', { name: 'Take over' }).click();
    await first.isReady();
    await first.hasShapes(2);
    await expect(page.getByRole('dialog')).toBeHidden();
    await first.done();
    await first.submit();
    expect((await first.item()).answer?.shapes).toHaveLength(2);
  });

  test('survives a server that is killed between drawing and submitting', async ({ page }) => {
    test.setTimeout(180_000);
    const annotator = new Annotator(page);
    await annotator.open(STAGE, 1);
    await annotator.polygon(triangle);
    await annotator.isStored();
    const server = killServer();
    try {
      await annotator.polygon(below);
      await leaveAndReturn(annotator);
      await annotator.hasShapes(2);
      await annotator.done();
      await annotator.press('Submit');
      await annotator.press('Submit anyway');
      await expect(page).not.toHaveURL(/\/done$/);
    } finally {
      server.back();
    }
    await page.waitForURL(/\/done$/, { timeout: 90_000 });
    const { state, answer } = await annotator.item();
    expect(state).toBe('answered');
    expect(answer?.shapes).toHaveLength(2);
  });

  test('is not discarded by one key', async ({ page }) => {
    const annotator = new Annotator(page);
    await annotator.open(STAGE, 2);
    await annotator.polygon(triangle);
    await annotator.hasShapes(1);
    await page.keyboard.press('n');
    await expect(page.getByRole('dialog', { name: 'Discard the drawing?' })).toBeVisible();
    await annotator.press('Keep the drawing');
    await annotator.hasShapes(1);
    await page.keyboard.press('n');
    await annotator.press('Discard');
    await annotator.hasShapes(0);
    await page.keyboard.press('Control+z');
    await annotator.hasShapes(1);
  });
});

test('a key pressed while a drawing opens is not lost', async ({ page }) => {
  await signIn(page, 'worker1');
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 1);
  await delayTimers(page);
  await pressEarly(page, 'n');
  await expect(annotator.nothing).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await annotator.item()).draft?.revision ?? 0).toBeGreaterThan(0);
});

test('tool, brush and panel stay as they are on the next item and after a reload', async ({ page }) => {
  await signIn(page, 'worker1');
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 1);
  const panel = page.getByRole('complementary', { name: 'Instructions and view' });
  if (await panel.isHidden()) await page.keyboard.press('F1');
  // Stored with the account a moment later.
  const isStored = () => page.waitForResponse((reply) => 'next-action' in reply.request().headers());
  const brushStored = isStored();
  await annotator.tool('Brush');
  await page.keyboard.press('F1');
  await expect(panel).toBeHidden();
  const isKept = async () => {
    await expect(page.getByRole('button', { name: 'Brush', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(panel).toBeHidden();
  };
  await leaveAndReturn(annotator);
  await isKept();
  await brushStored;
  await page.reload();
  await annotator.isReady();
  await isKept();
  const polygonStored = isStored();
  await page.keyboard.press('F1');
  await annotator.tool('Polygon');
  await expect(panel).toBeVisible();
  await polygonStored;
});

test('a message moves nothing and goes away with its cause', async ({ page }) => {
  await signIn(page, 'worker1');
  const annotator = new Annotator(page);
  await annotator.open(STAGE, 2);
  const before = await annotator.canvas.boundingBox();
  await annotator.done();
  const message = page.getByText('Draw the area first');
  await expect(message).toBeVisible();
  expect(await annotator.canvas.boundingBox()).toEqual(before);
  await annotator.polygon(triangle);
  await expect(message).toBeHidden();
});

test.describe('a form', () => {
  test.beforeEach(({ page }) => signIn(page, 'worker2'));

  const checked = (page: Page) => page.getByRole('checkbox', { checked: true });

  /** Opens the batch of forms at an item and chooses the first option, and no other. */
  async function fillIn(page: Page): Promise<Annotator> {
    const annotator = new Annotator(page);
    await annotator.enter('Attributes');
    await isOpen(page);
    annotator.number = Number(/item=(\d+)/.exec(page.url())?.[1]);
    for (let left = await checked(page).count(); left > 0; left--) await checked(page).first().uncheck();
    await page.keyboard.press('1');
    await expect(checked(page)).toHaveCount(1);
    return annotator;
  }

  async function isOpen(page: Page): Promise<void> {
    await expect(page.getByRole('group', { name: /Colour/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Done', exact: true })).toBeEnabled();
    await listens(page);
  }

  /** Goes to another item and comes back: the form is as it was. */
  async function comesBack({ page, number }: Annotator): Promise<void> {
    const { items } = await countItems(page);
    const [away, back] = number === items ? ['PageUp', 'PageDown'] : ['PageDown', 'PageUp'];
    await page.keyboard.press(away);
    await expect(page.getByText(`Item ${number} of`)).toBeHidden();
    await page.keyboard.press(back);
    await expect(page.getByText(`Item ${number} of`)).toBeVisible();
    await expect(checked(page)).toHaveCount(1);
  }

  /** One option in the first group, none in the others, done: two keys. */
  async function finish(annotator: Annotator): Promise<void> {
    await annotator.page.keyboard.press('Shift+Enter');
    await expect(annotator.tile()).toHaveAttribute('data-status', 'done');
  }

  const isAnswered = async (annotator: Annotator) => {
    const { state, answer } = await annotator.item();
    expect(state).toBe('answered');
    expect(answer?.kind).toBe('attributes');
  };

  test('is still filled in after going to the next item and back, and is what is submitted', async ({
    page,
  }) => {
    const annotator = await fillIn(page);
    await comesBack(annotator);
    await look(page, 'attributes-filled');
    await finish(annotator);
    await annotator.submit();
    await isAnswered(annotator);
  });

  test('applies a key that is pressed while it opens', async ({ page }) => {
    await fillIn(page);
    await delayTimers(page);
    await pressEarly(page, '2');
    await expect(checked(page)).toHaveCount(2);
    await page.keyboard.press('2');
    await expect(checked(page)).toHaveCount(1);
  });

  test('fits a narrow window of a computer', async ({ page }) => {
    await fillIn(page);
    for (const width of [390, 820]) {
      await page.setViewportSize({ width, height: 844 });
      const form = page.getByRole('main').locator('.overflow-y-auto').first();
      await expect.poll(() => form.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    }
  });

  test('that is filled in and submitted without a connection arrives when it is back', async ({
    page,
    context,
  }) => {
    const annotator = await fillIn(page);
    await context.setOffline(true);
    await comesBack(annotator);
    await finish(annotator);
    await annotator.press('Submit');
    await annotator.press('Submit anyway');
    await expect(page.getByText('The batch is submitted as soon as you are back')).toBeVisible();
    await context.setOffline(false);
    await page.waitForURL(/\/done$/, { timeout: 30_000 });
    await isAnswered(annotator);
  });

  test('goes with the person from one tab to another and back', async ({ page, context }) => {
    const first = await fillIn(page);
    const second = new Annotator(await context.newPage());
    second.number = first.number;
    await second.page.setViewportSize({ width: 1280, height: 800 });
    await second.page.goto(page.url());
    await second.page.getByRole('button', { name: 'Take over' }).click();
    await isOpen(second.page);
    await expect(checked(second.page)).toHaveCount(1);
    await second.page.keyboard.press('1');
    await second.page.keyboard.press('2');
    await comesBack(second);
    const chosen = await checked(second.page).locator('..').textContent();
    await page.getByRole('button', { name: 'Take over' }).click();
    await isOpen(page);
    await expect(checked(page).locator('..')).toHaveText(chosen ?? '');
    await expect(page.getByRole('dialog')).toBeHidden();
    await finish(first);
    await first.submit();
    await isAnswered(first);
  });

  test('survives a server that is killed between filling in and submitting', async ({ page }) => {
    test.setTimeout(180_000);
    const annotator = await fillIn(page);
    const server = killServer();
    try {
      await comesBack(annotator);
      await finish(annotator);
      await annotator.press('Submit');
      await annotator.press('Submit anyway');
      await expect(page).not.toHaveURL(/\/done$/);
    } finally {
      server.back();
    }
    await page.waitForURL(/\/done$/, { timeout: 90_000 });
    await isAnswered(annotator);
  });
});
