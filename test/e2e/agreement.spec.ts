import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, test } from './support/story';

const project = '/projects/rival10-demo';

/** Presses a button that asks whether it is meant, and says yes. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('alertdialog').getByRole('button', { name }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
}

test('the curator sees what needs them, and compares two workers', async ({ page }) => {
  test.setTimeout(120_000);
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto(project);
  await expect(page.getByRole('heading', { level: 2, name: 'Needs your attention' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Checks passed' })).toBeVisible();
  await look(page, 'overview');
  await expectAccessible(page, 'main');

  await page.goto(`${project}/crowd`);
  await expect(page.getByRole('group', { name: 'Precision and recall' })).toBeVisible();
  await expectAccessible(page, 'main');
  await page.getByRole('link', { name: 'Compare two' }).click();
  await page.getByLabel('One').selectOption({ label: 'Wanda Silva' });
  await page.getByLabel('The other').selectOption({ label: 'Wen Zhao' });
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('region', { name: 'Scores' }).getByText('Precision')).toBeVisible();
  await look(page, 'crowd-compare');
  await expectAccessible(page, 'main');
  const csv = await page.request.get(page.url().replace('/compare', '/compare/csv'));
  expect((await csv.text()).split('\r\n')[0]).toBe('stage,measure,worker,value,low,high,n');
  expectQuiet(complaints);
});

test('the curator sees how far people agree, builds a consensus, takes it back, and finds in the activity who did it', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto(project);
  await page.getByRole('link', { name: 'Agreement' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Agreement' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Stages' })).toBeVisible();
  await look(page, 'agreement');
  await expectAccessible(page, 'main');
  await page
    .getByRole('navigation', { name: 'Stages' })
    .getByRole('link', { name: /Object masks/ })
    .click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('Labels that would change')).toBeVisible();
  await look(page, 'agreement-preview');
  await press(page, 'Build consensus');
  // The list asks again while a job runs.
  await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible({ timeout: 30_000 });
  await press(page, 'Take back');
  const runs = page.getByRole('table', { name: 'Consensus runs' });
  await expect(runs.getByRole('row').nth(1).getByText('taken back', { exact: true })).toBeVisible({
    timeout: 30_000,
  });

  await page.goto(`${project}/activity`);
  await page.getByLabel('Event', { exact: true }).selectOption('project.create');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/verb=project\.create/);
  await expect(page.getByRole('region', { name: 'Activity' }).getByText('Created the project')).toHaveCount(
    1,
  );
  await look(page, 'activity');
  await expectAccessible(page, 'main');
  const lines = await page.request.get(`${project}/activity/export?verb=project.create&as=jsonl`);
  expect(JSON.parse((await lines.text()).trim())).toMatchObject({
    verb: 'project.create',
    subject: 'project',
  });
  expectQuiet(complaints);
});
