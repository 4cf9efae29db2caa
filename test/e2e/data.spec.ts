import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { fromBuffer } from 'yauzl';
import { expectAccessible } from './support/accessible';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, test } from './support/story';

const data = '/projects/part-imagenet-demo/data';

async function freeze(page: Page, licence: string): Promise<void> {
  await page.goto(`${data}/freeze`);
  await expect(page.getByRole('region', { name: 'Images by class and split' })).toBeVisible();
  await page.getByLabel('Licence').fill(licence);
  await page.getByRole('button', { name: 'Freeze version' }).click();
  await expect(page).toHaveURL(/data\/\d+/, { timeout: 60_000 });
}

const namesIn = (bytes: Buffer): Promise<string[]> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, (error, zip) => {
      if (error || !zip) return reject(error);
      const names: string[] = [];
      zip.on('entry', ({ fileName }) => names.push(fileName));
      zip.on('end', () => resolve(names));
      zip.on('error', reject);
    });
  });

test('a researcher freezes a version, looks at its statistics, exports it and downloads the zip', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const complaints = complaintsOf(page);
  await signIn(page, 'researcher');
  await page.goto('/projects/part-imagenet-demo');
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Data' })).toBeVisible();
  await expectAccessible(page, 'main');

  // The licence is part of the content: this story freezes something new each time it is told.
  const licence = `CC BY 4.0, story ${Date.now()}`;
  await page.goto(`${data}/freeze`);
  await page.getByLabel('Split', { exact: true }).selectOption('none');
  await expect(page).toHaveURL(/split=none/);
  await expect(page.getByRole('columnheader', { name: 'train' })).toBeHidden();
  await look(page, 'data-freeze');
  await expectAccessible(page, 'main');
  await freeze(page, licence);
  const version = page.url();
  await expect(page.getByRole('heading', { level: 1, name: /Version \d+/ })).toBeVisible();
  await expect(page.getByText(licence)).toBeVisible();
  await look(page, 'data-card');
  await expectAccessible(page, 'main');

  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Verified:')).toBeVisible({ timeout: 60_000 });

  await page.getByRole('link', { name: 'Statistics' }).click();
  await expect(page.getByRole('img', { name: 'Images by class and split' })).toBeVisible();
  await expect(page.getByText('No missing or contradictory labels')).toBeVisible();
  await look(page, 'data-statistics');
  await expectAccessible(page, 'main');
  const figures = await page.request.get(`${version}/statistics/file?of=all`);
  expect((await figures.json()).totals.images).toBe(88);
  const csv = await page.request.get(`${version}/statistics/file?of=parts`);
  expect((await csv.text()).split('\r\n')[0]).toBe('part,class,split,present,instances,absent,not_asked');

  // A table by the name of something that every object has.
  for (const of of ['constructor', '__proto__', 'toString', 'nothing'])
    expect((await page.request.get(`${version}/statistics/file?of=${of}`)).status(), of).toBe(404);

  await page.getByRole('link', { name: 'Documentation' }).click();
  await expect(page.getByText('statements are missing for a complete Croissant file')).toBeVisible();
  await page.getByLabel('Intended uses').fill('Tests of part segmentation');
  await page.getByRole('button', { name: 'Save statements' }).click();
  await expect(page.getByRole('definition').filter({ hasText: 'Tests of part segmentation' })).toBeVisible();
  await look(page, 'data-documentation');
  await expectAccessible(page, 'main');

  await page.goto(`${version}/export`);
  await page.getByRole('link', { name: /^COCO instances/ }).click();
  await expect(page.getByText('Where a label comes from and how sure it is are left out')).toBeVisible();
  await look(page, 'data-export');
  await expectAccessible(page, 'main');
  await page.getByRole('button', { name: 'Start export' }).click();
  const link = page.getByRole('link', { name: 'Download' }).first();
  await expect(link).toBeVisible({ timeout: 120_000 });
  const downloading = page.waitForEvent('download');
  await link.click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^part-imagenet-demo-v\d+-coco\.zip$/);
  const names = await namesIn(await readFile(await download.path()));
  expect(names.filter((name) => /\.(jpe?g|png)$/.test(name))).toHaveLength(88);
  expect(names).toEqual(expect.arrayContaining(['CARD.json', 'MANIFEST.sha256', 'croissant.json']));
  expect(names.filter((name) => name.endsWith('.json')).length).toBeGreaterThanOrEqual(4);
  expect(new Set(names).size).toBe(names.length);

  await freeze(page, licence);
  await expect(page.getByText('Nothing has changed')).toBeVisible();
  expect(page.url()).toContain(version);
  expectQuiet(complaints);
});

test('a worker has no page of data', async ({ page }) => {
  await signIn(page, 'worker1');
  expect((await page.goto(data))?.status()).toBe(404);
  expect((await page.request.get(`${data}/csv`)).status()).toBe(404);
});
