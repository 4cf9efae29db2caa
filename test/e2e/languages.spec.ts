import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { projectFolder } from '@/lib/config';
import { pseudoLocale } from '@/lib/core/i18n/locales';
import { type Catalogue, pseudoCatalogue } from '@/lib/core/i18n/pseudo';
import { expectAccessible } from './support/accessible';
import { Annotator } from './support/annotator';
import { complaintsOf, expectQuiet } from './support/complaints';
import { stranger, workerLink } from './support/invite';
import { look } from './support/look';
import { joinAsWorker } from './support/newcomer';
import { partsProject } from './support/parts-project';
import { fromHere, signIn } from './support/people';
import { expect, listens, test } from './support/story';

const read = (locale: string): Catalogue =>
  JSON.parse(readFileSync(path.join(projectFolder, 'messages', `${locale}.json`), 'utf8'));

const texts = (catalogue: Catalogue): string[] =>
  Object.values(catalogue).flatMap((value) => (typeof value === 'string' ? [value] : texts(value)));

const ofWorkspace = (catalogue: Catalogue): string[] =>
  ['work', 'canvas', 'form'].flatMap((namespace) => texts(catalogue[namespace] as Catalogue));

/** The text of the workspace in another language, by its English text. */
function textIn(locale: string): (english: string) => string {
  const source = ofWorkspace(read('en'));
  const own = ofWorkspace(locale === pseudoLocale ? pseudoCatalogue(read('en')) : read(locale));
  return (english) => {
    const text = own[source.indexOf(english)];
    if (text === undefined) throw new Error(`The English catalogue has no text "${english}".`);
    return text;
  };
}

const pages = ['/annotate', '/annotate/account', '/annotate/history', '/annotate/rival10-demo/guide'];

/** How far the page is wider than the window. */
const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('longer text than English fits a phone', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.context().addCookies([{ name: 'tessera-language', value: 'en-XA', url: baseURL }]);
  await page.goto('/sign-in');
  await expect(page.getByRole('heading', { name: 'Šîîgñ îîñ' })).toBeVisible();
  expect(await overflowOf(page)).toBe(0);
  await signIn(page, 'worker1');
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await overflowOf(page), path).toBe(0);
  }
});

test('a worker changes to Arabic and reads everything from right to left', async ({ page, browser }) => {
  await signIn(page, 'curator');
  const worker = await joinAsWorker(browser, await workerLink(page));
  const complaints = complaintsOf(worker);
  await worker.getByRole('button', { name: 'Language: English' }).click();
  await worker.getByRole('menuitem', { name: 'العربية' }).click();
  await expect(worker.getByRole('heading', { level: 1 })).toContainText('مرحبًا');
  const document = worker.locator('html');
  await expect(document).toHaveAttribute('dir', 'rtl');
  await expect(document).toHaveAttribute('lang', 'ar');
  await expectAccessible(worker);
  await worker.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(worker);
  await worker.emulateMedia({ colorScheme: 'light' });
  await look(worker, 'worker-home-arabic');
  // The next step of a new worker.
  await worker.getByRole('link', { name: 'اقرأ الدليل' }).first().click();
  await expect(worker.getByRole('button', { name: 'قرأت الدليل' })).toBeVisible();
  await expectAccessible(worker);
  await look(worker, 'worker-guide-arabic');
  await worker.getByRole('button', { name: 'قرأت الدليل' }).click();
  await expect(worker.getByRole('heading', { level: 1 })).toContainText('اختبار');
  await expectAccessible(worker);
  expectQuiet(complaints);

  // With the account: another browser of theirs is in Arabic as well.
  const other = await stranger(browser);
  await other
    .context()
    .addCookies((await worker.context().cookies()).filter(({ name }) => name !== 'tessera-language'));
  await other.goto('/annotate');
  await expect(other.locator('html')).toHaveAttribute('lang', 'ar');
});

test('a newcomer practises and sees where the outline is wrong', async ({ page, browser }) => {
  await signIn(page, 'curator');
  const worker = await joinAsWorker(browser, await workerLink(page));
  const complaints = complaintsOf(worker);
  const stage = worker.getByRole('listitem').filter({ hasText: 'Object masks' }).first();
  await stage.getByRole('link', { name: 'Read the guide' }).click();
  await worker.getByRole('button', { name: 'I have read the guide' }).click();
  await expect(worker.getByRole('heading', { level: 1 })).toContainText('Exam');
  await worker.goto('/annotate');
  await worker.getByRole('button', { name: /^Practise .*Object masks$/ }).click();
  await expect(worker.getByRole('application', { name: 'Annotation canvas' })).toHaveAttribute(
    'data-state',
    /\./,
  );
  await listens(worker);
  // Nothing is drawn: the whole object is missed.
  const isStored = worker.waitForResponse(/\/draft$/);
  await worker.keyboard.press('n');
  await isStored;
  await worker.getByRole('button', { name: 'Check' }).click();
  await expect(worker.getByRole('heading', { name: 'Practice: how you did' })).toBeVisible();
  await expect(worker.getByRole('list', { name: 'Colours' })).toContainText('Missed');
  await expect(worker.getByText('You chose “nothing to label”.')).toBeVisible();
  const map = worker.getByRole('img', { name: 'The picture with your answer and the right answer' });
  const whole = await map.getAttribute('viewBox');
  await worker.getByRole('button', { name: 'Zoom in' }).click();
  await expect(map).not.toHaveAttribute('viewBox', whole ?? '');
  await expectAccessible(worker);
  await look(worker, 'practice-feedback');
  expectQuiet(complaints);
});

