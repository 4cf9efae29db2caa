import { stranger } from './support/invite';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, listens, test } from './support/story';

test('a newcomer joins by an invitation link and finds their project', async ({ page, browser }) => {
  await signIn(page, 'curator');
  await page.goto('/projects/rival10-demo/crowd/people');
  await look(page, 'people');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Role').selectOption('researcher');
  await page.getByRole('button', { name: 'Create link' }).click();
  const output = page.getByRole('dialog').locator('output');
  await expect(output).toContainText('/join/');
  const link = new URL((await output.textContent()) ?? '').pathname;

  const nora = await stranger(browser);
  await nora.goto(link);
  await look(nora, 'join');
  await nora.getByLabel('Name').fill('Nora Newcomer');
  await nora.getByLabel('E-mail').fill(`nora-${Date.now()}@example.org`);
  await nora.getByLabel('Password').fill('a long enough secret');
  await nora.getByRole('button', { name: /join|create|accept/i }).click();
  await expect(nora.getByRole('table').getByRole('link', { name: 'RIVAL10 demo' })).toBeVisible();

  const late = await stranger(browser);
  expect((await late.goto(link))?.ok()).toBe(true);
  await expect(late.getByRole('heading').first()).toBeVisible();
  await expect(late.getByLabel('Password')).toHaveCount(0);
});

test('the curator pauses a project and starts it again; the activity page tells of both', async ({
  page,
}) => {
  await signIn(page, 'curator');
  await page.goto('/projects/rival10-demo/settings');
  await look(page, 'settings');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Start collecting' })).toBeVisible();
  await page.getByRole('button', { name: 'Start collecting' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start collecting' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.goto('/projects/rival10-demo/activity');
  await expect(page.getByRole('table').getByText('Changed the project').first()).toBeVisible();
  await look(page, 'activity');
});

test('the palette opens by Ctrl-K and leads to any page', async ({ page }) => {
  await signIn(page, 'curator');
  await page.goto('/projects');
  await listens(page);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'palette');
  await page.keyboard.type('part-imagenet');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/part-imagenet-demo/);
});

test('the schema page shows every attribute with its rules', async ({ page }) => {
  await signIn(page, 'curator');
  await page.goto('/projects/rival10-demo/schema');
  await expect(page.getByText('Floppy ears', { exact: true })).toBeVisible();
  await look(page, 'schema');
});
