import { z } from 'zod';
import { conflict, invalid } from '@/lib/core/errors';
import type { Outcome, Recruiter, Recruitment } from '../recruiter';
import { isLinkKey } from '../recruitments';
import { prolificApi } from './api';

const code = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{2,40}$/, 'A completion code has letters, digits and hyphens.');

export const ProlificSettings = z.strictObject({
  /** As in the study's list of completion codes. A failed exam must be a paid screen-out, never a rejection. */
  codes: z.strictObject({ finished: code, screenedOut: code, returned: code }),
  /** Batches that make a finished visit. */
  batches: z.number().int().min(1).max(1000).default(1),
  /** In which the study pays: bonuses are told to Prolific as bare numbers. */
  currency: z.enum(['USD', 'GBP']).default('USD'),
});

export type ProlificSettings = z.infer<typeof ProlificSettings>;

/** Prolific's ids are those of MongoDB: 24 hexadecimal digits. */
const id = /^[0-9a-f]{24}$/i;
/** In a preview the placeholders of the study's address stay as they are. */
const placeholder = /^\{\{%.*%\}\}$/;

const finishedAt = 'https://app.prolific.com/submissions/complete';

/** States in which a participant may work. */
const present = new Set(['RESERVED', 'ACTIVE']);

const endings: Record<string, Outcome> = {
  RETURNED: 'returned',
  'TIMED-OUT': 'timed-out',
  'SCREENED OUT': 'screened-out',
  'AWAITING REVIEW': 'finished',
  APPROVED: 'finished',
  REJECTED: 'finished',
};

/** Prolific writes these with spaces, hyphens and underscores, depending on the page. */
const endingOf = (status: string): Outcome | undefined =>
  Object.entries(endings).find(([name]) => plain(name) === plain(status))?.[1];
const plain = (status: string) => status.toUpperCase().replace(/[ _-]/g, '');

const codeFor = { finished: 'finished', 'screened-out': 'screenedOut', returned: 'returned' } as const;

export const prolific: Recruiter = {
  id: 'prolific',
  title: 'Prolific',
  paysBonuses: true,
  settings: ProlificSettings,
  previewPolicy: {
    isShown: true,
    says: 'This is a preview: participants see a button here. Nothing is stored.',
  },
  studyLink(base, key) {
    const filled = ['PROLIFIC_PID', 'STUDY_ID', 'SESSION_ID'].map((name) => `${name}={{%${name}%}}`);
    return `${base}/join/prolific?${filled.join('&')}&key=${key}`;
  },
  parseArrival(query) {
    const { PROLIFIC_PID: worker, STUDY_ID: study, SESSION_ID: session, key } = query;
    if ([worker, session].some((value) => value && placeholder.test(value))) {
      return { kind: 'preview', study: study && id.test(study) ? study : null };
    }
    if (!worker || !study || !session || ![worker, study, session].every((value) => id.test(value))) {
      throw invalid(
        'The link is not complete. Open the study again from Prolific: its address must carry PROLIFIC_PID, STUDY_ID and SESSION_ID.',
        { code: 'linkIncomplete' },
      );
    }
    return { kind: 'visitor', worker, study, session, key: key ?? null };
  },
  async vouch(recruitment, { worker, study, session, key }) {
    const api = prolificApi();
    if (!api) {
      if (isLinkKey(recruitment, key)) return 'unconfirmed';
      throw invalid('This is not the link of the study. Open the study again from Prolific.', {
        code: 'linkWrong',
      });
    }
    const submission = await api.submission(session);
    if (!submission || submission.study_id !== study || submission.participant !== worker) {
      throw invalid('Prolific does not know this visit. Open the study again from Prolific.', {
        code: 'linkWrong',
      });
    }
    return present.has(submission.status.toUpperCase()) ? 'vouched' : 'over';
  },
  completionUrl(recruitment, outcome) {
    // Who ran out of time has no submission to complete any more.
    if (outcome === 'timed-out') return null;
    return `${finishedAt}?cc=${encodeURIComponent(settingsOf(recruitment).codes[codeFor[outcome]])}`;
  },
  async reclaim(recruitment, sessions) {
    const submissions = (await prolificApi()?.submissionsOf(recruitment.externalId)) ?? [];
    const asked = new Set(sessions);
    return submissions.flatMap(({ id: session, status }) => {
      const state = asked.has(session) ? endingOf(status) : undefined;
      return state ? [{ session, state }] : [];
    });
  },
  async prepareBonus(recruitment, lines) {
    const api = prolificApi();
    if (!api || lines.length === 0) return null;
    const { currency } = settingsOf(recruitment);
    if (lines.some((line) => line.currency !== currency))
      throw conflict(
        `The study pays in ${currency} and the list does not: take it as CSV and pay it by hand.`,
      );
    const rows = lines.map(({ externalWorker, amountMicro }) => ({
      participant: externalWorker,
      amount: inCents(amountMicro),
    }));
    return api.prepareBonuses(recruitment.externalId, rows);
  },
  async sendBonus(_, reference) {
    const api = prolificApi();
    // Doing nothing would look as if it had been paid.
    if (!api) throw conflict('This installation may not pay there any more: set TESSERA_PROLIFIC_TOKEN.');
    await api.sendBonuses(reference);
  },
};

export const settingsOf = (recruitment: Recruitment): ProlificSettings =>
  ProlificSettings.parse(recruitment.settings);

/** A fraction of a cent goes to the worker. */
function inCents(micro: bigint): string {
  const cents = (micro + 9_999n) / 10_000n;
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}
