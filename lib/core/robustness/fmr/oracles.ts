import type { Picture } from '../picture';

/** Who says what is to be seen: a class index, or null for "cannot tell". */
export type Oracle = (picture: Picture) => Promise<number | null>;

/**
 * A judge by a network that puts pictures and words into one space (CLIP): the class whose words are nearest by angle.
 * Undecided between two within `margin`, it says so.
 */
export function nearestWords(
  embedding: ArrayLike<number>,
  words: readonly ArrayLike<number>[],
  margin = 0,
): number | null {
  const scores = words.map((word) => cosine(embedding, word));
  if (scores.length === 0 || scores.some((score) => !Number.isFinite(score))) return null;
  const best = scores.indexOf(Math.max(...scores));
  const second = scores.reduce((most, score, i) => (i === best ? most : Math.max(most, score)), -1);
  return (scores[best] as number) - second < margin ? null : best;
}

/** What more than half of several judges see; null where there is no such class. */
export const majority =
  (oracles: readonly Oracle[]): Oracle =>
  async (picture) => {
    const votes = await Promise.all(oracles.map((oracle) => oracle(picture)));
    const found = votes.find(
      (vote) => vote !== null && 2 * votes.filter((other) => other === vote).length > votes.length,
    );
    return found ?? null;
  };

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, x, y] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += (a[i] as number) * (b[i] as number);
    x += (a[i] as number) ** 2;
    y += (b[i] as number) ** 2;
  }
  return dot / Math.sqrt(x * y);
}
