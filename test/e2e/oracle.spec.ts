import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { complaintsOf, expectQuiet } from './support/complaints';
import { query } from './support/database';
import { workerLink } from './support/invite';
import { look } from './support/look';
import { joinAsWorker, startBatch } from './support/newcomer';
import { fromHere, signIn } from './support/people';
import { expect, listens, test } from './support/story';

const picture = (left: number) =>
  sharp({ create: { width: 200, height: 150, channels: 3, background: '#27414f' } })
    .composite([
      { input: { create: { width: 60, height: 50, channels: 3, background: '#e8dfc8' } }, left, top: 40 },
    ])
    .jpeg()
    .toBuffer();

/** A project of two pictures that asks what they show. No page makes such a stage. */
async function askForClasses(page: Page, slug: string): Promise<void> {
  const headers = fromHere();
  const data = { name: slug, slug, preset: 'rival10' };
  const made = await page.request.post('/api/v1/projects', { headers, data });
  expect(made.status()).toBe(201);
  const { id } = await made.json();
  await query(
    `insert into stages (id, project_id, kind, name, position) values ($1, $2, 'oracle', 'Class', 9)`,
    [crypto.randomUUID(), id],
  );
  await page.goto(`/projects/${slug}/images/add`);
  const files = await Promise.all(
    [20, 90].map(async (left) => ({
      name: `picture-${left}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await picture(left),
    })),
  );
  await page.getByLabel('Files', { exact: true }).setInputFiles(files);
  await expect(page.getByRole('link', { name: 'Open images' })).toBeVisible({ timeout: 60_000 });
  const started = await page.request.patch(`/api/v1/projects/${slug}`, {
    headers,
    data: { state: 'collecting' },
  });
  expect(started.status()).toBe(200);
}

/** The class that each image is labelled with, by the image's name. */
async function classLabels(page: Page, slug: string): Promise<Record<string, string>> {
  const { items } = await (await page.request.get(`/api/v1/projects/${slug}/images`)).json();
  const labels = await query<{ name: string; class: string }>(
    `select i.name, l.value->>'className' as class from labels l join images i on i.id = l.image_id
     where l.is_current and i.id = any ($1)`,
    [items.map(({ id }: { id: string }) => id)],
  );
  return Object.fromEntries(labels.map((label) => [label.name, label.class]));
}

test('a worker is asked what class it is, answers by keyboard, and the curator finds what they accepted by the filter', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const complaints = complaintsOf(page);
  const slug = `class-${Date.now()}`;
  await signIn(page, 'curator');
  await askForClasses(page, slug);

  const worker = await joinAsWorker(browser, await workerLink(page, slug));
  const workerComplaints = complaintsOf(worker);
  await startBatch(worker, 'Class');
  const choose = worker.getByRole('group', { name: 'Class' });
  await expect(choose.getByRole('checkbox').first()).toBeFocused();
  await listens(worker);
  await look(worker, 'class');
  await worker.keyboard.press('Control+Enter');
  await expect(worker.getByText('Choose at least 1 in Class.')).toBeVisible();
  await worker.keyboard.press('2');
  await worker.keyboard.press('3');
  await expect(choose.getByRole('checkbox', { checked: true })).toHaveCount(1);
  await worker.keyboard.press('Control+Enter');
  await expect(worker.getByText('2 of 2')).toBeVisible();
  await expect(choose.getByRole('checkbox').first()).toBeFocused();
  await listens(worker);
  await worker.keyboard.press('1');
  await expect(choose.getByRole('checkbox', { checked: true })).toHaveCount(1);
  await worker.keyboard.press('Control+Enter');
  await expect(worker.getByText('All items are done')).toBeVisible();
  await worker.keyboard.press('Control+Shift+Enter');
  await expect(worker).toHaveURL(/\/done$/);
  await expect.poll(async () => Object.keys(await classLabels(page, slug))).toHaveLength(2);

  await page.goto(`/projects/${slug}/audit`);
  const place = page.getByRole('status').filter({ hasText: /Label \d+ of/ });
  await expect(place).toContainText('Label 1 of 2', { timeout: 30_000 });
  await look(page, 'audit-class');
  await listens(page);
  // What is decided is shown at once and stored a moment later.
  const isStored = () =>
    page.waitForResponse((reply) => reply.url().endsWith('/decision') && reply.status() < 300);
  const accepting = isStored();
  await page.keyboard.press('a');
  await expect(place).toContainText('Label 2 of 2');
  await accepting;
  const rejecting = isStored();
  await page.keyboard.press('r');
  await expect(page.getByLabel('Reason')).toBeFocused();
  await page.keyboard.press('4');
  await expect(page.getByLabel('Reason')).toHaveValue('This is not what was asked for.');
  await page.keyboard.press('Enter');
  await expect(place).toContainText('2 decided here');
  await rejecting;
  const [accepted, ...others] = Object.keys(await classLabels(page, slug));
  expect(others).toEqual([]);

  await page.goto(`/projects/${slug}/images`);
  await page.getByText('More conditions').click();
  await page.getByLabel('Labels').selectOption('some');
  await page.getByRole('button', { name: 'Apply' }).click();
  const tiles = page.getByRole('region', { name: 'Images' }).getByRole('link');
  await expect(tiles).toHaveCount(1);
  await expect(tiles).toContainText(accepted ?? 'nothing');
  await tiles.click();
  await expect(page.getByRole('region', { name: 'History' })).toContainText('accepted');
  expectQuiet(complaints);
  expectQuiet(workerComplaints);
});
