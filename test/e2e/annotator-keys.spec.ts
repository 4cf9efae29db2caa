import { expect, type Page, test } from '@playwright/test';
import { Annotator } from './support/annotator';
import { signIn } from './support/people';

const brush = (page: Page) => page.getByRole('button', { name: 'Brush', exact: true });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

async function openSheet(page: Page): Promise<void> {
  await page.keyboard.press('?');
  await expect(sheet(page)).toBeVisible();
}

test.beforeEach(({ page }) => signIn(page, 'worker1'));

test('a key is changed for the account, in every browser, and goes back to the usual one', async ({
  page,
  browser,
  baseURL,
}) => {
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 3);
  await openSheet(page);
  await page.getByRole('button', { name: 'Back to the usual keys' }).click();
  await page.getByRole('button', { name: /Change the key of “Brush”/ }).click();
  await page.keyboard.press('p');
  await expect(sheet(page).getByText('P is taken by “Polygon”')).toBeVisible();
  await page.getByRole('button', { name: /Change the key of “Brush”/ }).click();
  const kept = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
  await page.keyboard.press('Shift+B');
  await kept;
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  await expect(brush(page)).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('Shift+B');
  await expect(brush(page)).toHaveAttribute('aria-pressed', 'true');

  const elsewhere = await browser.newContext({ baseURL });
  const other = await elsewhere.newPage();
  await signIn(other, 'worker1');
  await other.goto(page.url());
  // Buttons are there before anybody listens to keys.
  await expect(new Annotator(other).canvas).toHaveAttribute('data-state', /\./);
  await other.keyboard.press('Shift+B');
  await expect(brush(other)).toHaveAttribute('aria-pressed', 'true');
  await elsewhere.close();

  await openSheet(page);
  const reset = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
  await page.getByRole('button', { name: 'Back to the usual keys' }).click();
  await reset;
  await page.reload();
  await annotator.isReady();
  await page.keyboard.press('Shift+B');
  await expect(brush(page)).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('b');
  await expect(brush(page)).toHaveAttribute('aria-pressed', 'true');
});
