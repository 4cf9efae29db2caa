/** Outcomes that count as late, and the fewest before them to compare with. */
const LATE = 20;
const EARLY = 20;
/** One in a thousand by chance: gold is dear, and is looked at after every check. */
const Z = 3.09;

/** Whether the newest checks of a gold item are passed so much more often that chance hardly explains it. */
export function hasDrifted(outcomes: readonly boolean[]): boolean {
  const late = outcomes.slice(-LATE);
  const early = outcomes.slice(0, -LATE);
  if (early.length < EARLY) return false;
  const share = (list: readonly boolean[]) => list.filter(Boolean).length / list.length;
  const all = share(outcomes);
  const spread = Math.sqrt(all * (1 - all) * (1 / late.length + 1 / early.length));
  return spread > 0 && (share(late) - share(early)) / spread > Z;
}
