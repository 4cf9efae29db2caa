import { expectAccessible } from './support/accessible';
import { Annotator } from './support/annotator';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, listens, test } from './support/story';

const audit = '/projects/rival10-demo/audit';

test('the curator works through the queue by keyboard alone: accepts, rejects, fixes, undoes', async ({
  page,
}) => {
  test.setTimeout(150_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto(`${audit}?warning=bow-ties`);
  const place = page.getByRole('status').filter({ hasText: /(Label \d+|Grid) of/ });
  await expect(place).toContainText('Label 1 of');
  await expect(page.getByRole('heading', { level: 3, name: 'Expected error' })).toBeVisible();
  await look(page, 'audit-queue');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page, 'main');

  await listens(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('a');
  await expect(place).toContainText('Label 2 of');
  await expect(place).toContainText('1 decided here');

  await page.keyboard.press('r');
  await expect(page.getByLabel('Reason')).toBeFocused();
  await page.keyboard.press('3');
  await expect(page.getByLabel('Reason')).toHaveValue(
    'The outline is too coarse: follow the visible border.',
  );
  await page.keyboard.press('Enter');
  await expect(place).toContainText('Label 3 of');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const canvas = page.getByRole('application', { name: 'Annotation canvas' });
  await page.keyboard.press('f');
  // It has painted a frame, and by then hears keys.
  await expect(canvas).toHaveAttribute('data-state', /\./);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Alt+ArrowRight');
  await look(page, 'audit-fix');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Control+Enter');
  await expect(place).toContainText('Label 4 of');
  await expect(canvas).toHaveCount(0);
  await page.keyboard.press('k');
  await expect(page.getByText('Put right', { exact: true }).first()).toBeVisible();

  await page.keyboard.press('u');
  await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible();
  await expect(place).toContainText('2 decided here');

  await page.keyboard.press('g');
  await expect(page.getByRole('listbox', { name: 'Labels' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expect(page.getByText('2 labels selected')).toBeVisible();
  await look(page, 'audit-grid');
  await page.setViewportSize({ width: 1280, height: 800 });
  const stored = page.waitForResponse((reply) => reply.url().endsWith('/audit/decisions') && reply.ok());
  await page.keyboard.press('a');
  await expect(place).toContainText('4 decided here');
  // Shown at once; a label that was refused is not counted any more.
  await stored;
  await expect(place).toContainText('4 decided here');
  await expectAccessible(page, 'main');
  expectQuiet(complaints);
});

test('the curator puts a label right with a box, which the smart tool did not answer without a lease', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, 'curator');
  await page.goto(`${audit}?warning=bow-ties`);
  const place = page.getByRole('status').filter({ hasText: /Label \d+ of/ });
  await expect(place).toContainText('Label 1 of');
  await listens(page);
  await page.keyboard.press('f');
  const annotator = new Annotator(page);
  await expect(annotator.canvas).toHaveAttribute('data-state', /\./);
  const before = await annotator.shapes();
  await annotator.tool('Smart object');
  const accept = page.getByRole('button', { name: /^Accept/ });
  const answered = page.waitForResponse(
    (reply) => reply.url().endsWith('/assist') && reply.request().method() === 'POST',
  );
  await annotator.drag([
    [20, 20],
    [60, 60],
    [180, 180],
  ]);
  expect((await answered).request().postDataJSON()).toMatchObject({ kind: 'box' });
  // The first question starts the processes of the models and loads them.
  await expect(accept).toBeVisible({ timeout: 30_000 });
  await look(page, 'audit-fix-box');
  await page.setViewportSize({ width: 1280, height: 800 });
  await accept.click();
  await expect.poll(() => annotator.shapes()).toBeGreaterThan(before);
  await page.keyboard.press('Control+Enter');
  await expect(place).toContainText('Label 2 of');
  await page.keyboard.press('u');
  await expect(place).toContainText('0 decided here');
  expectQuiet(complaints);
});

test('F pressed right after a rejection was lost while the next label loaded', async ({ page }) => {
  test.setTimeout(150_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, 'curator');
  // Every label but the first arrives only when the story lets it.
  let allow = () => {};
  const isAllowed = new Promise<void>((resolve) => {
    allow = resolve;
  });
  await page.route('**/audit/labels/*', async (route) => {
    if (route.request().method() === 'GET') await isAllowed;
    await route.continue();
  });
  await page.goto(audit);
  const place = page.getByRole('status').filter({ hasText: /Label \d+ of/ });
  await expect(place).toContainText('Label 1 of');
  await listens(page);
  await page.keyboard.press('r');
  await expect(page.getByLabel('Reason')).toBeFocused();
  await page.keyboard.press('3');
  await page.keyboard.press('Enter');
  await expect(place).toContainText('Label 2 of');
  // The second label is still on its way: its rejection, with the reason, and a correction of the third.
  for (const key of ['r', '3', 'Enter', 'f']) await page.keyboard.press(key);
  await expect(place).toContainText('Label 2 of');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  allow();
  await expect(place).toContainText('Label 3 of');
  await expect(place).toContainText('2 decided here');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('u');
  await page.keyboard.press('u');
  await expect(place).toContainText('0 decided here');
  await expect(place).toContainText('Label 1 of');
});

test('a key for a label that cannot be loaded is rejected in sight', async ({ page }) => {
  await signIn(page, 'curator');
  await page.route('**/audit/labels/*', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  );
  await page.goto(audit);
  const place = page.getByRole('status').filter({ hasText: /Label \d+ of/ });
  await expect(place).toContainText('Label 1 of');
  await listens(page);
  await page.keyboard.press('j');
  await expect(place).toContainText('Label 2 of');
  await page.keyboard.press('a');
  await expect(page.getByText('The label is not loaded, so nothing was decided.')).toBeVisible();
  await expect(place).toContainText('0 decided here');
});

test('the curator draws a sample, judges it, and knows the error rate', async ({ page }) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto(`${audit}/samples`);
  await page.getByLabel('Margin, ± %').fill('10');
  await expect(page.getByText(/^Audit \d+ of \d+ to know the error rate ± 10\s% at 95\s%\.$/)).toBeVisible();
  await look(page, 'audit-samples');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page, 'main');
  await page.getByRole('button', { name: 'Draw the sample' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Sample of all stages/ })).toBeVisible();
  await listens(page);
  await page.keyboard.press('a');
  await expect(page.getByText('Label 2 of')).toBeVisible();
  // The next label is there at once, the rate when the judgement is stored.
  await expect(page.getByRole('status').filter({ hasText: 'n = 1' })).toBeVisible();
  await page.keyboard.press('x');
  await expect(page.getByRole('status').filter({ hasText: 'n = 2' })).toContainText(/50\.0\s%/);
  await look(page, 'audit-sample');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page, 'main');
  await page.keyboard.press('u');
  await expect(page.getByRole('status').filter({ hasText: 'n = 1' })).toContainText(/0\.0\s%/);
  await page.getByRole('button', { name: 'Close the audit' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('This audit is closed: its rate stands.')).toBeVisible();
  await page.getByRole('link', { name: 'All samples' }).click();
  await expect(page.getByRole('table')).toContainText('closed');
  const csv = await page.request.get(`${audit}/samples/csv`);
  expect((await csv.text()).split('\r\n')[1]).toMatch(/,closed,\d+,\d+,1,0,0,0,/);
  expectQuiet(complaints);
});
