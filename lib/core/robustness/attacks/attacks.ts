import { invertRegion, type Picture, type Region } from '../picture';
import { createRng, type Rng } from '../random';
import type { Outcome, Reason, Sample, Variant, VariantContext } from '../types';
import { createCells, findAttribute, findObject } from '../variants/samples';
import { apgd, crossEntropyGradient, pgd, stepFor, targetedDlrGradient, topOtherClasses } from './apgd';
import { fab } from './fab';
import { square } from './square';
import { type AttackResult, type Ball, linfDistance, NotFiniteError, Victim } from './victim';

/** A search for an adversarial example. */
export interface Attack {
  id: string;
  description: string;
  needsGradient: boolean;
  parameters: Readonly<Record<string, number>>;
  /** Maximum number of queries. */
  runs: number;
  run(victim: Victim, ball: Ball, rng: Rng, clean: Float32Array): Promise<AttackResult>;
}

export const squareAttack = ({ queries = 5000 } = {}): Attack => ({
  id: 'square',
  description: `Square attack, at most ${queries} queries`,
  needsGradient: false,
  parameters: { queries },
  runs: queries,
  run: (victim, ball, rng) => square(victim, ball, { queries }, rng),
});

/** Without `step`, the step size follows from radius and number of steps as in the code of the part-model paper. */
export const pgdAttack = ({ steps = 100, step = 0, restarts = 5 } = {}): Attack => ({
  id: 'pgd',
  description: `PGD, ${steps} steps, ${restarts} ${restarts === 1 ? 'start' : 'starts'}`,
  needsGradient: true,
  parameters: { steps, step, restarts },
  runs: restarts * (steps + 1),
  run: (victim, ball, rng) =>
    pgd(victim, ball, { steps, step: step || stepFor(ball.eps, steps), restarts }, rng),
});

export const apgdAttack = ({ iterations = 100 } = {}): Attack => ({
  id: 'apgd-ce',
  description: `APGD with cross entropy, ${iterations} iterations`,
  needsGradient: true,
  parameters: { iterations },
  runs: iterations + 1,
  run: (victim, ball, rng) => apgd(victim, ball, { iterations }, crossEntropyGradient, rng),
});

/** Targets each of the most likely other classes in turn. */
export const targetedApgdAttack = ({ iterations = 100, targets = 9 } = {}): Attack => ({
  id: 'apgd-t',
  description: `Targeted APGD (DLR), ${targets} target classes, ${iterations} iterations each`,
  needsGradient: true,
  parameters: { iterations, targets },
  runs: 2 * targets * (iterations + 1),
  async run(victim, ball, rng, clean) {
    let found: AttackResult = { picture: ball.centre, isRobust: true };
    for (const target of topOtherClasses(clean, victim.truth, targets)) {
      found = await apgd(victim, ball, { iterations }, targetedDlrGradient(target), rng);
      if (!found.isRobust) break;
    }
    return found;
  },
});

/** Searches the decision boundary to each of the most likely other classes in turn. */
export const fabAttack = ({ iterations = 100, targets = 9 } = {}): Attack => ({
  id: 'fab-t',
  description: `Targeted FAB, ${targets} target classes, ${iterations} iterations each`,
  needsGradient: true,
  parameters: { iterations, targets },
  // Each iteration needs one gradient and one forward pass.
  runs: targets * (2 * iterations + 1),
  async run(victim, ball, _chance, clean) {
    let found: AttackResult = { picture: ball.centre, isRobust: true };
    for (const target of topOtherClasses(clean, victim.truth, targets)) {
      found = await fab(victim, ball, target, { iterations });
      if (!found.isRobust) break;
    }
    return found;
  },
});

/** The AutoAttack sequence, without the gradient-based attacks if the model has no gradient. */
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

/** Radii of the part-model paper, in 255ths. */
const RADII = [8];

type AttackedRegion = 'all' | 'object' | 'background' | { attribute: string };

