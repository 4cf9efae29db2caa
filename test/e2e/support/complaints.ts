import { expect, type Page } from '@playwright/test';

/** What the browser complains about while a page is used: script errors, refused resources, broken hydration. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  return complaints;
}

export function expectQuiet(complaints: string[]): void {
  expect(complaints).toEqual([]);
}
