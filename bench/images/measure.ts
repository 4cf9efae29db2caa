import type { Page } from '@playwright/test';

/** Runs in the page: milliseconds from the start of the navigation until every tile in sight shows its picture. */
export async function firstPaint(page: Page, address: string): Promise<{ paint: number; pictures: number }> {
  await page.goto(address, { waitUntil: 'commit' });
  const pictures = await page.evaluate(allInSight, 0);
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  return { paint, pictures };
}

/** Jumps to a share of the list's height; milliseconds until every tile there has its data and its picture. */
export async function scrollTo(page: Page, share: number): Promise<number> {
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
export async function scrollOn(page: Page): Promise<number> {
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
export const askPage = (page: Page, address: string): Promise<number> =>
  page.evaluate(async (url) => {
    const begun = performance.now();
    const reply = await fetch(url);
    if (!reply.ok) throw new Error(`The server answered ${reply.status}.`);
    await reply.json();
    return performance.now() - begun;
  }, address);

/** The sum of all layout shifts of the page so far that no input explains. */
export const layoutShift = (page: Page): Promise<number> =>
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
