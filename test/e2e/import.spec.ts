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
  await main.getByRole('button', { name: 'Import images and labels' }).click();

  await expect(page.getByRole('link', { name: 'Audit the labels' })).toBeVisible({ timeout: 60_000 });
  const count = (label: string) => page.locator('dl > div', { has: page.getByText(label, { exact: true }) });
  await expect(count('Accepted')).toContainText('3');
  await expect(count('Imported')).toContainText('4');
  await expect(main).toContainText('annotations with a box and no mask were left out');
  await look(page, 'import-report');

  await page.getByRole('link', { name: 'Open images' }).click();
  const tiles = page.getByRole('region', { name: 'Images' }).getByRole('link');
  await expect(tiles).toHaveCount(3);
  await tiles.filter({ hasText: 'park-1.jpg' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'park-1.jpg' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Items and labels' })).toContainText('object 2 (Dog)');
  await look(page, 'import-image');
  expectQuiet(complaints);
});
