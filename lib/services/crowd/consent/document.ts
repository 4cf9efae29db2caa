import { z } from 'zod';

const paragraph = z.string().trim().min(1, 'Write at least a sentence.').max(4000);

/** The fields of a consent form, as RIVAL10's had them (figure 34). Plain text, a paragraph or a few each. */
export const ConsentDocument = z.strictObject({
  projectTitle: z.string().trim().min(1).max(200),
  purpose: paragraph,
  procedures: paragraph,
  confidentiality: paragraph,
  risks: paragraph,
  compensation: paragraph,
  qualificationTest: paragraph,
  rightToWithdraw: paragraph,
  contact: paragraph,
  /** What a person says by agreeing. Must speak of their age: nobody under 18 takes part. */
  statement: paragraph.refine((text) => /\b18\b/.test(text), 'Say that the person is at least 18 years old.'),
});

export type ConsentDocument = z.infer<typeof ConsentDocument>;

/** The order and the headings of the page and of the print. */
export const consentHeadings: readonly (readonly [Exclude<keyof ConsentDocument, 'projectTitle'>, string])[] =
  [
    ['purpose', 'Purpose'],
    ['procedures', 'What you do'],
    ['qualificationTest', 'Exam'],
    ['compensation', 'Pay'],
    ['risks', 'Risks'],
    ['confidentiality', 'Confidentiality'],
    ['rightToWithdraw', 'Stopping and withdrawing'],
    ['contact', 'Questions and complaints'],
    ['statement', 'What you agree to'],
  ];
