import type { Page } from '@playwright/test';
import { Annotator } from './support/annotator';
import { stranger } from './support/invite';
import { signIn } from './support/people';
import { expect, test } from './support/story';

const brush = (page: Page) => page.getByRole('button', { name: 'Brush', exact: true });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

async function openSheet(page: Page): Promise<void> {
  await page.keyboard.press('?');
  await expect(sheet(page)).toBeVisible();
}

/** Does what chooses other keys, and waits until they are stored with the account. */
async function stored(page: Page, choose: () => Promise<void>): Promise<void> {
  const reply = page.waitForResponse(
    (response) =>
      'next-action' in response.request().headers() &&
      // Tool and view settings are stored as well.
      !response.request().postData()?.includes('opacity') &&
      response.ok(),
  );
  await choose();
  await reply;
}

test.beforeEach(({ page }) => signIn(page, 'worker1'));

test('a key is changed for the account, in every browser, and goes back to the usual one', async ({
  page,
  browser,
}) => {
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 3);
  await annotator.tool('Polygon');
  await openSheet(page);
  const usual = () => page.getByRole('button', { name: 'Back to the usual keys' }).click();
  await stored(page, usual);
  await page.getByRole('button', { name: /Change the key of “Brush”/ }).click();
  await page.keyboard.press('p');
  await expect(sheet(page).getByText('P is taken by “Polygon”')).toBeVisible();
  await page.getByRole('button', { name: /Change the key of “Brush”/ }).click();
  await stored(page, () => page.keyboard.press('Shift+Y'));
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toBeHidden();
  await page.keyboard.press('b');
  await expect(brush(page)).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('Shift+Y');
  await expect(brush(page)).toHaveAttribute('aria-pressed', 'true');

  const other = await stranger(browser);
  await signIn(other, 'worker1');
  await other.goto(page.url());
  // It hears keys when it has painted.
  await expect(new Annotator(other).canvas).toHaveAttribute('data-state', /\./);
  await other.keyboard.press('Shift+Y');
  await expect(brush(other)).toHaveAttribute('aria-pressed', 'true');
  await other.context().close();

  await openSheet(page);
  await stored(page, usual);
  await page.reload();
  await annotator.isReady();
  // The last tool is remembered.
  await expect(brush(page)).toHaveAttribute('aria-pressed', 'true');
  await annotator.tool('Polygon');
  await page.keyboard.press('Shift+Y');
  await expect(brush(page)).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('b');
  await expect(brush(page)).toHaveAttribute('aria-pressed', 'true');
});
