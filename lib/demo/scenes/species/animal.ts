import type { Figure, Stance } from '../figure';
import { quadruped } from '../figures/quadruped';
import type { QuadrupedBuild } from '../figures/quadruped-build';
import { lighten } from '../palette';
import type { Rng } from '../prng';

/** A kind of thing that can be drawn: one body plan with the looks of one breed or model. */
export interface Species {
  id: string;
  /** ImageNet class whose looks it borrows. */
  wnid?: string;
  draw(stance: Stance): Figure;
  /** Whole-object attributes that hold for every individual. */
  traits?: readonly string[];
}

type Looks = Partial<QuadrupedBuild> & Pick<QuadrupedBuild, 'coat'>;

const DARK = { hex: '#2a2326' };

export const BROWN_EYES = ['#3a2418', '#1d1714'];

export function eyes(rng: Rng, colours: readonly string[]): QuadrupedBuild['eye'] {
  const hex = rng.pick(colours);
  return { hex, coloured: !BROWN_EYES.includes(hex) };
}

/** A dog of no particular breed; each species says where it differs. */
const base: Omit<QuadrupedBuild, 'coat' | 'under' | 'eye'> = {
  bodyLength: 62,
  bodyDepth: 30,
  tuck: 0.4,
  legLength: 48,
  legWidth: 4.2,
  neckLength: 20,
  neckWidth: 9,
  neckRise: 0.7,
  headSize: 13,
  snoutLength: 9,
  snoutDepth: 9,
  face: 'side',
  ears: 'pointed',
  tail: 'long',
  hooves: false,
  longSnout: false,
  dark: DARK,
  pattern: 'none',
  patternHex: '#3a2c24',
  finish: 'fur',
};

/** A species on four legs. */
export function animal(
  id: string,
  wnid: string | undefined,
  looks: (rng: Rng) => Looks,
  traits: readonly string[] = [],
): Species {
  return {
    id,
    traits,
    ...(wnid ? { wnid } : {}),
    draw: (stance: Stance) => {
      const chosen = looks(stance.rng);
      const build: QuadrupedBuild = {
        ...base,
        under: {
          hex: lighten(chosen.coat.hex, 0.35),
          ...(chosen.coat.name ? { name: chosen.coat.name } : {}),
        },
        eye: eyes(stance.rng, BROWN_EYES),
        ...chosen,
      };
      const stretch = (value: number) => value * stance.rng.between(0.93, 1.08);
      return quadruped(
        { ...build, bodyLength: stretch(build.bodyLength), legLength: stretch(build.legLength) },
        stance,
      );
    },
  };
}
