import sharp from 'sharp';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, listens, test } from './support/story';

const picture = (red: number) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: { r: red, g: 90, b: 160 } } })
    .composite([
      {
        input: { create: { width: 20, height: 20, channels: 3, background: '#fff' } },
        left: red % 40,
        top: 9,
      },
    ])
    .jpeg()
    .toBuffer();

test('the curator looks through the images, filters them and opens one with its masks', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto('/projects/part-imagenet-demo/images');
  const asCsv = (form: string) =>
    page.request.post('/projects/part-imagenet-demo/images/csv', {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: new URL(page.url()).origin,
      },
      data: form,
    });
  expect((await asCsv(`ids=${'x'.repeat(400_000)}`)).status()).toBe(413);
  expect((await asCsv('ids=constructor')).status()).toBe(400);
  const tiles = page.getByRole('region', { name: 'Images' }).getByRole('link');
  await expect(tiles.first()).toBeVisible();
  await look(page, 'images');
  await page.getByLabel('Class').selectOption('Bird');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(page).toHaveURL(/class=Bird/);
  await expect(tiles.first()).toContainText('bird-');
  await tiles.first().click();
  await expect(page.getByRole('heading', { name: /bird-/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /bird-/ })).toBeVisible();
  const layer = page.getByRole('button', { name: /head/i }).first();
  await expect(layer).toHaveAttribute('aria-pressed', 'true');
  await layer.click();
  await expect(layer).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByRole('region', { name: 'History' })).toContainText('label: ');
  await look(page, 'image');
  const here = new URL(page.url()).pathname;
  await page.keyboard.press('ArrowRight');
  await expect(page).not.toHaveURL(new RegExp(here));
  await listens(page);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/images\?class=Bird$/);
  expectQuiet(complaints);
});

test('the curator selects by keyboard, excludes, finds the excluded again and keeps that filter', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto('/projects/rival10-demo/images?labels=none');
  const region = page.getByRole('region', { name: 'Images' });
  await expect(region.getByRole('link').first()).toBeVisible();
  await region.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page.getByText('2 images selected')).toBeVisible();
  await look(page, 'images-selected');
  await page.getByRole('button', { name: 'Exclude' }).click();
  await expect(page.getByText('2 of 2 changed.')).toBeVisible();
  await page.getByLabel('State').selectOption('excluded');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(region.getByRole('link')).toHaveCount(2);
  await page.getByRole('button', { name: /Saved filters/ }).click();
  const name = `Left out ${Date.now()}`;
  await page.getByLabel('Save current filter as').fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();
  await page.goto('/projects/rival10-demo/images');
  await page.getByRole('button', { name: /^Saved filters \(\d+\)$/ }).click();
  await page.getByRole('link', { name }).click();
  await expect(region.getByRole('link')).toHaveCount(2);
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await look(page, 'images-table');
  await page.getByRole('button', { name: 'Select all 2' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('No matching images')).toBeVisible();
  expectQuiet(complaints);
});

test('the curator makes a project, drops good and bad files, and every one of them is accounted for', async ({
  page,
}) => {
  await signIn(page, 'curator');
  await page.goto('/projects/new');
  await page.getByLabel('Name').fill(`Dropped pictures ${Date.now()}`);
  await look(page, 'new-project');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('link', { name: 'Add images' }).first().click();
  await expect(page.getByRole('heading', { name: 'Add images' })).toBeVisible();
  const first = await picture(20);
  await page.getByLabel('Files', { exact: true }).setInputFiles([
    { name: 'one.jpg', mimeType: 'image/jpeg', buffer: first },
    { name: 'two.jpg', mimeType: 'image/jpeg', buffer: await picture(120) },
    { name: 'one again.jpg', mimeType: 'image/jpeg', buffer: first },
    { name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html><script>alert(1)</script>') },
  ]);
  await expect(page.getByRole('link', { name: 'Open images' })).toBeVisible({ timeout: 30_000 });
  const count = (label: string) => page.locator('dl > div', { hasText: label });
  await expect(count('Accepted')).toContainText('2');
  await expect(count('Already imported')).toContainText('1');
  await expect(count('Refused')).toContainText('1');
  await expect(page.getByRole('region', { name: 'Refused' })).toContainText('page.jpg');
  await look(page, 'upload-report');
  await page.getByRole('link', { name: 'Open images' }).click();
  await expect(page.getByRole('region', { name: 'Images' }).getByRole('link')).toHaveCount(2);
  await page.goto('/jobs');
  const newest = page.getByRole('link', { name: 'Add 4 files' }).first();
  await expect(newest).toBeVisible();
  await look(page, 'jobs');
  await newest.click();
  await expect(page.getByRole('heading', { name: 'Add 4 files' })).toBeVisible();
  await look(page, 'job');
});

test('a project without images says what to do next', async ({ page }) => {
  await signIn(page, 'curator');
  await page.goto('/projects/new');
  await page
    .getByLabel('Name')
    .fill(`Empty ${Date.now()}: a project with a name that is rather long, as names of projects tend to be`);
  await page.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('heading', { name: 'Set-up' })).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText('This project has no images yet')).toBeVisible();
  await look(page, 'project-empty');
});
