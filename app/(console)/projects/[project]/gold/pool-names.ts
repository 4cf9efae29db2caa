import type { GoldPool } from '@/db/schema';

export const poolNames: Record<GoldPool, string> = {
  check: 'Hidden checks',
  exam: 'Exam',
  practice: 'Practice',
};
