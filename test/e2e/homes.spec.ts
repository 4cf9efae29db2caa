import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { password, signIn, signInByHand } from './support/people';
import { expect, test } from './support/story';

test('a stranger is asked to sign in and comes back to where they wanted to go', async ({ page }) => {
  await page.goto('/projects/rival10-demo/schema');
  await expect(page).toHaveURL(/sign-in\?next=/);
  await look(page, 'sign-in');
  await page.getByLabel('E-mail').fill('curator@demo.tessera');
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('The name or the password is wrong.')).toBeVisible();
  await page.getByLabel('E-mail').fill('curator@demo.tessera');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/projects\/rival10-demo\/schema$/);
});

test('the curator sees the projects, opens one and finds it in mid-collection', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'curator');
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Part-ImageNet demo' }).first()).toBeVisible();
  await look(page, 'projects');
  await page.getByRole('table').getByRole('link', { name: 'RIVAL10 demo' }).click();
  await expect(page.getByRole('heading', { name: 'RIVAL10 demo' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Stages' }).getByText('Attributes')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Workers' }).getByText('Wanda Silva')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Images per class' })).toBeVisible();
  await look(page, 'project');
  // An old bookmark: the page used to fail, because a finished project takes no images.
  await page.goto('/projects/part-imagenet-demo/images/add');
  await expect(page.getByText('The project is finished')).toBeVisible();
  await look(page, 'closed');
  expectQuiet(complaints);
});

test('the researcher sees the finished project but not the people behind it', async ({ page }) => {
  await signIn(page, 'researcher');
  await page.goto('/');
  await page.getByRole('table').getByRole('link', { name: 'Part-ImageNet demo' }).click();
  // Nearly all: another story may have sent some of its images back to the annotators.
  await expect(page.getByText(/^(9\d|100)\s%$/).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Workers' })).toHaveCount(0);
  const answer = await page.goto('/projects/part-imagenet-demo/crowd');
  expect(answer?.status()).toBe(404);
  await look(page, 'not-found');
});

test('a worker sees their work, their score and their pay, and no project', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'worker1');
  await page.goto('/');
  await expect(page).toHaveURL(/\/annotate$/);
  await expect(page.getByRole('heading', { name: 'Hello, Wanda Silva' })).toBeVisible();
  await expect(page.getByText(/about \$.* per hour/).first()).toBeVisible();
  await expect(page.getByText('Exam passed').first()).toBeVisible();
  await look(page, 'worker-home');
  expectQuiet(complaints);
  const answer = await page.goto('/projects/rival10-demo/images');
  expect(answer?.status()).toBe(404);
});

test('the admin reaches the users and the invitations', async ({ page }) => {
  await signIn(page, 'admin');
  await page.goto('/admin/users');
  await expect(page.getByText('curator@demo.tessera')).toBeVisible();
  await look(page, 'admin-users');
});

test('signing out ends the session', async ({ page }) => {
  await signInByHand(page, 'curator');
  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/sign-in/);
  await page.goto('/projects');
  await expect(page).toHaveURL(/sign-in/);
});
