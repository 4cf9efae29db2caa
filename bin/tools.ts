import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '@/lib/config';

/** The system's own first: that is where the packages of the system are. */
const candidates = ['/usr/bin/python3', '/opt/homebrew/bin/python3', '/usr/local/bin/python3'];

export function findPython(named: string | undefined): string | undefined {
  return named ?? candidates.find((file) => existsSync(file));
}

/** What a line of Python prints, or undefined when it fails. */
export function run(python: string, code: string): string | undefined {
  const { status, stdout } = spawnSync(python, ['-c', code], { encoding: 'utf8', timeout: 60_000 });
  return status === 0 ? stdout.trim() : undefined;
}

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

/** How to install packages on this system, if it is one with apt. */
export function aptGet(packages: string): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) return undefined;
  return `${process.getuid?.() === 0 ? '' : 'sudo '}apt-get install -y --no-install-recommends ${packages}`;
}
