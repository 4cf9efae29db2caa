import type { Picture } from '../picture';
import { type Stream, stream } from '../random/stream';
import { invertedRegion, type Region } from '../region';
import type { Outcome, Reason, Sample, Surroundings, Variant } from '../types';
import { cellsOf } from '../variants/cells-of';
import { attributeOf, objectOf } from '../variants/object-of';
import type { Attack } from './attacks';
import { largestChange } from './ball';
import { NotFinite, Victim } from './victim';

/** Radii of the part-model paper, in 255ths. */
export const RADII = [8];
export const SWEEP = [8, 16, 24, 32];

export type AttackedRegion = 'all' | 'object' | 'background' | { attribute: string };

export interface AttackOptions {
  /** Radii in 255ths of the range of a colour; 0 is the clean picture. */
  radii?: readonly number[];
  /** What may be changed. */
  where?: AttackedRegion;
}

/** What an attack writes beside its row. */
export interface AttackExtra {
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
    cells: cellsOf(radii),
    runs: 1 + attacks.reduce((sum, { runs }) => sum + runs, 0),
    async apply(sample, { level }, chance, around) {
      const region = regionOf(sample, where);
      if (region && 'invalid' in region) return region;
      try {
        return await attacked(attacks, sample, Number(level) / 255, region?.region ?? null, chance, around);
      } catch (error) {
        if (error instanceof NotFinite) return { invalid: 'not-finite' };
        throw error;
      }
    },
  };
}

async function attacked(
  attacks: readonly Attack[],
  { picture: centre, classIndex }: Sample,
  eps: number,
  region: Region | null,
  chance: Stream,
  around: Surroundings,
): Promise<Outcome> {
  // Of its own for each attack: what one of them draws must not depend on how long those before it took.
  const own = attacks.map(({ id }) => stream(`tessera|${chance.next()}|${id}`));
  const { victim, clean } = await Victim.meet(around, centre, classIndex);
  const outcome = (picture: Picture, brokenBy: string | null): Outcome => {
    const extra: AttackExtra = {
      queries: victim.queries,
      isRobust: brokenBy === null ? 1 : 0,
      brokenBy,
      change: largestChange(picture, centre),
    };
    // One that leaves the ball would make the model look worse than it is.
    if (!(extra.change <= eps + 1e-6)) throw new Error('An attack left its ball.');
    return { picture, extra: { ...extra } };
  };
  if (victim.isFooled(clean)) return outcome(centre, 'clean');
  let last = centre;
  for (const [i, attack] of eps === 0 ? [] : attacks.entries()) {
    const found = await attack.run(victim, { centre, eps, region }, own[i] as Stream, clean);
    last = found.picture;
    if (!found.isRobust) return outcome(last, attack.id);
  }
  return outcome(last, null);
}

function regionOf(sample: Sample, where: AttackedRegion): { region: Region } | { invalid: Reason } | null {
  if (where === 'all') return null;
  if (typeof where !== 'string') return attributeOf(sample, where.attribute);
  const found = objectOf(sample);
  if ('invalid' in found) return found;
  return { region: where === 'object' ? found.object : invertedRegion(found.object) };
}
