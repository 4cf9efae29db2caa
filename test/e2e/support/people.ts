import { expect, type Page } from '@playwright/test';
import { demoPeople } from '@/lib/demo/people';

/** Set by playwright.config.ts for the instance under test. */
export const password = 'mosaic-of-tests';

export type Who = keyof typeof demoPeople;

/** As a person does it. */
export async function signInByHand(page: Page, who: Who): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(demoPeople[who].email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}

/** For stories that begin after it: one request instead of a page and its form. Ends on the person's home. */
export async function signIn(page: Page, who: Who): Promise<void> {
  const { origin } = new URL((await page.request.get('/favicon.ico')).url());
  const reply = await page.request.post('/api/auth/sign-in/email', {
    data: { email: demoPeople[who].email, password },
    headers: { origin },
  });
  expect(reply.status()).toBe(200);
  await page.goto('/');
  await expect(page).not.toHaveURL(/sign-in/);
}
