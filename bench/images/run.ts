/**
 * The grid of images in Chromium, on a started Tessera of its own: how soon the first pictures are there, how long a
 * scrolled or jumped-to screen takes, and one page of the API at the start, the middle and the end of the list, which
 * should not differ. Prints Markdown tables.
 *
 *   npm run bench:images [-- --images 100000] [--rounds 10] [--jumps 60]
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { enterDatabase } from '@/bin/database/enter';
import { findChromium } from '@/bin/tools/chromium';
import { formatNumber } from '@/lib/core/format';
import { demoPeople } from '@/lib/demo/people';
import { password, signIn } from '@/test/e2e/support/people';
import { startTessera, temporaryHome } from '@/test/support/instance';
import { figuresOf, tableRow, text } from '../canvas/figures';
import { fillImages } from './fill';
import { askPage, firstPaint, layoutShift, scrollOn, scrollTo } from './measure';

const { values: options } = parseArgs({
  options: {
    images: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '10' },
    jumps: { type: 'string', default: '60' },
  },
});
const rounds = Number(options.rounds);
const jumps = Number(options.jumps);

const place = await temporaryHome();
const env = { TESSERA_HOME: place.home, PORT: String(place.port), TESSERA_DEMO_PASSWORD: password };
const instance = startTessera(['start'], env);
const browser = await chromium.launch({ executablePath: await findChromium() });
try {
  await instance.says(/is running at/);
  Object.assign(process.env, env);
  const slug = await fill();
  const context = await browser.newContext({
    baseURL: place.url,
    viewport: { width: 1280, height: 800 },
  });
  const page = await context.newPage();
  await signIn(page, 'curator');
  console.log(`Chromium ${browser.version()}, ${cpus().length} × ${cpus()[0]?.model}`);
  console.log(`${formatNumber(Number(options.images))} images; milliseconds, median / 95th percentile.\n`);
  await printGrid(page, slug);
  await printApi(page, slug);
} finally {
  await browser.close();
  instance.process.kill('SIGTERM');
  await instance.ended;
  await place.remove();
}

async function fill(): Promise<string> {
  await using entered = await enterDatabase();
  return await fillImages(entered.db, Number(options.images), demoPeople.curator.email);
}

async function printGrid(page: Page, slug: string): Promise<void> {
  const address = `/projects/${slug}/images`;
  await firstPaint(page, address);
  const opened = [];
  for (let i = 0; i < rounds; i++) opened.push(await firstPaint(page, address));
  const on: number[] = [];
  for (let i = 0; i < jumps; i++) on.push(await scrollOn(page));
  const jumped: number[] = [];
  // Steps of the golden ratio come to every part of the list and never twice to the same.
  for (let i = 1; i <= jumps; i++) jumped.push(await scrollTo(page, (i * 0.618034) % 1));
  const shift = await layoutShift(page);
  const tiles = await page.getByRole('region', { name: 'Images' }).getByRole('listitem').count();
  console.log(tableRow(['the grid', 'ms']));
  console.log(tableRow(['---', '---']));
  console.log(tableRow(['first contentful paint', text(figuresOf(opened.map(({ paint }) => paint)))]));
  console.log(
    tableRow([
      'all pictures in sight, from opening',
      text(figuresOf(opened.map(({ pictures }) => pictures))),
    ]),
  );
  console.log(tableRow(['one screen further', text(figuresOf(on))]));
  console.log(tableRow(['a jump to anywhere', text(figuresOf(jumped))]));
  console.log(`\nLayout shift ${shift.toFixed(4)}; ${tiles} tiles in the document at the end.\n`);
}

async function printApi(page: Page, slug: string): Promise<void> {
  const api = `/api/v1/projects/${slug}/images`;
  const { ends } = await page.evaluate(async (url) => (await fetch(url)).json(), `${api}/pages`);
  console.log(tableRow(['one page of 200 by the API', 'ms']));
  console.log(tableRow(['---', '---']));
  for (const [name, share] of [
    ['at the start', 0],
    ['in the middle', 0.5],
    ['at the end', 1],
  ] as const) {
    const after: string | undefined = share === 0 ? undefined : ends[Math.floor(share * (ends.length - 2))];
    const cursor = after ? `&cursor=${Buffer.from(JSON.stringify([after])).toString('base64url')}` : '';
    const times: number[] = [];
    for (let i = 0; i < 3 * rounds; i++)
      times.push(await askPage(page, `${api}?limit=200&total=no${cursor}`));
    console.log(tableRow([name, text(figuresOf(times))]));
  }
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) times.push(await askPage(page, `${api}/pages`));
  console.log(tableRow(['the ends of all pages', text(figuresOf(times))]));
}
