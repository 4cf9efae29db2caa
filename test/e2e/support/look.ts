import type { Page } from '@playwright/test';

const heights: Readonly<Record<number, number>> = { 390: 844, 820: 1180, 1280: 800, 1920: 1080 };
const schemes = ['light', 'dark'] as const;

/**
 * Keeps the page as a person would see it, at the widths given, light and dark, for whoever wants to look:
 * `TESSERA_LOOK=1 npx playwright test`. Nobody looks at the pictures of an ordinary run, and they take minutes.
 */
export async function look(
  page: Page,
  name: string,
  widths: readonly number[] = [1280, 1920],
): Promise<void> {
  if (!process.env.TESSERA_LOOK) return;
  for (const width of widths) {
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height: heights[width] ?? 1080 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        animations: 'disabled',
        path: `test-results/screens/${name}-${width}-${colorScheme}.png`,
      });
    }
  }
}

/** The same as a phone shows it. */
export async function lookAtPhone(page: Page, name: string): Promise<void> {
  if (!process.env.TESSERA_LOOK) return;
  for (const colorScheme of schemes) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme });
    await page.screenshot({
      animations: 'disabled',
      path: `test-results/screens/${name}-390-${colorScheme}.png`,
    });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
