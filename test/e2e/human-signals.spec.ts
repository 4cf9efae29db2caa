import type { Page } from '@playwright/test';
import type { HistoryAnswer } from '@/lib/core/quality/history';
import { InteractionSummary, marksOf } from '@/lib/core/quality/interaction';
import { humanSignals, rules } from '@/lib/core/quality/rules';
import { createRng } from '@/lib/demo/scenes/prng';
import { type Hand, handOf, reachTo } from '@/lib/demo/simulation/interaction';
import { answers, history, minute } from '../core/quality/histories';
import { Annotator, type Point } from './support/annotator';
import { query } from './support/database';
import { signIn } from './support/people';
import { expect, test } from './support/story';

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, 'worker1');
});

const random = createRng(11);
const hand: Hand = { ...handOf('mouse', random), frameMs: 1000 / 60, shake: 1, bend: 0.04 };

/** Moves as a hand does, bent and with a bell-shaped speed, then presses. */
async function pressLikeAPerson(page: Page, from: Point, to: Point): Promise<void> {
  const began = Date.now();
  for (const event of reachTo([...from], [...to], hand, 0, random)) {
    if (!('x' in event)) continue;
    await page.waitForTimeout(Math.max(0, event.time - (Date.now() - began)));
    await page.mouse.move(event.x, event.y);
  }
  await page.waitForTimeout(random.between(40, 300));
  await page.mouse.down();
  await page.waitForTimeout(random.between(40, 120));
  await page.mouse.up();
}

const storedOf = async (leaseId: string) => {
  const [row] = await query('select interaction, repeats_code from answers where lease_id = $1', [leaseId]);
  return row ?? {};
};

/** What every rule would say if somebody had given this answer twenty times. */
function signalsOf(interaction: InteractionSummary, points: number): string[] {
  const same: Partial<HistoryAnswer> = { interaction, points };
  const past = history({ answers: answers(Array(20).fill(same)), browserSince: minute(0) });
  const ids = humanSignals.map(({ id }) => id);
  return rules.filter(({ id, judge }) => ids.includes(id) && judge(past, {}) !== null).map(({ id }) => id);
}

test('an outline drawn with mouse and keyboard is stored with a plausible summary that raises no signal', async ({
  page,
}) => {
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 0);
  await page.keyboard.press('p');
  const places: Point[] = Array.from({ length: 14 }, (_, i) => [
    130 + 75 * Math.cos((2 * Math.PI * i) / 14),
    130 + 65 * Math.sin((2 * Math.PI * i) / 14),
  ]);
  await annotator.tool('Polygon');
  let at: Point = [400, 300];
  await page.mouse.move(at[0], at[1]);
  for (const place of places) {
    const next = await annotator.onScreen(place);
    await pressLikeAPerson(page, at, next);
    at = next;
  }
  await page.keyboard.press('Enter');
  await annotator.hasShapes(1);
  await annotator.isStored();
  const { leaseId } = await annotator.item();
  await annotator.done();
  await expect(page.getByText(`Item ${annotator.number} of`)).toBeHidden();
  await annotator.submit();
  const stored = await storedOf(leaseId);
  expect(stored.repeats_code).toBe(false);
  const summary = InteractionSummary.parse(stored.interaction);
  expect(summary.downs).toBeGreaterThanOrEqual(places.length);
  expect(summary.ups).toBeGreaterThanOrEqual(places.length);
  expect(summary.moves).toBeGreaterThan(5 * places.length);
  expect(summary.keys).toBeGreaterThanOrEqual(1);
  expect(summary.untrusted).toBe(0);
  expect(summary.touches).toBe(0);
  expect(summary.pathPx).toBeGreaterThan(300);
  expect(summary.firstMs).not.toBeNull();
  expect(summary.gapMedianMs).toBeGreaterThan(50);
  expect(marksOf(summary)).toEqual([]);
  expect(signalsOf(summary, places.length)).toEqual([]);
});

test('the text for programs cannot be seen, heard, focused or selected, whatever the style sheets', async ({
  page,
}) => {
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 2);
  const code = /tsr-[0-9a-f]{32}/;
  expect(await page.content()).toMatch(code);
  const field = page.locator('input[name="program-code"]');
  const expectHidden = async () => {
    await expect(field).toBeHidden();
    expect(await page.locator('body').ariaSnapshot()).not.toMatch(code);
    await expect(page.locator('body')).not.toContainText(code, { useInnerText: true });
    const selected = await page.evaluate(() => {
      getSelection()?.selectAllChildren(document.body);
      const text = String(getSelection());
      getSelection()?.removeAllRanges();
      return text;
    });
    expect(selected).not.toMatch(code);
    const isFocused = await field.evaluate((element: HTMLElement) => {
      element.focus();
      return document.activeElement === element;
    });
    expect(isFocused).toBe(false);
  };
  await expectHidden();
  await page.emulateMedia({ forcedColors: 'active', contrast: 'more' });
  await expectHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(field).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => {
    for (const sheet of document.styleSheets) sheet.disabled = true;
  });
  await expectHidden();
});

test('a program that fills in the hidden field with the code is noticed', async ({ page }) => {
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 3);
  const { leaseId } = await annotator.item();
  const code = /tsr-[0-9a-f]{32}/.exec(await page.content())?.[0] ?? '';
  await annotator.press('Nothing to label');
  await page.locator('input[name="program-code"]').evaluate((element: HTMLInputElement, text) => {
    element.value = text;
  }, code);
  await annotator.done();
  await expect(page.getByText(`Item ${annotator.number} of`)).toBeHidden();
  await annotator.submit();
  const stored = await storedOf(leaseId);
  expect(stored).toMatchObject({ repeats_code: true, interaction: { untrusted: 0 } });
  // Two presses here; visits of other stories to the same item are counted as well.
  expect(InteractionSummary.parse(stored.interaction).downs).toBeGreaterThanOrEqual(2);
});
