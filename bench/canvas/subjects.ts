import type { Browser, Page } from '@playwright/test';
import { build } from 'esbuild';
import { projectFolder } from '@/lib/config';

/** Who shows a scene. */
export const subjects = ['ours', 'svg'] as const;
export type SubjectName = (typeof subjects)[number];

/** Everything that runs in the browser, as one script. */
export async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['bench/canvas/page/main.ts'],
    absWorkingDir: projectFolder,
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfig: 'tsconfig.json',
  });
  return outputFiles[0]?.text ?? '';
}

/** A page of its own for each measurement: nothing is left from the one before. */
export async function withPage<T>(
  browser: Browser,
  bundle: string,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  try {
    await page.setContent('<!doctype html><style>body{margin:0}</style><body></body>');
    await page.addScriptTag({ content: bundle });
    return await use(page);
  } finally {
    await page.close();
  }
}
