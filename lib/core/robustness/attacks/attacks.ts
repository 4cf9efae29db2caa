import { invertRegion, type Picture, type Region } from '../picture';
import { createRng, type Rng } from '../random';
import type { Outcome, Reason, Sample, Variant, VariantContext } from '../types';
import { createCells, findAttribute, findObject } from '../variants/samples';
import { apgd, crossEntropyGradient, pgd, stepFor, targetedDlrGradient, topOtherClasses } from './apgd';
import { fab } from './fab';
import { square } from './square';
import { type AttackResult, type Ball, linfDistance, NotFiniteError, Victim } from './victim';

/** A way to look for a picture that is taken for something else. */
export interface Attack {
  id: string;
  says: string;
  needsGradient: boolean;
  parameters: Readonly<Record<string, number>>;
  /** At most so many questions. */
  runs: number;
  run(victim: Victim, ball: Ball, rng: Rng, clean: Float32Array): Promise<AttackResult>;
}

export const squareAttack = ({ queries = 5000 } = {}): Attack => ({
  id: 'square',
  says: `Square, at most ${queries} questions`,
  needsGradient: false,
  parameters: { queries },
  runs: queries,
  run: (victim, ball, rng) => square(victim, ball, { queries }, rng),
});

/** Without a step it is chosen by radius and number of steps, as the part-model paper's code does. */
export const pgdAttack = ({ steps = 100, step = 0, restarts = 5 } = {}): Attack => ({
  id: 'pgd',
  says: `PGD, ${steps} steps, ${restarts} ${restarts === 1 ? 'start' : 'starts'}`,
  needsGradient: true,
  parameters: { steps, step, restarts },
  runs: restarts * (steps + 1),
  run: (victim, ball, rng) =>
    pgd(victim, ball, { steps, step: step || stepFor(ball.eps, steps), restarts }, rng),
});

export const apgdAttack = ({ iterations = 100 } = {}): Attack => ({
  id: 'apgd-ce',
  says: `APGD on the cross entropy, ${iterations} steps`,
  needsGradient: true,
  parameters: { iterations },
  runs: iterations + 1,
  run: (victim, ball, rng) => apgd(victim, ball, { iterations }, crossEntropyGradient, rng),
});

/** Towards each of the likeliest other classes in turn. */
export const targetedApgdAttack = ({ iterations = 100, targets = 9 } = {}): Attack => ({
  id: 'apgd-t',
  says: `APGD towards ${targets} other classes, ${iterations} steps each`,
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

/** To the nearest boundary with each of the likeliest other classes in turn. */
export const fabAttack = ({ iterations = 100, targets = 9 } = {}): Attack => ({
  id: 'fab-t',
  says: `FAB towards ${targets} other classes, ${iterations} steps each`,
  needsGradient: true,
  parameters: { iterations, targets },
  // A step asks for the gradient, and then whether it was enough.
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

/** Radii of the part-model paper, in 255ths. */
const RADII = [8];

type AttackedRegion = 'all' | 'object' | 'background' | { attribute: string };

interface AttackOptions {
  /** Radii in 255ths of the range of a colour; 0 is the clean picture. */
  radii?: readonly number[];
  /** What may be changed. */
  where?: AttackedRegion;
}

/** What an attack writes beside its row. */
interface AttackExtra {
  /** Questions of the attack; none where the model was wrong before. */
  queries: number;
  /** 1 where the model is right on the picture and on all that was tried. */
  isRobust: number;
  /** The attack that found something; `clean` where the model was wrong before any; null where it stands. */
  brokenBy: string | null;
  /** Greatest change of a value. */
  change: number;
}

/**
 * Attacks in their order, each only where all before it failed: the model stands where it withstood every one. Given as
 * one variant, so that one row tells whether a picture is robust.
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
    says: `${attacks.map(({ says }) => says).join('; ')}. L∞ in 255ths${where === 'all' ? '' : `, in the region ${place} only`}.`,
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
  // Of its own for each attack: what one of them draws must not depend on how long those before it took.
  const own = attacks.map(({ id }) => createRng(`tessera|${rng.next()}|${id}`));
  const { victim, clean } = await Victim.create(context, centre, classIndex);
  const outcome = (picture: Picture, brokenBy: string | null): Outcome => {
    const extra: AttackExtra = {
      queries: victim.queries,
      isRobust: brokenBy === null ? 1 : 0,
      brokenBy,
      change: linfDistance(picture, centre),
    };
    // One that leaves the ball would make the model look worse than it is.
    if (!(extra.change <= eps + 1e-6)) throw new Error('An attack left its ball.');
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
