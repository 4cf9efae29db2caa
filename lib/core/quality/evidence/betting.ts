/**
 * Bets as shares of the largest bet that cannot lose everything, with the weights of their mixture. For outcomes that
 * are passed or failed, a share f is the likelihood ratio of the pass rate `good * (1 - f)` against `good`: with 0.85
 * these are the pass rates 0.79, 0.70, 0.60, 0.47, 0.30 and 0.09.
 */
const BETS = [
  { share: 0.07, weight: 0.15 },
  { share: 0.18, weight: 0.2 },
  { share: 0.3, weight: 0.2 },
  { share: 0.45, weight: 0.15 },
  { share: 0.65, weight: 0.15 },
  { share: 0.9, weight: 0.15 },
] as const;

/** Betting starts again after this many outcomes with a part of the stake, to notice work that turns bad later. */
const RESTART_EVERY = 10;

/**
 * The wealth of a bettor who starts with 1 and bets against the claim that outcomes in [0, 1] have a mean of at least
 * `good`, after each outcome. `null` is no outcome and leaves the wealth as it is.
 *
 * If the claim is true, whatever came before, the wealth is a supermartingale, and the probability that it ever reaches
 * 1/error is at most `error` (Ville 1939). Each factor is 1 + bet * (good - outcome), as in Waudby-Smith and Ramdas
 * 2023; the mixture of bets and of starting points is a convex combination of such processes and therefore one as well.
 */
export function wealthPath(outcomes: readonly (number | null)[], good: number): number[] {
  const wealth = BETS.map(() => 0);
  let reserve = 1;
  let count = 0;
  return outcomes.map((outcome) => {
    if (outcome !== null) {
      const stake = stakeAt(count);
      reserve -= stake;
      BETS.forEach(({ share, weight }, k) => {
        const factor = 1 + (share / (1 - good)) * (good - outcome);
        wealth[k] = ((wealth[k] ?? 0) + stake * weight) * factor;
      });
      count++;
    }
    return wealth.reduce((sum, part) => sum + part, reserve);
  });
}

/** Half of the stake at the first outcome; at restart n a share of 1/(n(n+1)) of the other half. These add up to 1. */
function stakeAt(count: number): number {
  if (count === 0) return 0.5;
  if (count % RESTART_EVERY !== 0) return 0;
  const restart = count / RESTART_EVERY;
  return 0.5 / (restart * (restart + 1));
}
