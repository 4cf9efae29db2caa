import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import { Annotator } from '@/test/e2e/support/annotator';
import { password, signIn } from '@/test/e2e/support/people';
import { startTessera, temporaryHome } from '@/test/support/instance';
import { figuresOf, tableRow, text } from './figures';

const STAGE = 'Object masks';
const OPENINGS = 10;
const ITEMS = 200;
/** By then everything is compiled and every cache is full. */
const SETTLED = 20;

/** The annotator as it is served, on the demo workspace of an instance of its own. */
export async function printRealPage(browser: Browser): Promise<void> {
  const place = await temporaryHome();
  const env = { TESSERA_HOME: place.home, PORT: String(place.port), TESSERA_DEMO_PASSWORD: password };
  const instance = startTessera(['start'], env);
  try {
    await instance.says(/is running at/);
    const context = await browser.newContext({
      baseURL: place.url,
      viewport: { width: 1280, height: 800 },
    });
    const page = await context.newPage();
    await signIn(page, 'worker1');
    await new Annotator(page).open(STAGE, 1);
    await printOpening(page);
    await printMemory(context, page);
    await context.close();
  } finally {
    instance.process.kill('SIGTERM');
    await instance.ended;
    await place.remove();
  }
}

async function printOpening(page: Page): Promise<void> {
  const [reloads, steps]: [number[], number[]] = [[], []];
  for (let i = 0; i < OPENINGS; i++) {
    await page.reload();
    reloads.push(await page.evaluate(firstStroke, undefined));
  }
  for (let i = 0; i < OPENINGS; i++) {
    steps.push(await page.evaluate(firstStroke, i % 2 === 0 ? 'PageDown' : 'PageUp'));
    await new Annotator(page).isReady();
  }
  console.log('From opening an item to the first possible stroke in ms, median / 95th percentile.\n');
  console.log(tableRow(['', 'the real page']));
  console.log(tableRow(['---', '---']));
  console.log(tableRow(['the page is loaded', text(figuresOf(reloads))]));
  console.log(tableRow(['to the next item of the batch', text(figuresOf(steps))]));
  console.log('');
}

/** Runs in the page: waits until the canvas hears a pointer and may be changed. By a key, on another item than now. */
async function firstStroke(key: string | undefined): Promise<number> {
  const wanted = '[role="application"][data-state]';
  const before = key === undefined ? null : document.querySelector(wanted);
  const start = key === undefined ? 0 : performance.now();
  if (key !== undefined) window.dispatchEvent(new KeyboardEvent('keydown', { key, code: key }));
  for (;;) {
    const canvas = document.querySelector(wanted);
    const isEnabled = [...document.querySelectorAll('button')].some(
      ({ textContent, disabled }) => textContent === 'Submit' && !disabled,
    );
    if (canvas && canvas !== before && isEnabled) return performance.now() - start;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

async function printMemory(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  const annotator = new Annotator(page);
  const { items } = await annotator.batch();
  await page.goto(`${new URL(page.url()).pathname}?item=1`);
  await annotator.isReady();
  let settled = 0;
  for (let i = 0; i < ITEMS; i++) {
    await annotator.tool('Brush');
    await annotator.drag([
      [40, 40],
      [120, 90],
    ]);
    if (i === SETTLED) settled = await heapOf(session);
    const isBack = Math.floor(i / (items.length - 1)) % 2 === 1;
    const number = page.getByText(/^Item \d+ of/);
    const before = await number.textContent();
    await page.keyboard.press(isBack ? 'PageUp' : 'PageDown');
    await page.waitForFunction((text) => !document.body.textContent?.includes(text), before ?? '');
    await annotator.isReady();
  }
  const after = await heapOf(session);
  console.log('JavaScript heap after collecting garbage, each item opened, painted on and left.\n');
  console.log(tableRow(['', 'MB']));
  console.log(tableRow(['---', '---']));
  console.log(tableRow([`after ${SETTLED} items`, settled.toFixed(1)]));
  console.log(tableRow([`after ${ITEMS} items`, after.toFixed(1)]));
  await session.detach();
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
