import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { Annotator } from './support/annotator';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { joinAsWorker, startBatch } from './support/newcomer';
import { signIn } from './support/people';
import { expect, test } from './support/story';

/** A pale bird on a dark ground; the place makes each picture another file. */
const picture = (left: number) =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: '#2d4a3a' } })
    .composite([
      { input: { create: { width: 120, height: 80, channels: 3, background: '#e8dfc8' } }, left, top: 90 },
      {
        input: { create: { width: 40, height: 40, channels: 3, background: '#f4e9b0' } },
        left: left + 100,
        top: 60,
      },
    ])
    .jpeg()
    .toBuffer();

const square = [
  [60, 60],
  [120, 60],
  [120, 110],
  [60, 110],
] as const;

/** Opens a step of the guided path by its own button, and comes back by the bar above the page. */
async function openStep(page: Page, action: string): Promise<void> {
  await page.getByRole('listitem').getByRole('link', { name: action }).click();
  await expect(page.getByRole('navigation', { name: 'Set-up' })).toBeVisible();
}

/** The bar stays while the forms of a step lead to its other pages. */
async function backToSetup(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Set-up' }).getByRole('link', { name: 'Back to setup' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Set-up' })).toBeVisible();
}

async function addImages(page: Page): Promise<void> {
  await openStep(page, 'Add images');
  await page.getByLabel('Class', { exact: true }).selectOption('bird');
  const files = await Promise.all(
    [10, 30, 50].map(async (left) => ({
      name: `bird-${left}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await picture(left),
    })),
  );
  await page.getByLabel('Files', { exact: true }).setInputFiles(files);
  await expect(page.getByRole('link', { name: 'Open images' })).toBeVisible({ timeout: 60_000 });
}

/** Renames a part, moves another by keyboard, adds a third, and saves what the review says. */
async function editSchema(page: Page): Promise<void> {
  await openStep(page, 'Edit the schema');
  await page.getByLabel('Class of the parts').selectOption('bird');
  await page.getByLabel('Name of part bird:legs').fill('Feet');
  await page.getByRole('button', { name: /^Move body/ }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('body is now above Feet.')).toBeAttached();
  await page.getByLabel('Class of the parts').selectOption('');
  await page.getByRole('button', { name: 'Add a part' }).click();
  const name = page.getByLabel('Name of part new');
  await expect(page.getByText('must not be empty').first()).toBeVisible();
  await name.fill('Crest');
  await page.getByRole('button', { name: 'Classes of Crest' }).click();
  await page.getByRole('checkbox', { name: 'bird' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await expect(page.getByText('What happens to existing labels')).toBeVisible();
  await expect(page.getByRole('row', { name: /added part Crest/ })).toBeVisible();
  await expect(page.getByText('0 labels of 0 stay as they are.')).toBeVisible();
  await look(page, 'schema-review');
  await page.reload();
  await expect(page.getByText('Changes from your last visit were found')).toBeVisible();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('version 2', { exact: true })).toBeVisible();
}

/** One by hand in the annotator; it is the candidate of the list and then in use. */
async function writeGold(page: Page, slug: string): Promise<void> {
  await openStep(page, 'Write gold');
  await page.getByRole('link', { name: 'Write gold' }).first().click();
  await page.getByLabel('Target').selectOption('bird:head');
  await page.getByRole('button', { name: 'Show pictures' }).click();
  await page.getByRole('link', { name: /bird-10/ }).click();
  await expect(page.getByRole('heading', { name: /every pixel of “head”/ })).toBeVisible();
  const annotator = new Annotator(page);
  await expect(annotator.canvas).toHaveAttribute('data-state', /\./);
  await annotator.polygon(square);
  await annotator.hasShapes(1);
  await look(page, 'gold-write');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Save as candidate' }).click();
  await expect(page.getByText('Saved as a candidate.')).toBeVisible();
  await page.goto(`/projects/${slug}/gold?state=candidate`);
  await look(page, 'gold-candidate');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('No gold matches')).toBeVisible();
  const csv = await page.request.get(`/projects/${slug}/gold/csv`);
  expect((await csv.text()).split('\r\n')[1]).toMatch(/,Part masks,bird:head,bird-10[^,]*,bird,active,0,/);
}

/** No exam, no checks, one mask a batch: the story is about the path, not about the crowd. */
async function setPolicy(page: Page): Promise<void> {
  await openStep(page, 'Look at the policy');
  await page.getByLabel('Masks in a batch').fill('1');
  await page.getByLabel('Share of items that are checks').fill('0');
  for (const box of await page.getByLabel('Workers must pass first').all()) await box.uncheck();
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
}

async function invite(page: Page): Promise<string> {
  await openStep(page, 'Invite people');
  await page.getByRole('button', { name: 'Create link' }).click();
  const output = page.locator('output').first();
  await expect(output).toContainText('/join/');
  return new URL((await output.textContent()) ?? '').pathname;
}

/** Joins, agrees, and draws every part of the one image of the first batch. */
async function workOnce(browser: Browser, link: string): Promise<void> {
  const wanda = await joinAsWorker(browser, link);
  await startBatch(wanda, 'Part masks');
  const annotator = new Annotator(wanda);
  await annotator.isReady();
  const { items } = await annotator.batch();
  expect(items.length).toBeGreaterThan(1);
  for (let left = items.length; left > 0; left--) {
    await annotator.isReady();
    await annotator.hasShapes(0);
    await annotator.polygon(square);
    await annotator.hasShapes(1);
    const here = wanda.url();
    await annotator.done();
    if (left > 1) await expect(wanda).not.toHaveURL(here);
  }
  await annotator.submit();
}

async function sourcesOfLabels(page: Page, slug: string): Promise<string[]> {
  const { items } = await (await page.request.get(`/api/v1/projects/${slug}/images`)).json();
  const details = await Promise.all(
    items.map(async ({ id }: { id: string }) =>
      (await page.request.get(`/api/v1/projects/${slug}/images/${id}`)).json(),
    ),
  );
  const labels = details.flatMap((image) =>
    image.items.flatMap((item: { label: { source: string } | null }) => item.label?.source ?? []),
  );
  return labels.sort();
}

test('a curator goes from nothing to the first accepted label by the guided path', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const complaints = complaintsOf(page);
  const name = `Path ${Date.now()}`;
  const slug = name.toLowerCase().replace(' ', '-');
  await signIn(page, 'curator');
  await page.goto('/projects/new');
  await page.getByLabel('Name').fill(name);
  await page.getByRole('radio', { name: /three parts per class/ }).check();
  await page.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Set-up' })).toBeVisible();
  await look(page, 'setup-new');
  await addImages(page);
  await backToSetup(page);
  await editSchema(page);
  await backToSetup(page);
  await expect(page.getByText('version 2: 5 classes, 16 parts.')).toBeVisible();
  await writeGold(page, slug);
  await backToSetup(page);
  await setPolicy(page);
  await backToSetup(page);
  const link = await invite(page);
  await backToSetup(page);
  await look(page, 'setup-ready');
  await page.getByRole('button', { name: 'Start collecting' }).click();
  await expect(page.getByText('The project is collecting.', { exact: true })).toBeVisible();
  await workOnce(browser, link);
  await expect
    .poll(async () => [...new Set(await sourcesOfLabels(page, slug))])
    .toEqual(['answer', 'correction']);
  expectQuiet(complaints);
});

test('a curator imports gold and hears about every line', async ({ page }) => {
  await signIn(page, 'curator');
  await page.goto('/projects/rival10-demo/gold/import');
  const lines = ['{"image":"nobody.png","nothing":true}', 'not json', '{"image":"nobody.png"}'];
  await page.getByLabel('File with gold').setInputFiles({
    name: 'gold.jsonl',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(lines.join('\n')),
  });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('3 lines = 0 imported + 0 unchanged + 3 refused')).toBeVisible();
  await expect(page.getByRole('row', { name: /There is no image/ })).toBeVisible();
  await look(page, 'gold-import');
});
