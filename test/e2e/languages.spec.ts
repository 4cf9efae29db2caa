import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { complaintsOf, expectQuiet } from './support/complaints';
import { stranger, workerLink } from './support/invite';
import { look } from './support/look';
import { joinAsWorker } from './support/newcomer';
import { signIn } from './support/people';
import { expect, listens, test } from './support/story';

const pages = ['/annotate', '/annotate/account', '/annotate/history', '/annotate/rival10-demo/guide'];

/** How far the page is wider than the window. */
const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('longer text than English fits a phone', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.context().addCookies([{ name: 'tessera-language', value: 'en-XA', url: baseURL }]);
  await page.goto('/sign-in');
  await expect(page.getByRole('heading', { name: 'Šîîgñ îîñ' })).toBeVisible();
  expect(await overflowOf(page)).toBe(0);
  await signIn(page, 'worker1');
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await overflowOf(page), path).toBe(0);
  }
});

test('a worker changes to Arabic and reads everything from right to left', async ({ page, browser }) => {
  await signIn(page, 'curator');
  const worker = await joinAsWorker(browser, await workerLink(page));
  const complaints = complaintsOf(worker);
  await worker.getByRole('button', { name: 'Language: English' }).click();
  await worker.getByRole('menuitem', { name: 'العربية' }).click();
  await expect(worker.getByRole('heading', { level: 1 })).toContainText('مرحبًا');
  const document = worker.locator('html');
  await expect(document).toHaveAttribute('dir', 'rtl');
  await expect(document).toHaveAttribute('lang', 'ar');
  await expectAccessible(worker);
  await worker.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(worker);
  await worker.emulateMedia({ colorScheme: 'light' });
  await look(worker, 'worker-home-arabic');
  // The next step of a new worker.
  await worker.getByRole('link', { name: 'اقرأ الدليل' }).first().click();
  await expect(worker.getByRole('button', { name: 'قرأت الدليل' })).toBeVisible();
  await expectAccessible(worker);
  await look(worker, 'worker-guide-arabic');
  await worker.getByRole('button', { name: 'قرأت الدليل' }).click();
  await expect(worker.getByRole('heading', { level: 1 })).toContainText('اختبار');
  await expectAccessible(worker);
  expectQuiet(complaints);

  // With the account: another browser of theirs is in Arabic as well.
  const other = await stranger(browser);
  await other
    .context()
    .addCookies((await worker.context().cookies()).filter(({ name }) => name !== 'tessera-language'));
  await other.goto('/annotate');
  await expect(other.locator('html')).toHaveAttribute('lang', 'ar');
});

test('a newcomer practises and sees where the outline is wrong', async ({ page, browser }) => {
  await signIn(page, 'curator');
  const worker = await joinAsWorker(browser, await workerLink(page));
  const complaints = complaintsOf(worker);
  const stage = worker.getByRole('listitem').filter({ hasText: 'Object masks' }).first();
  await stage.getByRole('link', { name: 'Read the guide' }).click();
  await worker.getByRole('button', { name: 'I have read the guide' }).click();
  await expect(worker.getByRole('heading', { level: 1 })).toContainText('Exam');
  await worker.goto('/annotate');
  await worker.getByRole('button', { name: /^Practise .*Object masks$/ }).click();
  await expect(worker.getByRole('application', { name: 'Annotation canvas' })).toHaveAttribute(
    'data-state',
    /\./,
  );
  await listens(worker);
  // Nothing is drawn: the whole object is missed.
  const isStored = worker.waitForResponse(/\/draft$/);
  await worker.keyboard.press('n');
  await isStored;
  await worker.getByRole('button', { name: 'Check' }).click();
  await expect(worker.getByRole('heading', { name: 'Practice: how you did' })).toBeVisible();
  await expect(worker.getByRole('list', { name: 'Colours' })).toContainText('Missed');
  await expect(worker.getByText('You chose “nothing to label”.')).toBeVisible();
  const map = worker.getByRole('img', { name: 'The picture with your answer and the right answer' });
  const whole = await map.getAttribute('viewBox');
  await worker.getByRole('button', { name: 'Zoom in' }).click();
  await expect(map).not.toHaveAttribute('viewBox', whole ?? '');
  await expectAccessible(worker);
  await look(worker, 'practice-feedback');
  expectQuiet(complaints);
});
