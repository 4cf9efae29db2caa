import { expect, type Page } from '@playwright/test';
import { demoPeople } from '@/lib/demo/people';

/** Set by playwright.config.ts for the instance under test. */
export const password = 'mosaic-of-tests';

export type Who = keyof typeof demoPeople;

export async function signIn(page: Page, who: Who): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(demoPeople[who].email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}
