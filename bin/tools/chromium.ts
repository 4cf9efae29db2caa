import { existsSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '@/lib/config';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApps = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser for the tests: the one that is named, one of the system, or Playwright's own. */
export async function findChromium(): Promise<string | undefined> {
  const named = readConfig().TESSERA_CHROMIUM;
  if (named) return existsSync(named) ? named : undefined;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    ...macApps,
    ...(await playwrights()),
  ];
  return candidates.find((file) => existsSync(file));
}

/** Playwright is for development: an installation without it is whole. */
async function playwrights(): Promise<string[]> {
  const playwright = await import('@playwright/test').catch(() => undefined);
  return playwright ? [playwright.chromium.executablePath()] : [];
}
