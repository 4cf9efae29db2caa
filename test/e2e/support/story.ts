import { type BrowserContext, test as base, type Page, selectors } from '@playwright/test';

export { expect } from '@playwright/test';

/**
 * Finds the page while it is deaf: the server has sent its buttons and fields, and React does not listen to them
 * yet. React marks every element that it has taken over; its root says when the first of it is done.
 */
const deaf = () => {
  const isMarked = (node: Node, mark: string) => Object.keys(node).some((key) => key.startsWith(mark));
  const isDeaf = () => {
    if (!document.querySelector('script[src*="/_next/"]')) return false;
    const root = Object.entries(document).find(([key]) => key.startsWith('__reactContainer$'))?.[1];
    if (!root || root.stateNode.current.memoizedState.isDehydrated) return true;
    const controls = document.querySelectorAll('button, input:not([type=hidden]), select, textarea');
    return [...controls].some((control) => !isMarked(control, '__reactProps$'));
  };
  const found = () => (isDeaf() ? document.documentElement : null);
  return { query: found, queryAll: () => [found()].filter((element) => element !== null) };
};

const registered = selectors.register('deaf', deaf);

/** Everything that the server sent is drawn by the browser too, and listens. */
export const isAwake = (page: Page) => page.locator('deaf=page').waitFor({ state: 'detached' });

/**
 * Only for keys that are pressed right after a page was opened; all else waits by itself, see `patient`. What
 * listens to keys of the whole page does so by an effect, which comes when there is nothing more urgent to do.
 */
export async function listens(page: Page): Promise<void> {
  await isAwake(page);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })));
}

/**
 * On every page of this context, everything that is pressed, filled or expected waits until the page listens. A
 * person on a slow machine presses again; a story would wait for what never comes.
 */
export async function patient(context: BrowserContext): Promise<BrowserContext> {
  await registered;
  context.on('page', (page) => {
    // There is nothing to do but to wait until it is not found any more, which Playwright does after this.
    page.addLocatorHandler(page.locator('deaf=page'), async () => {}).catch(() => {});
  });
  return context;
}

export const test = base.extend({
  context: async ({ context }, use) => use(await patient(context)),
});
