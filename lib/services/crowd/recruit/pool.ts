import { z } from 'zod';
import { invalid } from '@/lib/core/errors';
import type { Recruiter } from './recruiter';

/**
 * The project's own people. They come by an invitation (`lib/services/accounts`: project, cohort, seats, expiry), which makes
 * an account with an e-mail address or a pseudonym; there is no marketplace to ask, to tell or to pay through.
 */
export const pool: Recruiter = {
  id: 'pool',
  title: 'Own pool',
  settings: z.strictObject({}),
  previewPolicy: { isShown: true, says: 'The invitation shows what is asked and paid before one joins.' },
  studyLink: () => null,
  parseArrival() {
    throw invalid('People of the own pool come by an invitation: open its link.');
  },
  vouch: async () => 'unconfirmed',
  completionUrl: () => null,
  reclaim: async () => [],
  paysBonuses: false,
  prepareBonus: async () => null,
  sendBonus: async () => {
    throw invalid('The own pool is paid by hand.');
  },
};
