import type { ScoreBand } from '@/lib/quality/score-band';

/** What a worker reads about the quality of their work. Exact numbers would give hidden checks away. */
export const bandTexts: Record<ScoreBand, string> = {
  high: 'Your work is good.',
  close: 'Your work is close to the required quality. Please take a little more care.',
  low: 'Your work is below the required quality. Please read the guide again.',
};
