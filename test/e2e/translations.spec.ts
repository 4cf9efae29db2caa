import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { projectFolder } from '@/lib/config';
import type messages from '@/messages/en.json';
import { expectAccessible } from './support/accessible';
import { Annotator } from './support/annotator';
import { complaintsOf, expectQuiet } from './support/complaints';
import { workerLink } from './support/invite';
import { look, lookAtPhone } from './support/look';
import { fromHere, signIn } from './support/people';
import { expect, patient, test } from './support/story';

const demo = 'rival10-demo';

/** A project of its own, so that the other stories stay in one language. */
async function newProject(page: Page): Promise<string> {
  const headers = fromHere();
  const data = { name: 'Tide pools', description: 'Photographs of animals.', preset: 'rival10' };
  const made = await page.request.post('/api/v1/projects', { headers, data });
  expect(made.status()).toBe(201);
  const { slug } = await made.json();
  const started = await page.request.patch(`/api/v1/projects/${slug}`, {
    headers,
    data: { state: 'collecting' },
  });
  expect(started.ok()).toBe(true);
  return slug;
}

const wordsOf = (locale: string): typeof messages =>
  JSON.parse(readFileSync(path.join(projectFolder, `messages/${locale}.json`), 'utf8'));
const [es, fr] = [wordsOf('es'), wordsOf('fr')];

/** Joins by a link with a browser in another language; ends on the consent page. */
async function arrive(browser: Browser, link: string, language: 'es' | 'fr'): Promise<Page> {
  const context = await patient(await browser.newContext({ locale: language }));
  const page = await context.newPage();
  const { join, home } = wordsOf(language);
  await page.goto(link);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await look(page, `join-${language}`);
  await page.getByRole('button', { name: join.usePseudonym }).click();
  await page.getByLabel(join.pseudonym).fill(`wren-${Date.now()}`);
  await page.getByLabel(join.password).fill('a long enough secret');
  await page.getByRole('button', { name: join.submit }).click();
  await page.getByRole('link', { name: home.readAndAgree }).click();
  await expect(page).toHaveURL(/\/consent$/);
  return page;
}

