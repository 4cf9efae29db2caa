import type { Stream } from '../random/stream';
import { type Ball, within } from './ball';
import type { Attacked, Victim } from './victim';

export interface PgdSettings {
  steps: number;
  /** Of each step, in the units of a picture. */
  step: number;
  restarts: number;
}

/** What the part-model paper evaluates with. */
export const PGD: PgdSettings = { steps: 100, step: 0.001, restarts: 5 };

/** As the paper's code has it: at least the given step, and enough for the ball to be crossed. */
export const stepFor = (eps: number, steps: number): number => Math.max(0.001, eps / 4 / (steps / 10));

/** Steps of equal length against the true class, from points by chance; over at the first wrong answer. */
export async function pgd(
  victim: Victim,
  ball: Ball,
  { steps, step, restarts }: PgdSettings,
  chance: Stream,
): Promise<Attacked> {
  const { centre, eps } = ball;
  if (eps === 0) return { picture: centre, isRobust: true };
  let here = centre;
  for (let restart = 0; restart < restarts; restart++) {
    here = within(ball, (_, value) => value + eps * (2 * chance.unit() - 1));
    for (let count = 0; count < steps; count++) {
      const { logits, gradient } = await victim.gradient(here, victim.against(), 1);
      if (victim.isFooled(logits)) return { picture: here, isRobust: false };
      const from = here.data;
      here = within(ball, (at) => (from[at] as number) + step * Math.sign(gradient[at] as number));
    }
    if (victim.isFooled(await victim.logits(here))) return { picture: here, isRobust: false };
  }
  return { picture: here, isRobust: true };
}
