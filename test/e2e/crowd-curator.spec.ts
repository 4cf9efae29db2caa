import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { expectAccessible } from './support/accessible';
import { complaintsOf, expectQuiet } from './support/complaints';
import { query } from './support/database';
import { stranger } from './support/invite';
import { look } from './support/look';
import { signIn } from './support/people';
import { letWork } from './support/standing';
import { expect, test } from './support/story';

const slug = 'rival10-demo';
const crowd = `/projects/${slug}/crowd`;

test('the curator looks at every page about the crowd', async ({ page }) => {
  // Nine pages, each looked at four times and checked by axe.
  test.setTimeout(300_000);
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto('/projects/rival10-demo');
  await page.getByRole('link', { name: 'Crowd' }).click();
  await expect(page.getByRole('table').getByRole('link', { name: 'Wanda Silva' })).toBeVisible();
  await look(page, 'crowd-workers');
  await expectAccessible(page, 'main');
  for (const name of ['Exams', 'Checks', 'Rules', 'Pay', 'Policy', 'Guide', 'Consent', 'Invite']) {
    await page.getByRole('navigation', { name: 'Pages about the crowd' }).getByRole('link', { name }).click();
    await expect(page).toHaveURL(new RegExp(`/crowd/${name.toLowerCase()}$`));
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await look(page, `crowd-${name.toLowerCase()}`);
    await expectAccessible(page, 'main');
  }
  expectQuiet(complaints);
});

test('the list of workers is filtered by its address and taken away as CSV', async ({ page }) => {
  await signIn(page, 'curator');
  await page.goto(crowd);
  await page.getByLabel('Name or cohort').fill('novák');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/q=nov/);
  await expect(page.getByText('1 of 1 row')).toBeVisible();
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  expect((await file).suggestedFilename()).toBe('rival10-demo-workers.csv');
  const csv = await page.request.get(`${crowd}/csv?q=nov%C3%A1k`);
  expect((await csv.text()).trim().split('\r\n')).toHaveLength(2);
  await page.goto(`${crowd}?q=nobody-is-called-this`);
  await expect(page.getByText('No matching workers')).toBeVisible();
});