test('a curator translates guide and consent into Spanish, and workers read what there is', async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  await signIn(page, 'curator');
  const slug = await newProject(page);
  const complaints = complaintsOf(page);
  await page.goto(`/projects/${slug}/crowd/translations`);
  await expect(page.getByText('No translations yet')).toBeVisible();
  await expectAccessible(page, 'main');
  await look(page, 'translations-empty');
  await page.getByRole('link', { name: 'Translate into Spanish' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Translations: Español' })).toBeVisible();

  const groups = page.getByRole('navigation', { name: 'Groups of texts' });
  await groups.getByRole('button', { name: /^Consent text/ }).click();
  const fields = page.getByRole('textbox');
  await expect(fields).toHaveCount(10);
  for (const field of await fields.all()) await field.fill('Texto traducido para personas de 18 años.');
  // Edits stay while the curator looks at another group.
  await groups
    .getByRole('button', { name: /^Guide: / })
    .first()
    .click();
  await page.getByRole('textbox').first().fill('- Marca lo que ves.\n- No adivines.');
  await look(page, 'translations-editing');
  await expectAccessible(page, 'main');
  await page.getByRole('button', { name: 'Save 11 texts' }).click();
  await expect(page.getByText('11 translated')).toBeVisible();
  await page.reload();
  await expect(page.getByText('11 translated')).toBeVisible();
  await look(page, 'translations-spanish');

  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await file).suggestedFilename()).toBe(`${slug}-es.csv`);
  const csv = await (
    await page.request.get(`/projects/${slug}/crowd/translations/file?language=es&format=csv`)
  ).text();
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByLabel('File').setInputFiles({
    name: 'es.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv.replace('missing,Tide pools,', 'missing,Tide pools,Pozas de marea')),
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 translation imported, 11 unchanged');
  await look(page, 'translations-import');
  await page.keyboard.press('Escape');
  expectQuiet(complaints);

  const spanish = await arrive(browser, await workerLink(page, slug), 'es');
  await expect(spanish.getByRole('heading', { level: 1 })).toHaveText(
    'Texto traducido para personas de 18 años.',
  );
  await expect(spanish.locator('[data-fallback]')).toHaveCount(0);
  await expectAccessible(spanish);
  await look(spanish, 'consent-spanish');
  await lookAtPhone(spanish, 'consent-spanish');
  await spanish.getByLabel(es.consent.adult).check();
  await spanish.getByRole('button', { name: es.consent.agree }).click();
  await expect(spanish).toHaveURL(/\/guide$/);
  await expect(spanish.getByRole('heading', { level: 1 })).toContainText('Pozas de marea');
  await expect(spanish.getByText('Marca lo que ves.')).toBeVisible();
  await expect(spanish.getByText('Partes de este texto solo están disponibles en inglés.')).toBeVisible();
  await expectAccessible(spanish);
  await look(spanish, 'guide-spanish');
  await lookAtPhone(spanish, 'guide-spanish');

  const french = await arrive(browser, await workerLink(page, slug), 'fr');
  await expect(french.getByText('Ce texte n’est disponible qu’en anglais.')).toBeVisible();
  const original = french.getByRole('heading', { level: 1 });
  await expect(original).toHaveText('Tide pools');
  await expect(original).toHaveAttribute('lang', 'en');
  await expectAccessible(french);
  await look(french, 'consent-french');
  await lookAtPhone(french, 'consent-french');
  await french.getByLabel(fr.consent.adult).check();
  await french.getByRole('button', { name: fr.consent.agree }).click();
  await expect(french).toHaveURL(/\/guide$/);
  await expect(french.getByText('Ce texte n’est disponible qu’en anglais.')).toBeVisible();
  await look(french, 'guide-french');

  // A new original: the translation is outdated, and the next worker reads the original.
  await page.goto(`/projects/${slug}/crowd/consent`);
  await page.getByLabel('Risks').fill('Some pictures show blood.');
  await page.getByRole('button', { name: 'Publish as text 2' }).click();
  await expect(page.getByRole('button', { name: 'Publish as text 3' })).toBeVisible();
  await page.goto(`/projects/${slug}/crowd/translations?language=es`);
  await expect(page.getByText('1 outdated')).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Groups of texts' })
    .getByRole('button', { name: /^Consent text/ })
    .click();
  await page.getByRole('switch', { name: 'Only missing and outdated' }).check();
  await expect(page.getByRole('button', { name: 'Risks: still correct' })).toBeVisible();
  await look(page, 'translations-outdated');
  await spanish.goto(`/annotate/${slug}/consent`);
  await expect(spanish.getByText('Este texto solo está disponible en inglés.')).toBeVisible();
  await page.getByRole('button', { name: 'Risks: still correct' }).click();
  await page.getByRole('button', { name: 'Save 1 text' }).click();
  await expect(page.getByText('12 translated')).toBeVisible();
  await spanish.reload();
  await expect(spanish.locator('[data-fallback]')).toHaveCount(0);
});

test('a worker draws in a workspace with names in their language', async ({ page }) => {
  test.setTimeout(180_000);
  await signIn(page, 'curator');
  const path = `/api/v1/projects/${demo}/translations/texts`;
  const { entries } = await (await page.request.get(`${path}?language=id`)).json();
  const changes = entries
    .filter(({ key }: { key: string }) => /^schema\/class\//.test(key))
    .map(({ key, number, original }: { key: string; number: number; original: string }) => ({
      key,
      number,
      text: `Terjemahan ${original}`.slice(0, 200),
    }));
  const saved = await page.request.put(path, { headers: fromHere(), data: { language: 'id', changes } });
  expect(saved.ok()).toBe(true);

  await signIn(page, 'worker1');
  await new Annotator(page).open('Object masks', 1);
  const baseURL = test.info().project.use.baseURL ?? '';
  await page.context().addCookies([{ name: 'tessera-language', value: 'id', url: baseURL }]);
  await page.reload();
  await expect(page.getByRole('application')).toHaveAttribute('data-state', /\./);
  await expect(page.getByRole('heading', { name: /^Terjemahan / }).first()).toBeVisible();
  await expect(page.getByText('Sebagian teks ini hanya tersedia dalam bahasa Inggris.')).toBeVisible();
  await look(page, 'workspace-indonesian');
  await lookAtPhone(page, 'workspace-indonesian');
  await page.context().addCookies([{ name: 'tessera-language', value: 'fr', url: baseURL }]);
  await page.goto('/annotate/history');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
});
