import { expectAccessible } from './support/accessible';
import { complaintsOf, expectQuiet } from './support/complaints';
import { prolificLink, stranger, workerLink } from './support/invite';
import { look } from './support/look';
import { signIn } from './support/people';
import { expect, test } from './support/story';

test('a newcomer joins under a pseudonym, agrees, looks at the exam, practises, and withdraws', async ({
  page,
  browser,
}) => {
  await signIn(page, 'curator');
  const link = await workerLink(page);
  const wanda = await stranger(browser);
  const complaints = complaintsOf(wanda);
  await wanda.goto(link);
  await expect(wanda.getByRole('heading', { name: 'What you do and what it pays' })).toBeVisible();
  await wanda.getByRole('button', { name: 'Join under a pseudonym instead' }).click();
  await look(wanda, 'join-pseudonym');
  await expectAccessible(wanda);
  const pseudonym = `heron-${Date.now()}`;
  await wanda.getByLabel('Pseudonym').fill(pseudonym);
  await wanda.getByLabel('Password').fill('a long enough secret');
  await wanda.getByRole('button', { name: 'Create account and join' }).click();

  await expect(wanda.getByRole('heading', { name: `Hello, ${pseudonym}` })).toBeVisible();
  await look(wanda, 'worker-home-new');
  await wanda.getByRole('link', { name: 'Read and agree' }).click();
  await expect(wanda.getByText('Version 1,')).toBeVisible();
  await look(wanda, 'worker-consent');
  await expectAccessible(wanda);
  await wanda.getByLabel('I am at least 18 years old.').check();
  await wanda.getByRole('button', { name: 'I agree and take part' }).click();

  const way = wanda.getByRole('list', { name: 'Your way to paid work' });
  const next = way.locator('[aria-current=step]');
  await expect(wanda.getByRole('heading', { name: /^Guide to/ })).toBeVisible();
  await expect(next).toContainText('Guide');
  await look(wanda, 'worker-guide');
  await expectAccessible(wanda);
  await wanda.getByRole('button', { name: 'I have read the guide' }).click();
  await expect(wanda.getByRole('heading', { name: 'Exam: Attributes' })).toBeVisible();
  await expect(next).toContainText('Practice');
  await expect(wanda.getByText('also if you do not pass')).toBeVisible();
  await look(wanda, 'worker-exam');
  await expectAccessible(wanda);
  await wanda.getByRole('button', { name: /^Take the exam/ }).click();
  await expect(wanda).toHaveURL(/\/annotate\/batch\//);

  await wanda.goto('/annotate/account');
  await wanda.getByRole('button', { name: 'Leave the project' }).click();
  await expect(wanda.getByText('stays paid')).toBeVisible();
  await look(wanda, 'worker-withdraw');
  await wanda.getByRole('alertdialog').getByRole('button', { name: 'Leave the project' }).click();
  await expect(
    wanda.getByRole('region', { name: 'Taking part' }).getByText('left', { exact: true }),
  ).toBeVisible();
  await wanda.goto('/annotate');
  await expect(wanda.getByRole('link', { name: 'Read and agree' })).toBeVisible();
  expectQuiet(complaints);

  const back = await stranger(browser);
  await back.goto('/sign-in');
  await back.getByLabel('E-mail or pseudonym').fill(pseudonym);
  await back.getByLabel('Password').fill('a long enough secret');
  await back.getByRole('button', { name: 'Sign in' }).click();
  await expect(back.getByRole('heading', { name: `Hello, ${pseudonym}` })).toBeVisible();
});

test('a participant of Prolific begins without a password, and goes back with a code', async ({
  page,
  browser,
}) => {
  await signIn(page, 'curator');
  const link = await prolificLink(page);
  const visitor = await stranger(browser);
  const complaints = complaintsOf(visitor);
  await visitor.goto(link);
  await look(visitor, 'join-prolific');
  await expectAccessible(visitor);
  await visitor.getByRole('button', { name: 'Begin' }).click();
  await expect(visitor).toHaveURL(/\/annotate\/rival10-demo\/consent$/);
  await visitor.getByLabel('I am at least 18 years old.').check();
  await visitor.getByRole('button', { name: 'I agree and take part' }).click();
  await visitor.getByRole('link', { name: 'Back to my work' }).click();
  await expect(visitor.getByText('You came from Prolific')).toBeVisible();
  await look(visitor, 'worker-home-visit');
  await visitor.getByRole('link', { name: 'Leave' }).click();
  await expect(visitor.getByRole('heading', { name: 'Give your place back?' })).toBeVisible();
  await look(visitor, 'worker-leave');
  await expectAccessible(visitor);
  await visitor.route('https://app.prolific.com/**', (route) => route.fulfill({ body: 'Prolific' }));
  await visitor.getByRole('button', { name: 'Give it back' }).click();
  await expect(visitor).toHaveURL('https://app.prolific.com/submissions/complete?cc=RETURN12');

  await visitor.goto(link);
  await visitor.getByRole('button', { name: 'Begin' }).click();
  await expect(visitor.getByText('You gave this visit back.')).toBeVisible();
  expectQuiet(complaints);
});

test('a marketplace shows the page of arrival in a frame, nobody else does, and nothing else is shown', async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page, 'curator');
  const link = await prolificLink(page);
  const visitor = await stranger(browser);
  /** A page of this site shows this page of ours, and the frame ends up there. */
  const expectFramed = async (site: string, path: string, end: string) => {
    const body = `<iframe name="study" width="900" height="700" src="${baseURL}${path}"></iframe>`;
    await visitor.route(`${site}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await visitor.goto(`${site}/study`);
    await expect.poll(() => visitor.frame({ name: 'study' })?.url()).toBe(end);
  };
  const refused = 'chrome-error://chromewebdata/';
  await expectFramed('http://other.example', link, refused);
  await expectFramed('http://market.example', '/sign-in', refused);
  await expectFramed('http://market.example', link, `${baseURL}${link}`);
  const frame = visitor.frameLocator('iframe[name=study]');
  await expect(frame.getByRole('button', { name: 'Begin' })).toHaveCount(0);
  await look(visitor, 'join-prolific-framed');
  const outside = visitor.context().waitForEvent('page');
  await frame.getByRole('link', { name: 'Open the study in its own window' }).click();
  await (await outside).getByRole('button', { name: 'Begin' }).click();
  await expect(await outside).toHaveURL(/\/annotate\/rival10-demo\/consent$/);
});

test('a worker sees on the home and account pages where they stand and what they earned', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'worker1');
  await page.goto('/annotate');
  await expect(page.getByText('Earned, not approved yet')).toBeVisible();
  await look(page, 'worker-home');
  await expectAccessible(page);
  await page.goto('/annotate/account');
  await expect(page.getByRole('region', { name: 'Statement' }).getByText('Batch').first()).toBeVisible();
  await look(page, 'worker-account');
  await expectAccessible(page);
  const csv = await page.request.get('/annotate/account/earnings');
  expect(await csv.text()).toContain('id,at,project,kind,amount,currency,note');
  const data = await (await page.request.get('/annotate/account/data')).json();
  expect(data.profile.name).toBe('Wanda Silva');
  expect(JSON.stringify(data)).not.toMatch(/gold|evidence|isCheck/i);
  expectQuiet(complaints);
});
