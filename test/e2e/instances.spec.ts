import type { Page } from '@playwright/test';
import { rival10Policy } from '@/lib/core/quality/rival10';
import type { DatasetSchema } from '@/lib/core/schema';
import { expectAccessible } from './support/accessible';
import { Annotator } from './support/annotator';
import { query } from './support/database';
import { look } from './support/look';
import { partsProject } from './support/parts-project';
import { fromHere, signIn } from './support/people';
import { storedAnswer } from './support/stored-mask';
import { expect, test } from './support/story';

const WHEEL = 'Car Tier';

const withWheels = (preset: DatasetSchema): DatasetSchema => ({
  ...preset,
  parts: preset.parts.map((part) => (part.id === WHEEL ? { ...part, name: 'Wheel', numbered: true } : part)),
  flags: ['occluded', 'truncated'],
});

const wheel = (page: Page, number: number) =>
  page.getByRole('button', { name: `Wheel ${number}`, exact: true });

test('a worker draws two wheels separately, and a curator sees both', async ({ page }) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  const { slug, stageId, scenes } = await partsProject(
    'worker2',
    1,
    { confirmation: rival10Policy.confirmation },
    { className: 'Car', schema: withWheels },
  );
  await signIn(page, 'worker2');
  const taken = await page.request.post(`/api/v1/work/stages/${stageId}/batch`, { headers: fromHere() });
  const annotator = new Annotator(page);
  await page.goto(`/annotate/batch/${(await taken.json()).batch.id}?item=1`);
  await annotator.isReady();
  const { items } = await annotator.batch();
  const place = items.findIndex(({ target }) => target?.id === WHEEL);
  await page.keyboard.press(String(place + 1));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('“Wheel”');

  await expect(wheel(page, 1)).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('button', { name: 'Add another' })).toBeDisabled();
  await annotator.polygon([
    [20, 120],
    [70, 120],
    [45, 170],
  ]);
  await page.getByRole('button', { name: 'Add another' }).click();
  await expect(wheel(page, 2)).toHaveAttribute('aria-current', 'true');
  await annotator.polygon([
    [120, 120],
    [180, 120],
    [150, 180],
  ]);
  await page.getByRole('button', { name: 'Partly hidden' }).click();
  await expect(page.getByRole('button', { name: 'Partly hidden' })).toHaveAttribute('aria-pressed', 'true');
  // Picking up a shape goes on with its wheel.
  await page.keyboard.press('v');
  await annotator.outline([[45, 130]]);
  await expect(annotator.canvas).toHaveAttribute('data-instance', '1');
  await expect(wheel(page, 1)).toHaveAttribute('aria-current', 'true');
  await look(page, 'instances', [390, 820, 1280]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page, 'main');
  await annotator.isStored();
  await page.reload();
  await annotator.isReady();
  await page.keyboard.press(String(place + 1));
  await expect(wheel(page, 2)).toBeVisible();

  await page.keyboard.press('Control+Enter');
  for (const [i] of items.entries()) {
    if (i === place) continue;
    await page.keyboard.press(String(i + 1));
    await page.keyboard.press('n');
  }
  await page.keyboard.press('Alt+Enter');
  await expect(page.getByText('All items are done')).toBeVisible();
  await annotator.isStored();
  await page.keyboard.press('Control+Shift+Enter');
  await page.waitForURL(/\/done$/);
  const { value } = await storedAnswer(items[place]?.leaseId ?? '');
  expect(value).toMatchObject({ kind: 'mask', flags: ['occluded'] });
  expect((value as { instances: string[] }).instances).toHaveLength(2);
  const [imageId = ''] = scenes.keys();
  const [label] = await query<{ count: number }>(
    `select jsonb_array_length(value->'instances') as count from labels
     where image_id = $1 and target = $2 and is_current`,
    [imageId, WHEEL],
  );
  expect(label?.count).toBe(2);

  await page.context().clearCookies();
  await signIn(page, 'admin');
  await page.goto(`/projects/${slug}/images/${imageId}`);
  const labels = page.getByRole('button', { name: /^Wheel [12]$/ });
  await expect(labels).toHaveCount(2);
  await look(page, 'instances-curator', [390, 820, 1280]);
});
