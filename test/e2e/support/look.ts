import type { Page } from '@playwright/test';

const widths = [1280, 1920] as const;
const schemes = ['light', 'dark'] as const;

/** Keeps the page as a person would see it, at both widths, light and dark. */
export async function look(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height: width === 1280 ? 800 : 1080 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `test-results/screens/${name}-${width}-${colorScheme}.png` });
    }
  }
}
