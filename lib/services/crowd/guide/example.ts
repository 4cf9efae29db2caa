import { z } from 'zod';

/** A picture of the guide with what is said about it. One that shows a mistake says why it is one. */
export const GuideExample = z
  .strictObject({
    /** A picture that was added to the guide. */
    picture: z.string().regex(/^[0-9a-f]{64}$/),
    verdict: z.enum(['good', 'not good']),
    caption: z.string().trim().max(300).default(''),
    /** "The tail is not marked, because it cannot be seen." */
    note: z.string().trim().max(1000).default(''),
  })
  .refine(({ verdict, note }) => verdict === 'good' || note !== '', {
    path: ['note'],
    message: 'Say why it is not good.',
  });

export type GuideExample = z.infer<typeof GuideExample>;

const text = (most: number) => z.string().max(most, `At most ${most} characters.`);

/** What a curator writes about a stage or about one attribute or part. Markdown without HTML. */
export const GuideText = z.strictObject({
  /** Beside the work: a few lines. */
  short: text(2000).default(''),
  full: text(20_000).default(''),
  examples: z.array(GuideExample).max(50).default([]),
});

export type GuideText = z.infer<typeof GuideText>;
