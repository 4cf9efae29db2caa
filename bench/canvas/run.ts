/**
 * Frame times of the annotator's canvas beside a plain SVG of the same shapes, in the same browser and run.
 *
 *   node --import tsx bench/canvas/run.ts [--scenes 200,2000]
 */
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { build } from 'esbuild';
import { findChromium } from '@/bin/tools/chromium';
import { projectFolder } from '@/lib/config';
import { acts, scenes } from './scenes';

const { values: options } = parseArgs({ options: { scenes: { type: 'string' } } });

const bundle = await build({
  entryPoints: ['bench/canvas/page/main.ts'],
  absWorkingDir: projectFolder,
  bundle: true,
  write: false,
  format: 'iife',
  define: { 'process.env.NODE_ENV': '"production"' },
  tsconfig: 'tsconfig.json',
});

const browser = await chromium.launch({ executablePath: await findChromium() });
const wanted = scenes.filter(
  ({ name }) => !options.scenes || options.scenes.split(',').some((part) => name.includes(part)),
);
const width = Math.max(...scenes.map(({ name }) => name.length));
console.log(`Median and 95th percentile of the time between frames, in ms. Chromium ${browser.version()}.`);
console.log(`${''.padEnd(width)}  ${acts.map((act) => act.padEnd(28)).join('')}`);
console.log(`${''.padEnd(width)}  ${acts.map(() => 'ours'.padEnd(14) + 'svg'.padEnd(14)).join('')}`);
try {
  for (const spec of wanted) {
    const cells: string[][] = [];
    for (const who of ['ours', 'svg'] as const) {
      const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
      await page.setContent('<!doctype html><style>body{margin:0}</style><body></body>');
      await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
      const measured = await page.evaluate(([by, scene, list]) => window.measureScene(by, scene, list), [
        who,
        spec,
        acts,
      ] as const);
      cells.push(measured.map(({ median, p95 }) => `${median.toFixed(1)} / ${p95.toFixed(1)}`.padEnd(14)));
      await page.close();
    }
    console.log(
      `${spec.name.padEnd(width)}  ${acts.map((_, i) => `${cells[0]?.[i]}${cells[1]?.[i]}`).join('')}`,
    );
  }
} finally {
  await browser.close();
}
