import type { Votes } from '../aggregate/votes';
import { countsOf, NO_PAIRS, pairAgreement, total } from './counts';
import { type Estimate, meanEstimate } from './estimate';

/** Share of the pairs of answers to one item that agree, averaged over items. Chance agreement is in it. */
export function rawAgreement(votes: Votes): Estimate {
  const pairs = countsOf(votes).rows.filter((row) => total(row) > 1);
  return meanEstimate(pairs.map(pairAgreement), [0, 1], NO_PAIRS);
}
