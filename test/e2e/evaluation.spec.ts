import type { Page } from '@playwright/test';
import { tinyClassifier } from '../support/tiny-classifier';
import { expectAccessible } from './support/accessible';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, test } from './support/story';

const project = '/projects/part-imagenet-demo';
/** As many as the demo's schema has. */
const CLASSES = 11;

async function freeze(page: Page): Promise<void> {
  await page.goto(`${project}/data/freeze`);
  await page.getByRole('button', { name: 'Freeze version' }).click();
  await expect(page).toHaveURL(/data\/\d+/, { timeout: 60_000 });
}

const fileOf = (name: string, bytes: Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(bytes),
});

/** A classifier from elsewhere, looked at and entered. */
async function enterModel(page: Page, name: string): Promise<void> {
  const { onnx, gradient } = tinyClassifier({ classes: CLASSES, key: name });
  await page.goto(`${project}/models/new`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('ONNX file').setInputFiles(fileOf('model.onnx', onnx));
  await page.getByLabel('Gradient graph').setInputFiles(fileOf('model.grad.onnx', gradient));
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('button', { name: 'Register model' }).click({ timeout: 60_000 });
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible({ timeout: 60_000 });
}

async function evaluate(page: Page, model: string): Promise<string> {
  await page.goto(`${project}/evaluations/new`);
  await page.getByLabel('Model', { exact: true }).selectOption({ label: model });
  await page.getByLabel('Suite', { exact: true }).selectOption('backgrounds');
  await page.getByLabel('Split', { exact: true }).fill('all');
  await page.getByLabel('Maximum images').fill('22');
  await expect(page.getByRole('row', { name: /^Backgrounds.*22.*88/ })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(page).toHaveURL(/evaluations\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { name: 'Findings' })).toBeVisible({ timeout: 120_000 });
  return page.url();
}

test('two models from elsewhere are evaluated and compared; what one gets wrong goes back to the annotators', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const told = Date.now();
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await freeze(page);

  await page.goto(`${project}/models/new`);
  await page.getByLabel('ONNX file').setInputFiles(fileOf('notes.onnx', Buffer.from('no model at all')));
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByRole('region', { name: 'Check results' })).toContainText('Export the model again', {
    timeout: 60_000,
  });
  await expect(page.getByRole('button', { name: 'Register model' })).toHaveCount(0);
  const [one, other] = [`Tiny one ${told}`, `Tiny other ${told}`];
  await enterModel(page, one);
  await enterModel(page, other);

  await page.goto(`${project}/evaluations/new`);
  await page.getByLabel('Split', { exact: true }).fill('tset');
  await expect(page.getByText('no split "tset"')).toBeVisible({ timeout: 60_000 });
  const first = await evaluate(page, one);
  await evaluate(page, other);
  // Held against the one before it, on the same images.
  await expect(page.getByText(/^Differences from /)).toBeVisible();
  await expect(page.getByRole('group', { name: 'Accuracy on other backgrounds' })).toBeVisible();
  await look(page, 'evaluation');
  await expectAccessible(page, 'main');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).first().click();
  expect((await saved).suggestedFilename()).toMatch(/\.csv$/);

  await page.getByRole('link', { name: 'Compare both' }).click();
  await expect(page.getByRole('row', { name: /^Background gap/ })).toBeVisible();
  // The split is random: on few images both models can be right on the same ones.
  await expect(page.getByText(/McNemar’s exact test|Both models are right on the same images/)).toBeVisible();
  await look(page, 'evaluation-compare');
  await expectAccessible(page, 'main');
  await page.goto(`${project}/leaderboard`);
  for (const name of [one, other]) await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  await look(page, 'leaderboard');
  await expectAccessible(page, 'main');

  // A bar leads to its images; some of them are asked about anew.
  await page.goto(first);
  await page.getByRole('group', { name: 'Accuracy by class' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/class=.*right=no|right=no.*class=/);
  await page.goto(`${first}?right=no`);
  const boxes = page.getByRole('checkbox', { name: /^Select / });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await expect(page.getByText('2 images selected')).toBeVisible();
  await page.getByRole('button', { name: 'Send to annotators' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('status')).toContainText(/items? for 2 images|move to the front/);
  await look(page, 'evaluation-ask');
  await dialog.getByRole('button', { name: 'Request answers' }).click();
  await expect(page.getByText('The items are at the front of the queue.')).toBeVisible();
  await page.getByRole('button', { name: 'Create slice' }).click();
  await dialog.getByLabel('Name').fill(`Taken for others ${told}`);
  await dialog.getByRole('button', { name: 'Create slice' }).click();
  await expect(page).toHaveURL(/images\?slice=/);
  await expect(page.getByRole('region', { name: 'Images' }).getByRole('link')).toHaveCount(2);
  expectQuiet(complaints);
});

test('a curator makes people the oracle, knows the price first, and stops asking', async ({ page }) => {
  test.setTimeout(180_000);
  const told = Date.now();
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await freeze(page);
  const name = `Tiny judged ${told}`;
  await enterModel(page, name);
  await page.goto(`${project}/evaluations/new`);
  const stage = `What is to be seen ${told}`;
  await page.getByRole('button', { name: 'New oracle stage' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(stage);
  await dialog.getByLabel('Workers per picture').fill('2');
  await dialog.getByRole('button', { name: 'Create stage' }).click();
  await expect(dialog.getByText(/an odd number/)).toBeVisible();
  await dialog.getByLabel('Workers per picture').fill('3');
  await dialog.getByRole('button', { name: 'Create stage' }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByLabel('Model', { exact: true }).selectOption({ label: name });
  await page.getByLabel('Suite', { exact: true }).selectOption('fmr');
  await page.getByLabel('Split', { exact: true }).fill('all');
  await page.getByLabel('Maximum images').fill('3');
  await page.getByLabel('Crowd oracle').selectOption({ label: stage });
  // The clean picture, the first, and the four that halve ten: of three images.
  await expect(page.getByText(/at most 18 questions about 3 images, 3 workers each/)).toBeVisible({
    timeout: 60_000,
  });
  await look(page, 'evaluation-crowd-new');
  await expectAccessible(page, 'main');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await expect(page.getByText('of at most 18')).toBeVisible({ timeout: 90_000 });
  await look(page, 'evaluation-crowd-waits');
  await expectAccessible(page, 'main');
  await page.getByRole('button', { name: 'Stop requests' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('heading', { name: 'The evaluation was cancelled' })).toBeVisible();
  expectQuiet(complaints);
});
