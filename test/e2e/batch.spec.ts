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
  const nothing = page.getByRole('button', { name: 'Nothing to label', exact: true });
  for (
    let left = items.filter(({ state, draft }) => state === 'open' && !draft?.done).length;
    left > 0;
    left--
  ) {
    const here = page.url();
    // An earlier run may have stopped after it said so.
    if ((await nothing.getAttribute('aria-pressed')) === 'false') await nothing.click();
    await expect(nothing).toHaveAttribute('aria-pressed', 'true');
    await annotator.done();
    if (left === 1) break;
    // The next part of the image, or the next image.
    await expect(page).not.toHaveURL(here);
    await annotator.isReady();
  }
  await expect(page.getByText('All items are done')).toBeVisible();
  await annotator.submit();
  await expect(page.getByText('In review')).toBeVisible();
  await expect(page.getByText(/A person checks your work before it is paid/)).toBeVisible();
  await look(page, 'batch-in-review');
  await page.goto('/annotate');
  const recent = page.getByRole('region', { name: 'Recent batches' });
  await expect(recent.getByRole('listitem').first()).toContainText(/in review/i);
  await expect(recent.getByText(/A person checks your work before it is paid/)).toBeVisible();
  await page.goBack();

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
  await expect(curator.getByText(/added to the earnings of .+/)).toBeVisible();

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