interface AttackOptions {
  /** Radii in 255ths of the range of a colour; 0 is the clean picture. */
  radii?: readonly number[];
  /** Region that the attack can change. */
  where?: AttackedRegion;
}

/** Extra values stored with the row of an attack. */
interface AttackExtra {
  /** Queries of the attack; 0 if the clean picture was misclassified. */
  queries: number;
  /** 1 if the model is correct on the clean picture and on every tried perturbation. */
  isRobust: number;
  /** The successful attack; `clean` if the clean picture was misclassified; null if the model is robust. */
  brokenBy: string | null;
  /** L∞ norm of the perturbation. */
  change: number;
}

/**
 * Runs attacks in order until one succeeds, like AutoAttack. All attacks form one variant, so that one row states whether
 * the picture is robust.
 */
export function attackVariant(
  attacks: readonly Attack[],
  { radii = RADII, where = 'all' }: AttackOptions = {},
): Variant {
  const place = typeof where === 'string' ? where : where.attribute;
  const needsGradient = attacks.some((attack) => attack.needsGradient);
  return {
    id: ['attack', attacks.map(({ id }) => id).join('+'), ...(where === 'all' ? [] : [place])].join('.'),
    version: 1,
    description: `${attacks.map(({ description }) => description).join('; ')}. L∞ in 255ths${where === 'all' ? '' : `, in the region ${place} only`}.`,
    paradigm: 'attack',
    needs: [
      ...(needsGradient ? (['gradient'] as const) : []),
      ...(where === 'all' ? [] : (['object mask'] as const)),
      ...(typeof where === 'string' ? [] : (['attributes', 'attribute masks'] as const)),
    ],
    parameters: {
      where: place,
      ...Object.fromEntries(
        attacks.flatMap(({ id, parameters }) =>
          Object.entries(parameters).map(([name, value]) => [`${id}.${name}`, value]),
        ),
      ),
    },
    cells: createCells(radii),
    runs: 1 + attacks.reduce((sum, { runs }) => sum + runs, 0),
    async apply(sample, { level }, rng, context) {
      const region = regionOf(sample, where);
      if (region && 'invalid' in region) return region;
      try {
        return await runAttacks(attacks, sample, Number(level) / 255, region?.region ?? null, rng, context);
      } catch (error) {
        if (error instanceof NotFiniteError) return { invalid: 'not-finite' };
        throw error;
      }
    },
  };
}

async function runAttacks(
  attacks: readonly Attack[],
  { picture: centre, classIndex }: Sample,
  eps: number,
  region: Region | null,
  rng: Rng,
  context: VariantContext,
): Promise<Outcome> {
  // Each attack has its own random numbers, so that it does not depend on the attacks before it.
  const own = attacks.map(({ id }) => createRng(`tessera|${rng.next()}|${id}`));
  const { victim, clean } = await Victim.create(context, centre, classIndex);
  const outcome = (picture: Picture, brokenBy: string | null): Outcome => {
    const extra: AttackExtra = {
      queries: victim.queries,
      isRobust: brokenBy === null ? 1 : 0,
      brokenBy,
      change: linfDistance(picture, centre),
    };
    // Leaving the ball would understate the robustness of the model.
    if (!(extra.change <= eps + 1e-6)) throw new Error('The attack exceeded its radius.');
    return { picture, extra: { ...extra } };
  };
  if (victim.isFooled(clean)) return outcome(centre, 'clean');
  let last = centre;
  for (const [i, attack] of eps === 0 ? [] : attacks.entries()) {
    const found = await attack.run(victim, { centre, eps, region }, own[i] as Rng, clean);
    last = found.picture;
    if (!found.isRobust) return outcome(last, attack.id);
  }
  return outcome(last, null);
}

function regionOf(sample: Sample, where: AttackedRegion): { region: Region } | { invalid: Reason } | null {
  if (where === 'all') return null;
  if (typeof where !== 'string') return findAttribute(sample, where.attribute);
  const found = findObject(sample);
  if ('invalid' in found) return found;
  return { region: where === 'object' ? found.object : invertRegion(found.object) };
}
