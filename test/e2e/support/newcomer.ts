import type { Browser, Page } from '@playwright/test';
import { stranger } from './invite';
import { expect } from './story';

/** Opens a link for workers, joins under a pseudonym, and agrees to what is asked. Ends on the worker's home. */
export async function joinAsWorker(browser: Browser, link: string): Promise<Page> {
  const page = await stranger(browser);
  await page.goto(link);
  await page.getByRole('button', { name: 'Join under a pseudonym instead' }).click();
  await page.getByLabel('Pseudonym').fill(`wren-${Date.now()}`);
  await page.getByLabel('Password').fill('a long enough secret');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.getByRole('link', { name: 'Read and agree' }).click();
  await page.getByLabel('I am at least 18 years old.').check();
  await page.getByRole('button', { name: 'I agree and take part' }).click();
  await expect(page).toHaveURL(/\/guide$/);
  await page.goto('/annotate');
  return page;
}

/** Takes the first batch of a stage. The items of a project that has just been started are made by a job. */
export async function startBatch(page: Page, stage: string): Promise<void> {
  const start = page.getByRole('button', { name: new RegExp(`^Start .*${stage}$`) });
  await expect(async () => {
    if (!(await start.isVisible())) await page.goto('/annotate');
    await expect(start).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
  await start.click();
  await page.waitForURL(/\/annotate\/batch\//);
}
