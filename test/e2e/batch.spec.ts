import { Annotator } from './support/annotator';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, test } from './support/story';

test('a worker answers every item of a batch, is told what it paid, and the pay is on their page', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'worker2');
  const annotator = new Annotator(page);
  await annotator.enter('Part masks');
  await annotator.isReady();
  const { items } = await annotator.batch();
  const nothing = page.getByRole('button', { name: 'Nothing to label' });
  for (let left = items.filter(({ state }) => state === 'open').length; left > 0; left--) {
    const heading = page.getByText(/^Item \d+ of \d+$/);
    const here = await heading.textContent();
    await nothing.click();
    await expect(nothing).toHaveAttribute('aria-pressed', 'true');
    await annotator.press('Submit');
    if (left === 1) break;
    // The next item is there when the answer to this one is stored.
    await expect(heading).not.toHaveText(here ?? '');
    await annotator.isReady();
  }
  await expect(page).toHaveURL(/\/done$/, { timeout: 20_000 });
  await expect(page.getByText('USD').first()).toBeVisible();
  await look(page, 'batch-done');
  await page.goto('/annotate');
  await expect(
    page.getByRole('region', { name: 'Recent batches' }).getByText('Part masks').first(),
  ).toBeVisible();
  expectQuiet(complaints);
});

test('a worker describes an image by its attributes, with the rules of the form', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'worker2');
  await new Annotator(page).enter('Attributes');
  await expect(page.getByRole('group', { name: /Colour/ })).toBeVisible();
  await look(page, 'attributes');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Choose at least 1').first()).toBeVisible();
  expectQuiet(complaints);
});
