import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { enterDatabase } from '@/bin/database/enter';
import { findChromium } from '@/bin/tools';
import { type Database, newId, tables } from '@/db';
import { formatNumber } from '@/lib/core/format';
import { demoPeople } from '@/lib/demo/people';
import { systemActor } from '@/lib/services/access';
import { createProject } from '@/lib/services/projects';
import { password, signIn } from '@/test/e2e/support/people';
import { startTessera, temporaryHome } from '@/test/support/instance';
import { figuresOf, tableRow, text } from './canvas/figures';

const { derivatives, images, memberships, projects, users } = tables;

/** Runs in the page: milliseconds from the start of the navigation until every tile in sight shows its picture. */
async function firstPaint(page: Page, address: string): Promise<{ paint: number; pictures: number }> {
  await page.goto(address, { waitUntil: 'commit' });
  const pictures = await page.evaluate(allInSight, 0);
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  return { paint, pictures };
}

/** Jumps to a share of the list's height; milliseconds until every tile there has its data and its picture. */
async function scrollTo(page: Page, share: number): Promise<number> {
  const start = await page.evaluate((to) => {
    const list = document.querySelector<HTMLElement>('section[aria-label="Images"]');
    if (!list) throw new Error('There is no list.');
    const begun = performance.now();
    list.scrollTop = to * (list.scrollHeight - list.clientHeight);
    return begun;
  }, share);
  return page.evaluate(allInSight, start);
}

/** Jumps by one screen, as Page Down does. */
async function scrollOn(page: Page): Promise<number> {
  const start = await page.evaluate(() => {
    const list = document.querySelector<HTMLElement>('section[aria-label="Images"]');
    if (!list) throw new Error('There is no list.');
    const begun = performance.now();
    list.scrollTop += list.clientHeight;
    return begun;
  });
  return page.evaluate(allInSight, start);
}

/** Runs in the page, where functions that the compiler gave a name cannot be used. */
async function allInSight(start: number): Promise<number> {
  if (start > 0) await new Promise((resolve) => requestAnimationFrame(resolve));
  for (;;) {
    const list = document.querySelector<HTMLElement>('section[aria-label="Images"]');
    const box = list?.getBoundingClientRect();
    const tiles = [...(list?.querySelectorAll('li') ?? [])].filter((tile) => {
      const { top, bottom } = tile.getBoundingClientRect();
      return box !== undefined && bottom > box.top && top < box.bottom;
    });
    if (tiles.length > 0 && tiles.every((tile) => tile.querySelector('img')?.complete === true))
      return performance.now() - start;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Milliseconds of one page of the API from a place in the list. */
const askPage = (page: Page, address: string): Promise<number> =>
  page.evaluate(async (url) => {
    const begun = performance.now();
    const reply = await fetch(url);
    if (!reply.ok) throw new Error(`The server answered ${reply.status}.`);
    await reply.json();
    return performance.now() - begun;
  }, address);

/** The sum of all layout shifts of the page so far that no input explains. */
const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
            if (!entry.hadRecentInput) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 200);
      }),
  );

/** Rows per statement. */
const CHUNK = 2000;

/**
 * A project of many images that share the files of the demo's pictures: a grid reads rows and thumbnails, and does
 * not care that a thumbnail comes again. Returns the slug.
 */
async function fillImages(db: Database, count: number, curatorEmail: string): Promise<string> {
  const slug = `many-${newId().slice(-8)}`;
  const { id: projectId } = await createProject(db, systemActor('bench'), {
    name: 'Many images',
    slug,
    preset: 'rival10',
  });
  const [curator] = await db.select({ id: users.id }).from(users).where(eq(users.email, curatorEmail));
  if (!curator) throw new Error('The demo has a curator.');
  await db.insert(memberships).values({ projectId, userId: curator.id, role: 'curator' });
  const models = await db
    .select({ image: images, thumbnail: derivatives })
    .from(images)
    .innerJoin(derivatives, eq(derivatives.imageId, images.id))
    .innerJoin(projects, eq(projects.id, images.projectId))
    .where(eq(derivatives.kind, 'thumbnail'))
    .limit(200);
  for (let from = 0; from < count; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, count - from) }, (_, i) => {
      const model = models[(from + i) % models.length];
      if (!model) throw new Error('The demo has pictures.');
      return { id: newId(), n: from + i, model };
    });
    await db.insert(images).values(
      rows.map(({ id, n, model }) => ({
        ...model.image,
        id,
        projectId,
        name: `picture-${String(n).padStart(6, '0')}.png`,
        sourceSha256: id,
        perceptualHash: BigInt.asIntN(64, BigInt(n) * 0x9e3779b97f4a7c15n),
        lookalikeOf: null,
      })),
    );
    await db.insert(derivatives).values(rows.map(({ id, model }) => ({ ...model.thumbnail, imageId: id })));
  }
  await db.execute('analyze');
  return slug;
}

/**
 * The grid of images in Chromium, on a started Tessera of its own: how soon the first pictures are there, how long a
 * scrolled or jumped-to screen takes, and one page of the API at the start, the middle and the end of the list, which
 * should not differ. Prints Markdown tables.
 *
 *   npm run bench:images [-- --images 100000] [--rounds 10] [--jumps 60]
 */

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
