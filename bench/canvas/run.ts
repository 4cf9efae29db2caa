/**
 * The annotator's canvas in Chromium: frame times and the latency of a stroke beside a plain SVG of the same shapes,
 * in turns in one browser (the best of the rounds counts), and then the real page of a started Tessera: how soon one can draw, and what stays in memory.
 * Prints Markdown tables.
 *
 *   npm run bench:canvas [-- --only frames,latency,page] [--scenes "200 pol,6000"] [--rounds 3]
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { findChromium } from '@/bin/tools';
import { printFrames, printLatency } from './frames';
import { printRealPage } from './real-page';
import { bundlePage, scenes } from './scenes';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'frames,latency,page' },
    scenes: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
  },
});

const parts = options.only.split(',');
const names = options.scenes.split(',');
const wanted = scenes.filter(({ name }) => names.some((part) => name.includes(part)));
const rounds = Number(options.rounds);

const browser = await chromium.launch({ executablePath: await findChromium() });
try {
  console.log(`Chromium ${browser.version()}, ${cpus().length} × ${cpus()[0]?.model}\n`);
  const bundle = await bundlePage();
  if (parts.includes('frames')) await printFrames(browser, bundle, wanted, rounds);
  if (parts.includes('latency')) await printLatency(browser, bundle, wanted, rounds);
  if (parts.includes('page')) await printRealPage(browser);
} finally {
  await browser.close();
}
