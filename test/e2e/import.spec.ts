import { jpeg, zip } from '../services/images/ingest/files';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, test } from './support/story';

const square = (x: number) => [x, 5, x + 20, 5, x + 20, 30, x, 30];

/** Three pictures as somebody labelled them elsewhere: a dog in each, in the first another dog; one box has no mask. */
async function existingSet(): Promise<Buffer> {
  const images = [1, 2, 3].map((id) => ({ id, file_name: `park-${id}.jpg`, width: 64, height: 48 }));
  const drawn = (id: number, image_id: number, x: number) => ({
    id,
    image_id,
    category_id: 7,
    segmentation: [square(x)],
    iscrowd: 0,
  });
  const annotations = [
    drawn(1, 1, 4),
    drawn(2, 1, 40),
    drawn(3, 2, 10),
    drawn(4, 3, 20),
    { id: 5, image_id: 3, category_id: 7, bbox: [1, 1, 5, 5], iscrowd: 0 },
  ];
  const coco = { images, annotations, categories: [{ id: 7, name: 'dog' }] };
  const pictures = await Promise.all(images.map(async ({ id, file_name }) => [file_name, await jpeg(id)]));
  return zip({
    'annotations/instances_train.json': Buffer.from(JSON.stringify(coco)),
    ...Object.fromEntries(pictures),
  });
}

test('a curator brings in work from elsewhere: told what it is and why, then what came in and what did not', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto('/projects/new');
  await page.getByLabel('Name').fill(`Brought in ${Date.now()}`);
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('link', { name: 'Add images' }).first().click();
  await page
    .getByLabel('Files', { exact: true })
    .setInputFiles({ name: 'park.zip', mimeType: 'application/zip', buffer: await existingSet() });

  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'This looks like COCO instances' })).toBeVisible({
    timeout: 60_000,
  });
  await expect(main).toContainText('instances_train.json has 3 images, 5 annotations and 1 category');
  await expect(main.getByLabel('Read the files as')).toHaveValue('coco');
  await look(page, 'import-guess');
  await main.getByRole('button', { name: 'Continue' }).click();

  const categories = main.getByRole('table', { name: 'Categories of the dataset' });
  await expect(categories.getByLabel('Target of dog')).toHaveValue('class', { timeout: 60_000 });
  await expect(main.getByRole('img', { name: 'park-1.jpg with its labels' })).toBeVisible();
  await expect(page.locator('dl > div', { has: page.getByText('To import', { exact: true }) })).toContainText(
    '4',
  );
  await categories.getByLabel('Name of dog').fill('hound');
  await main.getByRole('button', { name: 'Update preview' }).click();
  await expect(main.getByText('hound · train').first()).toBeVisible({ timeout: 60_000 });
  await main.getByLabel('Name of the mapping').fill('Dogs of the park');
  await main.getByRole('button', { name: 'Save mapping' }).click();
  await expect(main.getByLabel('Saved mapping')).toContainText('Dogs of the park');
  await look(page, 'import-mapping');
  await main.getByRole('button', { name: 'Import', exact: true }).click();

  await expect(page.getByRole('link', { name: 'Audit the labels' })).toBeVisible({ timeout: 60_000 });
  const count = (label: string) => page.locator('dl > div', { has: page.getByText(label, { exact: true }) });
  await expect(count('Accepted')).toContainText('3');
  await expect(count('Written')).toContainText('4');
  await expect(count('Skipped')).toContainText('1');
  const report = page.waitForEvent('download');
  await main.getByRole('link', { name: 'CSV' }).click();
  expect((await report).suggestedFilename()).toBe('import-report.csv');
  await expect(main).toContainText('annotations with a box and no mask were left out');
  await look(page, 'import-report');

  await page.getByRole('link', { name: 'Open images' }).click();
  const tiles = page.getByRole('region', { name: 'Images' }).getByRole('link');
  await expect(tiles).toHaveCount(3);
  await tiles.filter({ hasText: 'park-1.jpg' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'park-1.jpg' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Items and labels' })).toContainText('object 2 (hound)');
  await look(page, 'import-image');
  expectQuiet(complaints);
});

/** Parts of a car that lie together, on six pictures, and nothing that says so. Each has two wheels. */
async function carParts(): Promise<Buffer> {
  const names = ['hood', 'left_door', 'wheel'];
  const box = (x: number, y: number, w: number, h: number) => [x, y, x + w, y, x + w, y + h, x, y + h];
  const ids = [1, 2, 3, 4, 5, 6];
  const drawn = [
    [1, box(5, 10, 20, 12)],
    [2, box(26, 8, 20, 16)],
    [3, box(8, 23, 8, 8)],
    [3, box(38, 25, 8, 8)],
  ] as const;
  const annotations = ids.flatMap((image_id) =>
    drawn.map(([category_id, ring], i) => ({
      id: image_id * 10 + i,
      image_id,
      category_id,
      segmentation: [ring],
      iscrowd: 0,
    })),
  );
  const images = ids.map((id) => ({ id, file_name: `${id}.jpg`, width: 64, height: 48 }));
  const categories = names.map((name, i) => ({ id: i + 1, name }));
  const pictures = await Promise.all(ids.map(async (id) => [`car-parts/${id}.jpg`, await jpeg(50 + id)]));
  return zip({
    'car-parts/annotations.json': Buffer.from(JSON.stringify({ images, annotations, categories })),
    ...Object.fromEntries(pictures),
  });
}

test('a curator starts a project from a flat list of parts: it gets one class, its parts and their instances', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto('/projects/new');
  await page.getByLabel('Name').fill(`Cars ${Date.now()}`);
  await page.getByLabel('From a dataset').check();
  await page.getByRole('button', { name: 'Create project' }).click();
  await page
    .getByLabel('Files', { exact: true })
    .setInputFiles({ name: 'car-parts.zip', mimeType: 'application/zip', buffer: await carParts() });
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Continue' }).click({ timeout: 60_000 });
  for (const name of ['hood', 'left_door', 'wheel']) {
    await expect(main.getByLabel(`Target of ${name}`)).toHaveValue('part', { timeout: 60_000 });
    await expect(main.getByLabel(`Class of ${name}`)).toHaveValue('car');
  }
  await expect(main.getByRole('img', { name: /with its labels/ })).toHaveCount(6);
  await look(page, 'import-parts');
  await main.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Audit the labels' })).toBeVisible({ timeout: 60_000 });
  const wheels = main
    .getByRole('table', { name: 'Annotations by category' })
    .getByRole('row', { name: /wheel/ });
  await expect(wheels).toContainText('part wheel of car');
  await expect(wheels.getByRole('cell').nth(3)).toHaveText('12');
  await expect(main).toContainText('The project has adopted the schema of the dataset.');
  await look(page, 'import-parts-report');
  expectQuiet(complaints);
});
