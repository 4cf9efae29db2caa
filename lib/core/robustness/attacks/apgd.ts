import type { Picture } from '../picture';
import type { Stream } from '../random/stream';
import type { Ascent } from './ascents';
import { type Ball, isOpen, within } from './ball';
import type { Attacked, Victim } from './victim';

export interface ApgdSettings {
  iterations: number;
}

const MOMENTUM = 0.75;
/** Of the steps since the last checkpoint; with fewer rises the step is too long. */
const RISING = 0.75;

/**
 * PGD that finds its own step: begun with twice the radius, halved where the loss stops rising, and then gone on with
 * from the best point. Over at the first wrong answer.
 */
export async function apgd(
  victim: Victim,
  ball: Ball,
  { iterations }: ApgdSettings,
  ascent: Ascent,
  chance: Stream,
): Promise<Attacked> {
  const { eps } = ball;
  if (eps === 0) return { picture: ball.centre, isRobust: true };
  let here = start(ball, chance);
  let before = here;
  let now = await ascent(victim, here);
  if (victim.isFooled(now.logits)) return { picture: here, isRobust: false };
  let best = { picture: here, value: now.value, gradient: now.gradient };
  let [step, rises, checked] = [2 * eps, 0, 0];
  let atCheck = { value: now.value, wasHalved: true };
  const checks = new Set(checkpoints(iterations));
  for (let iteration = 0; iteration < iterations; iteration++) {
    const weight = iteration === 0 ? 1 : MOMENTUM;
    const [from, previous, gradient] = [here.data, before.data, now.gradient];
    const towards = within(
      ball,
      (at) => (from[at] as number) + step * Math.sign(gradient[at] as number),
    ).data;
    before = here;
    here = within(ball, (at) => {
      const value = from[at] as number;
      return (
        value + weight * ((towards[at] as number) - value) + (1 - weight) * (value - (previous[at] as number))
      );
    });
    const last = now.value;
    now = await ascent(victim, here);
    if (victim.isFooled(now.logits)) return { picture: here, isRobust: false };
    if (now.value > last) rises++;
    if (now.value > best.value) best = { picture: here, value: now.value, gradient: now.gradient };
    if (!checks.has(iteration + 1)) continue;
    const since = iteration + 1 - checked;
    const isStuck = rises <= RISING * since || (!atCheck.wasHalved && atCheck.value >= best.value);
    atCheck = { value: best.value, wasHalved: isStuck };
    if (isStuck) {
      step /= 2;
      here = best.picture;
      now = { ...now, gradient: best.gradient };
    }
    [rises, checked] = [0, iteration + 1];
  }
  return { picture: best.picture, isRobust: true };
}

/** After how many steps it is asked whether the loss still rises: first after 22 of 100, then ever sooner, down to 6. */
export function checkpoints(iterations: number): number[] {
  const share = (part: number) => Math.max(Math.floor(part * iterations), 1);
  const found: number[] = [];
  let interval = share(0.22);
  for (let at = interval; at <= iterations; at += interval) {
    found.push(at);
    interval = Math.max(interval - share(0.03), share(0.06));
  }
  return found;
}

/** A direction by chance, as long as the ball allows. */
function start(ball: Ball, chance: Stream): Picture {
  const draws = Float64Array.from({ length: ball.centre.data.length }, () => 2 * chance.unit() - 1);
  const most = draws.reduce((a, b, at) => (isOpen(ball, at) ? Math.max(a, Math.abs(b)) : a), 1e-12);
  return within(ball, (at, value) => value + (ball.eps * (draws[at] as number)) / most);
}
