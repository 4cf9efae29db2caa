import type { Shares } from './member';

/**
 * Whole numbers that add up to `total`, as near to the shares as they can be: the remainders are given to the largest
 * fractions (Hamilton), and between equal ones to the part named first.
 */
export function quotasOf(total: number, shares: Shares): Map<string, number> {
  const sum = Object.values(shares).reduce((all, share) => all + share, 0);
  const exact = Object.entries(shares).map(([part, share], place) => {
    const wanted = sum > 0 ? (total * share) / sum : 0;
    // A share of 0.1 of 30 is 3, not 2.9999999999999996.
    const whole = Math.floor(wanted + 1e-9);
    return { part, place, whole, rest: wanted - whole };
  });
  let left = total - exact.reduce((all, { whole }) => all + whole, 0);
  const byRest = [...exact].sort((a, b) => b.rest - a.rest || a.place - b.place);
  for (const entry of byRest) {
    if (left <= 0) break;
    entry.whole += 1;
    left -= 1;
  }
  return new Map(exact.map(({ part, whole }) => [part, whole]));
}