/** Opens a batch of five parts on one image, in a language. */
async function openWorkspace(page: Page, locale: string, baseURL: string | undefined): Promise<Annotator> {
  await signIn(page, 'worker2');
  await page.context().addCookies([{ name: 'tessera-language', value: locale, url: baseURL }]);
  const { stageId } = await partsProject('worker2', 1);
  const taken = await page.request.post(`/api/v1/work/stages/${stageId}/batch`, { headers: fromHere() });
  expect(taken.ok()).toBe(true);
  const annotator = new Annotator(page, textIn(locale));
  await page.goto(`/annotate/batch/${(await taken.json()).batch.id}?item=1`);
  await annotator.isReady();
  return annotator;
}

const boxOf = async (page: Page, role: 'toolbar' | 'complementary' | 'application') => {
  const box = await page.getByRole(role).boundingBox();
  if (!box) throw new Error(`There is no ${role}.`);
  return box;
};

const widths = [390, 820, 1280, 1920];

test('a worker draws and submits in Arabic: the workspace runs from right to left, the image does not', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const complaints = complaintsOf(page);
  const annotator = await openWorkspace(page, 'ar', baseURL);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ارسم كل بكسل');
  const canvas = await boxOf(page, 'application');
  expect((await boxOf(page, 'toolbar')).x).toBeGreaterThan(canvas.x);
  expect((await boxOf(page, 'complementary')).x).toBeLessThan(canvas.x);

  const corners = await annotator.polygon([
    [40, 40],
    [120, 40],
    [80, 110],
  ]);
  await annotator.hasShapes(1);
  await expect(page.getByText('مضلع، 3 نقاط')).not.toHaveCount(0);
  await annotator.isStored();
  expect(await annotator.draft()).toMatchObject([{ outer: corners.flat() }]);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => overflowOf(page), `${width} px`).toBe(0);
    await expect.poll(() => cutOff(page), `${width} px`).toEqual([]);
  }
  await look(page, 'workspace-arabic', widths);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });

  for (const number of [2, 3, 4, 5]) {
    await page.keyboard.press(String(number));
    await page.keyboard.press('n');
    await expect(annotator.nothing).toHaveAttribute('aria-pressed', 'true');
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('اختصارات لوحة المفاتيح');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+Enter');
  await expect(page.getByText('تمت كل العناصر')).toBeVisible();
  await annotator.submit();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('أُرسلت المجموعة');
  expectQuiet(complaints);
});

/** Buttons, links and texts that stick out of the window or of the part of the page that they are in. */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    const isInScroller = (element: Element | null): boolean =>
      element !== null && (scrolls(element) || isInScroller(element.parentElement));
    const elements = [...document.querySelectorAll('main button, main a, main h1, aside *')];
    return elements
      .filter((element) => !element.closest('.sr-only') && !isInScroller(element.parentElement))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 1 && (left < -0.5 || right > window.innerWidth + 0.5);
      })
      .map((element) => element.outerHTML.slice(0, 120));
  });

test('longer text than English fits the workspace of a phone, a tablet, a laptop and a large screen', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const annotator = await openWorkspace(page, 'en-XA', baseURL);
  await annotator.polygon([
    [40, 40],
    [120, 40],
    [80, 110],
  ]);
  await annotator.isStored();
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 900 ? 844 : 800 });
    await expect(page.getByRole('toolbar')).toBeVisible();
    await expect.poll(() => overflowOf(page), `${width} px`).toBe(0);
    await expect.poll(() => cutOff(page), `${width} px`).toEqual([]);
    const panel = page.getByRole('complementary');
    if (width < 900) await page.keyboard.press('F1');
    await expect(panel).toBeVisible();
    const overflow = await panel.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(overflow, `the panel at ${width} px`).toBe(0);
    await expectAccessible(page);
    if (width < 900) await page.keyboard.press('F1');
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await look(page, 'workspace-long-text', widths);
});
