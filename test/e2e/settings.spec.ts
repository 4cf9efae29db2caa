import { expect, test } from '@playwright/test';
import { look } from './support/look';
import { signIn } from './support/people';

test('a newcomer joins by an invitation link and finds their project', async ({ page, browser }) => {
  await signIn(page, 'curator');
  await page.goto('/projects/rival10-demo/crowd/people');
  await look(page, 'people');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Role').selectOption('researcher');
  await page.getByRole('button', { name: 'Make the link' }).click();
  const link = (await page.getByRole('dialog').locator('output').textContent()) ?? '';
  expect(link).toContain('/join/');

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(new URL(link).pathname);
  await look(stranger, 'join');
  await stranger.getByLabel('Name').fill('Nora Newcomer');
  await stranger.getByLabel('E-mail').fill(`nora-${Date.now()}@example.org`);
  await stranger.getByLabel('Password').fill('a long enough secret');
  await stranger.getByRole('button', { name: /join|create|accept/i }).click();
  await expect(stranger.getByRole('table').getByRole('link', { name: 'RIVAL10 demo' })).toBeVisible();

  const late = await (await browser.newContext()).newPage();
  await late.goto(new URL(link).pathname);
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
  await expect(page.getByRole('table').getByText('project.update').first()).toBeVisible();
  await look(page, 'activity');
});

test('the palette opens by Ctrl-K and leads to any page', async ({ page }) => {
  await signIn(page, 'curator');
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: 500 });
  }).toPass();
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
