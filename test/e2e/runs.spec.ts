import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, test } from './support/story';

const project = '/projects/part-imagenet-demo';

async function choose(page: Page, label: string, value: string, address: RegExp): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(value);
  await expect(page).toHaveURL(address);
}

test('a researcher trains a tiny model on the demo, watches it learn and promotes it', async ({ page }) => {
  test.setTimeout(300_000);
  const complaints = complaintsOf(page);
  await signIn(page, 'researcher');
  // Content that was frozen before gives the same version again: the story can be told twice.
  await page.goto(`${project}/data/freeze`);
  await expect(page.getByRole('region', { name: 'Images by class and split' })).toBeVisible();
  await page.getByRole('button', { name: 'Freeze version' }).click();
  await expect(page).toHaveURL(/data\/\d+/, { timeout: 60_000 });

  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await expectAccessible(page, 'main');
  await page.getByRole('link', { name: 'New run' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New run' })).toBeVisible();
  await choose(page, 'Epochs, clean', '1', /stages\.0\.epochs=1/);
  await choose(page, 'Test images, PGD', '4', /test\.1\.sample=4/);
  await choose(page, 'Test images, AutoAttack', '4', /test\.2\.sample=4/);
  await expect(page.getByText('"epochs": 1,')).toBeVisible();
  await look(page, 'runs-new');
  await expectAccessible(page, 'main');

  await page.getByRole('button', { name: 'Start run' }).click();
  await expect(page).toHaveURL(/runs\/[0-9a-f-]{36}$/);
  const run = page.url();
  await expect(page.getByRole('link', { name: 'Open model' })).toBeVisible({ timeout: 200_000 });
  await expect(page.getByRole('img', { name: 'Accuracy' })).toBeVisible();
  const sheet = page.getByRole('img', { name: 'Masks predicted at epoch 1' });
  await expect(sheet).toBeVisible();
  await expect
    .poll(() => sheet.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(500);
  await expect(page.getByRole('row', { name: /AutoAttack/ })).toBeVisible();
  await look(page, 'runs-run');
  await expectAccessible(page, 'main');

  await page.getByRole('link', { name: 'Clone' }).click();
  await expect(page.getByLabel('Epochs, clean', { exact: true })).toHaveValue('1');
  await expect(page.getByLabel('Seeds')).toHaveValue('1');

  await page.goto(run);
  await page.getByRole('link', { name: 'Open model' }).click();
  await expect(page.getByText('random (trained from scratch)')).toBeVisible();
  await look(page, 'models-model');
  await expectAccessible(page, 'main');
  const href = await page.getByRole('link', { name: 'Download ONNX' }).getAttribute('href');
  const onnx = await page.request.get(href ?? '');
  expect(onnx.status()).toBe(200);
  expect((await onnx.body()).length).toBeGreaterThan(100_000);
  await page.getByRole('button', { name: 'Promote' }).click();
  await expect(page.getByRole('button', { name: 'Step back' })).toBeVisible();

  await page.goto(`${project}/models`);
  await expect(page.getByText('promoted').first()).toBeVisible();
  await look(page, 'models');
  await expectAccessible(page, 'main');
  await page.goto(`${project}/runs/compare`);
  await expect(page.getByRole('row', { name: /Downsampled.*Normal.*tiny-64/ }).first()).toBeVisible();
  await look(page, 'runs-compare');
  await expectAccessible(page, 'main');
  const csv = await page.request.get(`${project}/runs/compare/csv`);
  expect(await csv.text()).toContain('tiny-64,downsampled,normal');
  expectQuiet(complaints);
});

test('a worker has no page of runs or models', async ({ page }) => {
  await signIn(page, 'worker1');
  for (const place of ['runs', 'runs/new', 'runs/compare', 'models'])
    expect((await page.request.get(`${project}/${place}`)).status()).toBe(404);
});
