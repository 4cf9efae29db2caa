import { margin } from '../logits';
import { CHANNELS, clampToUnit, type Picture } from '../picture';
import type { Rng } from '../random';
import { type AttackResult, attackBox, type Ball, projectToBall, type Victim } from './victim';

interface SquareSettings {
  /** Maximum number of queries, including the initial stripes. */
  queries: number;
}

/**
 * Square attack (Andriushchenko et al. 2020) for L∞: random squares of ±ε, kept if they reduce the margin. Score-based, so
 * its robust accuracy is an upper bound. With a region, squares lie in its bounding box and change only its pixels.
 */
export async function square(
  victim: Victim,
  ball: Ball,
  { queries }: SquareSettings,
  rng: Rng,
): Promise<AttackResult> {
  const { centre, eps } = ball;
  const { width, height } = centre;
  const area = width * height;
  const sign = () => (rng.next() < 2 ** 31 ? -1 : 1);
  const stripes = Float32Array.from({ length: CHANNELS * width }, sign);
  let here = projectToBall(ball, (at, value) => {
    const channel = Math.floor(at / area);
    return value + eps * (stripes[channel * width + (at % width)] as number);
  });
  if (eps === 0 || queries < 1) return { picture: centre, isRobust: true };
  let logits = await victim.logits(here);
  let best = margin(logits, victim.truth);
  const box = attackBox(ball);
  for (let query = 1; query < queries && !victim.isFooled(logits); query++) {
    const side = squareSide(query, box.width, box.height);
    const top = box.y + rng.below(box.height - side + 1);
    const left = box.x + rng.below(box.width - side + 1);
    const signs = Array.from({ length: CHANNELS }, sign);
    const tried = applySquare(ball, here, { left, top, side }, signs);
    const answers = await victim.logits(tried);
    const found = margin(answers, victim.truth);
    if (found < best || victim.isFooled(answers)) {
      best = found;
      here = tried;
      logits = answers;
    }
  }
  return { picture: here, isRobust: !victim.isFooled(logits) };
}

/** Changes only the square, because there are thousands of small squares. */
function applySquare(
  { centre, eps, region }: Ball,
  here: Picture,
  { left, top, side }: { left: number; top: number; side: number },
  signs: readonly number[],
): Picture {
  const { width, height, data } = centre;
  const out = { width, height, data: here.data.slice() };
  for (let channel = 0; channel < CHANNELS; channel++)
    for (let y = top; y < top + side; y++)
      for (let x = left; x < left + side; x++) {
        const pixel = y * width + x;
        if (region && !region[pixel]) continue;
        const at = channel * width * height + pixel;
        const value = data[at] as number;
        const moved = (here.data[at] as number) + 2 * eps * (signs[channel] as number);
        out.data[at] = clampToUnit(Math.min(Math.max(moved, value - eps), value + eps));
      }
  return out;
}

/** Query counts after which the changed area is halved. */
const HALVINGS = [10, 50, 200, 500, 1000, 2000, 4000, 6000, 8000];

/** Side of the square that the Square attack tries at a query. */
export function squareSide(query: number, width: number, height: number, first = 0.8): number {
  const halvings = HALVINGS.filter((end) => query > end).length;
  const share = first / 2 ** halvings;
  return Math.min(Math.max(1, Math.round(Math.sqrt(share * width * height))), width, height);
}
