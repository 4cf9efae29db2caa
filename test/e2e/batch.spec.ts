import { Annotator } from './support/annotator';
import { complaintsOf, expectQuiet } from './support/complaints';
import { stranger } from './support/invite';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, test } from './support/story';

test('a worker answers every item alike, waits for a review, and is paid when the curator approves', async ({
  page,
  browser,
}) => {
  // Eleven items and the pages of two people.
  test.setTimeout(180_000);
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
    await annotator.done();
    if (left === 1) break;
    await expect(heading).not.toHaveText(here ?? '');
    await annotator.isReady();
  }
  await expect(page.getByText('All items are done')).toBeVisible();
  await annotator.submit();
  await expect(page.getByText('In review')).toBeVisible();
  await expect(page.getByText(/A person will check your work before it is paid/)).toBeVisible();
  await look(page, 'batch-in-review');

  const curator = await stranger(browser);
  await signIn(curator, 'curator');
  await curator.goto('/projects/rival10-demo/crowd/pay');
  const review = curator
    .getByRole('table', { name: 'Batches to review before payment' })
    .getByRole('row')
    .filter({ hasText: 'Part masks' })
    .last();
  await look(curator, 'pay-reviews');
  await review.getByRole('button', { name: 'Refuse' }).click();
  await curator.getByRole('button', { name: 'Refuse payment' }).click();
  await expect(curator.getByText('Write a short reason')).toBeVisible();
  await curator.getByRole('button', { name: 'Cancel' }).click();
  await review.getByRole('button', { name: 'Approve' }).click();
  await expect(curator.getByText(/added to what .+ has earned/)).toBeVisible();

  await page.reload();
  await expect(page.getByText('In review')).toHaveCount(0);
  await expect(page.getByText(/USD|\$/).first()).toBeVisible();
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
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(page.getByText('Choose at least 1').first()).toBeVisible();
  expectQuiet(complaints);
});
