import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { complaintsOf, expectQuiet } from './support/complaints';
import { query } from './support/database';
import { stranger, workerLink } from './support/invite';
import { look } from './support/look';
import { joinAsWorker } from './support/newcomer';
import { fromHere, signIn } from './support/people';
import { expect, test } from './support/story';

const slug = 'rival10-demo';
const pay = `/projects/${slug}/crowd/pay`;
const iban = 'DE89 3704 0044 0532 0130 00';
const widths = [390, 820, 1280, 1920];

/** Other stories do without the question. */
test.afterAll(async () => {
  await query(`update projects set policy = policy - 'payees' where slug = $1`, [slug]);
});

async function askForDetails(curator: Page): Promise<void> {
  await curator.goto(`/projects/${slug}/crowd/policy`);
  await curator.getByLabel('Ask workers where to send their money').check();
  await curator.getByLabel('PayPal').check();
  await curator.getByLabel('When you pay', { exact: true }).selectOption('monthly');
  await look(curator, 'payee-policy');
  await curator.getByRole('button', { name: 'Preview changes' }).click();
  await curator.getByRole('button', { name: 'Apply', exact: true }).click();
  await curator.getByRole('alertdialog').getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(curator).toHaveURL(/policy$/);
}

/** Joins another project as its curator, by an invitation of the admin. */
async function otherCurator(admin: Page, otto: Page): Promise<void> {
  await signIn(admin, 'admin');
  const answer = await admin.request.post('/api/v1/projects/part-imagenet-demo/invitations', {
    headers: fromHere(),
    data: { roles: ['curator'], expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
  });
  expect(answer.status()).toBe(201);
  await otto.goto(new URL((await answer.json()).link).pathname);
  await otto.getByLabel('Name').fill('Otto Other');
  await otto.getByLabel('E-mail').fill(`otto-${Date.now()}@example.org`);
  await otto.getByLabel('Password').fill('a long enough secret');
  await otto.getByRole('button', { name: /join|create|accept/i }).click();
  await otto.waitForURL((url) => !url.pathname.startsWith('/join'));
}

test('a worker enters payment details, the curator pays with them, and another project’s curator sees nothing', async ({
  page,
  browser,
}) => {
  // Four people, and five pages looked at by axe.
  test.setTimeout(240_000);
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto(pay);
  const panel = page.locator('section', {
    has: page.getByRole('heading', { level: 2, name: 'Payee details' }),
  });
  await expect(panel.getByText('are not asked where to send their money')).toBeVisible();
  await askForDetails(page);

  const worker = await joinAsWorker(browser, await workerLink(page));
  await expect(worker.getByText('needs your payment details')).toBeVisible();
  await look(worker, 'payee-notice', widths);
  await expectAccessible(worker);
  await worker.getByRole('link', { name: 'Add payment details' }).click();
  await expect(worker.getByRole('heading', { level: 1, name: 'Payment details' })).toBeVisible();
  await expect(worker.getByText('You are paid every month.')).toBeVisible();
  await look(worker, 'payee-form', widths);
  await expectAccessible(worker);

  // Two digits are swapped: the number is refused, and what was typed stays.
  await worker.getByLabel('Name of the account holder').fill('Renata Wójcik');
  await worker.getByLabel('IBAN or account number').fill('DE89 3704 0044 0532 0310 00');
  await worker.getByRole('button', { name: 'Save' }).click();
  await expect(worker.getByText('An IBAN must be complete')).toBeVisible();
  await expect(worker.getByLabel('Name of the account holder')).toHaveValue('Renata Wójcik');
  await look(worker, 'payee-refused', widths);
  await worker.getByLabel('IBAN or account number').fill(iban.replaceAll(' ', '').toLowerCase());
  await worker.getByRole('button', { name: 'Save' }).click();
  await expect(worker).toHaveURL(/\/annotate\/account/);
  await expect(worker.getByText(/^Bank transfer: •••• 3000\. Saved on/)).toBeVisible();
  await expect(worker.getByText(iban)).toHaveCount(0);
  await look(worker, 'payee-account', widths);
  await expectAccessible(worker);
  const [row] = await query<{ id: string; name: string; sealed: string }>(
    'select u.id, u.name, y.sealed from payees y join users u on u.id = y.worker_id order by y.updated_at desc limit 1',
    [],
  );
  if (!row) throw new Error('The details are stored.');
  expect(row.sealed).not.toMatch(/Renata|3704/);
  await query(
    `insert into ledger (id, project_id, worker_id, kind, source_id, amount_micro, currency, note)
     select gen_random_uuid(), id, $1, 'bonus', gen_random_uuid(), 2500000, 'USD', 'Thanks' from projects where slug = $2`,
    [row.id, slug],
  );

  await page.goto(pay);
  const line = panel.getByRole('row').filter({ hasText: row.name });
  await expect(line).toContainText('•••• 3000');
  await expect(page.getByText('Renata Wójcik')).toHaveCount(0);
  await look(page, 'payee-list');
  await expectAccessible(page, 'main');
  await line.getByRole('button', { name: 'Show' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(iban)).toBeVisible();
  await expect(dialog.getByText('Renata Wójcik')).toBeVisible();
  await look(page, 'payee-shown');
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  await page.getByRole('button', { name: 'Approve pending amounts' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
  const lists = page.locator('section', {
    has: page.getByRole('heading', { level: 2, name: 'Payout lists' }),
  });
  await expect(lists.getByRole('row').nth(1)).toContainText('approved');
  const files = await lists
    .getByRole('link', { name: 'CSV' })
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const texts = await Promise.all(files.map(async (href) => (await page.request.get(href)).text()));
  const own = texts.find((text) => text.includes(row.id)) ?? '';
  expect(own).toContain(`bank,Renata Wójcik,${iban}`);
  await page.goto(`/projects/${slug}/activity`);
  await expect(page.getByRole('table').getByText('Viewed the payment details of').first()).toBeVisible();
  await expect(page.getByText(iban)).toHaveCount(0);

  const otto = await stranger(browser);
  await otherCurator(await stranger(browser), otto);
  for (const path of [pay, ...files]) expect((await otto.request.get(path)).status(), path).toBe(404);
  expect((await worker.request.get(pay)).status()).toBe(404);

  await worker.getByRole('button', { name: 'Delete' }).click();
  await worker.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(worker.getByText('does not know yet where to send your money')).toBeVisible();
  await page.goto(pay);
  await expect(line).toContainText('Missing');
  expectQuiet(complaints);
});