test('the curator drags the bar of an exam, sees who would pass, uses it, and goes back', async ({
  page,
}) => {
  await signIn(page, 'curator');
  await page.goto(`${crowd}/exams`);
  const panel = page.locator('section', {
    has: page.getByRole('heading', { level: 2, name: 'Object masks' }),
  });
  const slider = panel.getByRole('slider', { name: /Bar for mean IoU/ });
  await expect(slider).toHaveValue('0.7');
  const plot = panel.locator('[data-drag-bar]');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (!box) throw new Error('The plot is on the page.');
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.99, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect(slider).toHaveValue('0.99');
  await expect(panel.getByText(/^0 of \d+ people would pass/)).toBeVisible();
  await expect(panel.getByText(/They stay in/)).toBeVisible();
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(slider).toHaveValue('0.98');
  await slider.fill('0.72');
  await look(page, 'crowd-bar');
  await panel.getByRole('button', { name: 'Use this bar' }).click();
  await expect(page.getByText('The bar is set.')).toBeVisible();

  await page.goto(`${crowd}/policy`);
  await expect(page.getByRole('heading', { name: 'Settings of Object masks' })).toBeVisible();
  await page.getByRole('button', { name: 'Use project policy' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Use project policy' }).click();
  await expect(page.getByRole('heading', { name: 'Settings of Object masks' })).toHaveCount(0);
});

test('the curator tries rules on past work and applies them', async ({ page }) => {
  await signIn(page, 'curator');
  await page.goto(`${crowd}/rules`);
  await page.getByLabel('Score under the bar: error').fill('0.006');
  await page.getByRole('button', { name: 'Try on past work' }).click();
  await expect(page).toHaveURL(/try=1/);
  await expect(page.getByRole('columnheader', { name: 'Draft' })).toBeVisible();
  await expect(page.getByLabel('Score under the bar: error')).toHaveValue('0.006');
  await look(page, 'crowd-dry-run');
  const worker = page.getByLabel('Worker', { exact: true });
  await worker.selectOption({ label: 'Wanda Silva' });
  await page.getByRole('button', { name: 'Show evidence' }).click();
  await expect(page).toHaveURL(/try=1.*worker=/);
  await expect(page.getByText(/a good worker has at least/).first()).toBeVisible();
  await expect(page.getByLabel('Score under the bar: error')).toHaveValue('0.006');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('heading', { name: /^Active: rule set \d+$/ })).toBeVisible();
  await expect(page).toHaveURL(/rules$/);
  await expect(page.getByLabel('Score under the bar: error')).toHaveValue('0.006');
});

test('a worker is paused by hand, appeals, and the curator grants it', async ({ page, browser, baseURL }) => {
  // Two people, and the page of a worker looked at three times.
  test.setTimeout(180_000);
  await letWork(slug);
  await signIn(page, 'curator');
  await page.goto(crowd);
  await page.getByRole('table').getByRole('link', { name: 'Wen Zhao' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Wen Zhao' })).toBeVisible();
  const address = page.url();
  const workerId = address.split('/').at(-1) ?? '';
  await look(page, 'crowd-worker');
  await expectAccessible(page, 'main');
  await page.getByRole('button', { name: 'Decide' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Stage').selectOption({ label: 'Object masks (active)' });
  await dialog.getByLabel('Decision').selectOption('pause');
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await expect(dialog.getByText('Enter a text. The worker will read it.')).toBeVisible();
  const reason = `Your last outlines leave out the legs, ${Date.now()}.`;
  await dialog.getByLabel('Reason').fill(reason);
  await look(page, 'crowd-decide');
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(reason)).toBeVisible();

  const details = await page.request.get(`/api/v1/projects/rival10-demo/crowd/workers/${workerId}`);
  const decisionId: string = (await details.json()).decisions[0].id;
  const worker = await stranger(browser);
  await signIn(worker, 'worker2');
  const appeal = await worker.request.post(`/api/v1/work/decisions/${decisionId}/appeal`, {
    headers: { origin: baseURL ?? '' },
    data: { id: crypto.randomUUID(), text: 'The legs were hidden behind the grass.' },
  });
  expect(appeal.ok()).toBe(true);

  await page.goto(crowd);
  await expect(page.getByRole('row').nth(1)).toContainText('Wen Zhao');
  await expect(page.getByRole('row').nth(1)).toContainText('1 appeal');
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Open appeal' })).toBeVisible();
  await look(page, 'crowd-appeal');
  await expectAccessible(page, 'main');
  await page.getByLabel('Grant it').check();
  const reply = `You are right, we looked again, ${Date.now()}.`;
  await page.getByLabel('Reply').fill(reply);
  await page.getByRole('button', { name: 'Answer the appeal' }).click();
  await expect(page.getByRole('heading', { name: 'Open appeal' })).toHaveCount(0);
  await expect(page.getByText(reply).first()).toBeVisible();
});

async function promiseMore(): Promise<void> {
  const [demo] = await query<{ policy: Record<string, unknown> }>(
    'select policy from projects where slug = $1',
    [slug],
  );
  const { hourlyTarget } = effectivePolicy(demo?.policy ?? {}, {}).pay;
  const more = JSON.stringify({ hourlyTarget: Math.round(hourlyTarget * 1.2) });
  await query(
    `update projects set policy = policy || jsonb_build_object('pay', coalesce(policy->'pay', '{}') || $2::jsonb)
     where slug = $1`,
    [slug, more],
  );
}

test('the curator pays the bonus list, approves what is pending and marks it as paid', async ({ page }) => {
  await signIn(page, 'curator');
  await page.goto(`${crowd}/pay`);
  const nobody = page.getByText('No worker is below the promised pay');
  await expect(nobody.or(page.getByRole('button', { name: 'Pay bonuses' }))).toBeVisible();
  // In a repeated run nobody is below the promised pay, so the promise is raised.
  if (await nobody.isVisible()) {
    await promiseMore();
    await page.reload();
  }
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).first().click();
  expect((await file).suggestedFilename()).toBe('rival10-demo-bonuses.csv');
  await page.getByRole('button', { name: 'Pay bonuses' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(nobody).toBeVisible();
  await page.getByRole('button', { name: 'Approve pending amounts' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
  const list = page.getByRole('region', { name: 'Payout lists' }).getByRole('row').nth(1);
  await expect(list).toContainText('approved');
  await list.getByRole('button', { name: 'Mark as paid' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as paid' }).click();
  await expect(list).toContainText('paid');
  await expect(list.getByRole('button', { name: 'Mark as paid' })).toHaveCount(0);
});

test('the curator writes in the guide and sees it as a worker will', async ({ page }) => {
  await signIn(page, 'curator');
  await page.goto(`${crowd}/guide`);
  await page
    .getByRole('navigation', { name: 'Parts of the guide' })
    .getByRole('link', { name: 'Horns' })
    .click();
  await expect(page.getByRole('heading', { name: 'Attributes: Horns' })).toBeVisible();
  await page
    .getByRole('textbox', { name: 'Short form, beside the work' })
    .fill(`Horns **grow**. <b>Ears</b> do not. ${Date.now()}`);
  const preview = page.getByRole('region', { name: 'Preview: Short form, beside the work' });
  await expect(preview.locator('strong')).toHaveText('grow');
  await expect(preview.locator('b')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved. Workers see it from their next page on.')).toBeVisible();
  await expect(page.getByText(/^Text \d+$/)).toBeVisible();
});

test('the researcher reaches no page about the crowd', async ({ page }) => {
  await signIn(page, 'researcher');
  for (const path of [
    '',
    '/exams',
    '/rules',
    '/pay',
    '/policy',
    '/guide',
    '/consent',
    '/invite',
    '/people',
    '/csv',
  ]) {
    expect((await page.request.get(`${crowd}${path}`)).status()).toBe(404);
  }
  expect((await page.request.get('/api/v1/projects/rival10-demo/crowd/workers')).status()).toBe(404);
});

test('gold is moved from the checks to practice and found there', async ({ page }) => {
  await signIn(page, 'curator');
  await page.goto(`/projects/${slug}/gold?state=active&pool=check`);
  const card = page.getByRole('combobox', { name: 'Pool' }).nth(1);
  await expect(card).toHaveValue('check');
  await look(page, 'gold');
  const before = await countOf('practice');
  await card.selectOption('practice');
  // All gold of an image moves together.
  await expect.poll(() => countOf('practice')).toBeGreaterThan(before);
  await page.getByRole('combobox', { name: 'Pool' }).first().selectOption('practice');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/pool=practice/);
  const moved = page.getByRole('combobox', { name: 'Pool' }).last();
  await expect(moved).toHaveValue('practice');
  await look(page, 'gold-practice');
});

async function countOf(pool: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select count(*)::int as count from gold g join projects p on p.id = g.project_id
     where p.slug = $1 and g.pool = $2`,
    [slug, pool],
  );
  return row?.count ?? 0;
}
