import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * No rule of axe is broken on the page, or in a part of it. What they share, such as the frame around the pages of
 * a project, need not be looked at on each. Axe's newer mode puts the results of several frames together on a page
 * of its own, which takes longer than looking; our pages have one frame.
 */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  // The title arrives after the page: Next.js streams it.
  await expect(page).toHaveTitle(/./);
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (part ? axe.include(part) : axe).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}
