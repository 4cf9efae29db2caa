import type { Stream } from '../random/stream';
import { apgd } from './apgd';
import { entropyAscent, nextBest, targetAscent } from './ascents';
import type { Ball } from './ball';
import { fab } from './fab';
import { pgd, stepFor } from './pgd';
import { square } from './square';
import type { Attacked, Victim } from './victim';

/** A way to look for a picture that is taken for something else. */
export interface Attack {
  id: string;
  says: string;
  needsGradient: boolean;
  parameters: Readonly<Record<string, number>>;
  /** At most so many questions. */
  runs: number;
  run(victim: Victim, ball: Ball, chance: Stream, clean: Float32Array): Promise<Attacked>;
}

export const squareAttack = ({ queries = 5000 } = {}): Attack => ({
  id: 'square',
  says: `Square, at most ${queries} questions`,
  needsGradient: false,
  parameters: { queries },
  runs: queries,
  run: (victim, ball, chance) => square(victim, ball, { queries }, chance),
});

/** Without a step it is chosen by radius and number of steps, as the part-model paper's code does. */
export const pgdAttack = ({ steps = 100, step = 0, restarts = 5 } = {}): Attack => ({
  id: 'pgd',
  says: `PGD, ${steps} steps, ${restarts} ${restarts === 1 ? 'start' : 'starts'}`,
  needsGradient: true,
  parameters: { steps, step, restarts },
  runs: restarts * (steps + 1),
  run: (victim, ball, chance) =>
    pgd(victim, ball, { steps, step: step || stepFor(ball.eps, steps), restarts }, chance),
});

export const apgdAttack = ({ iterations = 100 } = {}): Attack => ({
  id: 'apgd-ce',
  says: `APGD on the cross entropy, ${iterations} steps`,
  needsGradient: true,
  parameters: { iterations },
  runs: iterations + 1,
  run: (victim, ball, chance) => apgd(victim, ball, { iterations }, entropyAscent, chance),
});

/** Towards each of the likeliest other classes in turn. */
export const targetedApgdAttack = ({ iterations = 100, targets = 9 } = {}): Attack => ({
  id: 'apgd-t',
  says: `APGD towards ${targets} other classes, ${iterations} steps each`,
  needsGradient: true,
  parameters: { iterations, targets },
  runs: 2 * targets * (iterations + 1),
  async run(victim, ball, chance, clean) {
    let found: Attacked = { picture: ball.centre, isRobust: true };
    for (const target of nextBest(clean, victim.truth, targets)) {
      found = await apgd(victim, ball, { iterations }, targetAscent(target), chance);
      if (!found.isRobust) break;
    }
    return found;
  },
});

/** To the nearest boundary with each of the likeliest other classes in turn. */
export const fabAttack = ({ iterations = 100, targets = 9 } = {}): Attack => ({
  id: 'fab-t',
  says: `FAB towards ${targets} other classes, ${iterations} steps each`,
  needsGradient: true,
  parameters: { iterations, targets },
  // A step asks for the gradient, and then whether it was enough.
  runs: targets * (2 * iterations + 1),
  async run(victim, ball, _chance, clean) {
    let found: Attacked = { picture: ball.centre, isRobust: true };
    for (const target of nextBest(clean, victim.truth, targets)) {
      found = await fab(victim, ball, target, { iterations });
      if (!found.isRobust) break;
    }
    return found;
  },
});

/** AutoAttack's order as far as the model allows it: gradients first, squares last. */
export function standardAttacks(
  hasGradient: boolean,
  { iterations = 100, targets = 9, queries = 5000 } = {},
): Attack[] {
  const last = squareAttack({ queries });
  return hasGradient
    ? [
        apgdAttack({ iterations }),
        targetedApgdAttack({ iterations, targets }),
        fabAttack({ iterations, targets }),
        last,
      ]
    : [last];
}
