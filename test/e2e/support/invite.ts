import type { Browser, Page } from '@playwright/test';
import { fromHere } from './people';
import { expect, patient } from './story';

const demo = 'rival10-demo';

const post = async (page: Page, slug: string, path: string, data: unknown) => {
  const answer = await page.request.post(`/api/v1/projects/${slug}/${path}`, { headers: fromHere(), data });
  expect(answer.status()).toBe(201);
  return answer.json();
};

/** A link for one worker, made by a curator who is signed in; as a path. */
export async function workerLink(curator: Page, slug = demo): Promise<string> {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const { link } = await post(curator, slug, 'invitations', {
    roles: ['worker'],
    cohort: 'Pilot',
    expiresAt,
  });
  return new URL(link).pathname;
}

/** The link of a study at Prolific, as a participant opens it. */
export async function prolificLink(curator: Page): Promise<string> {
  const id = () => [...crypto.getRandomValues(new Uint8Array(12))].map(hex).join('');
  const study = id();
  const codes = { finished: 'DONE1234', screenedOut: 'SCREEN12', returned: 'RETURN12' };
  const { link } = await post(curator, demo, 'recruitments', {
    recruiter: 'prolific',
    externalId: study,
    settings: { codes },
  });
  const filled = link
    .replace('{{%PROLIFIC_PID%}}', id())
    .replace('{{%STUDY_ID%}}', study)
    .replace('{{%SESSION_ID%}}', id());
  const { pathname, search } = new URL(filled);
  return pathname + search;
}

const hex = (byte: number) => byte.toString(16).padStart(2, '0');

/** A browser that nobody is signed in with. */
export const stranger = async (browser: Browser): Promise<Page> =>
  (await patient(await browser.newContext())).newPage();
