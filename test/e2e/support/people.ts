import type { BrowserContext, Page } from '@playwright/test';
import { demoPeople } from '@/lib/demo/people';
import { expect, test } from './story';

/** Set by playwright.config.ts for the instance under test. */
export const password = 'mosaic-of-tests';

export type Who = keyof typeof demoPeople;
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** As one of our own pages sends it: a request with a cookie must say where it comes from. */
export const fromHere = () => ({ origin: test.info().project.use.baseURL ?? '' });

/** As a person does it. */
export async function signInByHand(page: Page, who: Who): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(demoPeople[who].email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}

const sessions = new Map<Who, Cookies>();

/**
 * For stories that begin after it. A person's session is begun once and used by all of them, so whoever signs out
 * signs in by hand. Opens no page.
 */
export async function signIn(page: Page, who: Who): Promise<void> {
  const known = sessions.get(who);
  if (known) return page.context().addCookies(known);
  const reply = await page.request.post('/api/auth/sign-in/email', {
    data: { email: demoPeople[who].email, password },
    headers: fromHere(),
  });
  expect(reply.status()).toBe(200);
  // The language is chosen per story.
  const cookies = await page.context().cookies();
  sessions.set(
    who,
    cookies.filter(({ name }) => name !== 'tessera-language'),
  );
}
