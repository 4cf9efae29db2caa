import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { Annotator } from './support/annotator';
import { query } from './support/database';
import { workerLink } from './support/invite';
import { joinAsWorker } from './support/newcomer';
import { partsProject } from './support/parts-project';
import { fromHere, signIn } from './support/people';
import { expect, test } from './support/story';

const slug = 'rival10-demo';
const payees = { isOn: true, bank: true, paypal: true, other: true, schedule: 'monthly' };

async function speak(page: Page, language: string, baseURL: string | undefined): Promise<void> {
  await page.context().addCookies([{ name: 'tessera-language', value: language, url: baseURL }]);
}

/** Takes a batch of a project of one's own and opens it. */
async function openBatch(page: Page): Promise<{ annotator: Annotator; batchId: string }> {
  await signIn(page, 'worker2');
  const { stageId } = await partsProject('worker2', 1);
  const taken = await page.request.post(`/api/v1/work/stages/${stageId}/batch`, { headers: fromHere() });
  const batchId: string = (await taken.json()).batch.id;
  const annotator = new Annotator(page);
  await page.goto(`/annotate/batch/${batchId}?item=1`);
  await annotator.isReady();
  return { annotator, batchId };
}

test.describe('accessible in both themes', () => {
  test.beforeAll(async () => {
    await query(
      `update projects set policy = policy || jsonb_build_object('payees', $2::jsonb) where slug = $1`,
      [slug, JSON.stringify(payees)],
    );
  });
  test.afterAll(async () => {
    await query(`update projects set policy = policy - 'payees' where slug = $1`, [slug]);
  });

  for (const [language, direction] of [
    ['en', 'ltr'],
    ['ar', 'rtl'],
  ] as const) {
    test(`every page of a worker is accessible in both themes: ${language}`, async ({
      page,
      browser,
      baseURL,
    }) => {
      // A dozen pages, each checked twice by axe.
      test.setTimeout(300_000);
      await signIn(page, 'curator');
      const worker = await joinAsWorker(browser, await workerLink(page));
      await worker.context().clearCookies({ name: 'tessera-language' });
      await speak(worker, language, baseURL);
      const exam = await worker
        .locator('a[href*="/exam/"]')
        .first()
        .getAttribute('href', { timeout: 15_000 });
      const { batchId } = await openBatch(page);
      await page.context().clearCookies({ name: 'tessera-language' });
      await speak(page, language, baseURL);
      const sweep = async (on: Page, path: string) => {
        await on.goto(path);
        await expect(on.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await expect(on.locator('html')).toHaveAttribute('dir', direction);
        for (const colorScheme of ['light', 'dark'] as const) {
          await on.emulateMedia({ colorScheme });
          await expectAccessible(on);
        }
      };
      for (const path of [
        '/annotate',
        '/annotate/account',
        '/annotate/history',
        `/annotate/${slug}/consent`,
        `/annotate/${slug}/guide`,
        `/annotate/${slug}/payee`,
        exam ?? '',
      ])
        await sweep(worker, path);
      await sweep(page, `/annotate/batch/${batchId}?item=1`);
      const returned = await page.request.post(`/api/v1/work/batches/${batchId}/return`, {
        headers: fromHere(),
      });
      expect(returned.ok()).toBe(true);
      await sweep(page, `/annotate/batch/${batchId}/done`);
    });
  }
});

test('a batch that ended elsewhere shows a way on and keeps what was done', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { annotator, batchId } = await openBatch(page);
  await annotator.polygon([
    [40, 40],
    [120, 40],
    [80, 110],
  ]);
  await annotator.isStored();
  const returned = await page.request.post(`/api/v1/work/batches/${batchId}/return`, { headers: fromHere() });
  expect(returned.ok()).toBe(true);
  await annotator.polygon([
    [150, 60],
    [220, 60],
    [180, 120],
  ]);
  await page.getByRole('button', { name: 'Continue', exact: true }).click({ timeout: 30_000 });
  await page.waitForURL(/\/done$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(`/annotate/batch/${batchId}`);
  await page.waitForURL(/\/done$/);
});

test('an example of the guide is enlarged and closed again', async ({ page }) => {
  await signIn(page, 'worker1');
  await page.goto(`/annotate/${slug}/guide`);
  await page
    .getByRole('button', { name: /^Enlarge/ })
    .first()
    .click();
  const picture = page.getByRole('dialog').getByRole('img').first();
  await expect(picture).toBeVisible();
  // Small ones are 112 pixels wide.
  await expect.poll(async () => (await picture.boundingBox())?.width).toBeGreaterThan(300);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('the amounts of the statement are in sight on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, 'worker1');
  await page.goto('/annotate/account');
  const amount = page
    .getByRole('table', { name: 'Statement' })
    .getByRole('row')
    .nth(1)
    .getByRole('cell')
    .last();
  const box = await amount.boundingBox();
  expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
});
