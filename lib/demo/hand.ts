import type { Ring } from '@/lib/core/geometry';
import type { PolygonShape } from '@/lib/core/mask';
import type { Rng } from './scenes/prng';

/** How well a simulated worker sees and draws. */
export type Skill = {
  /** Probability of marking an attribute that is there, and of leaving out one that is not. */
  recall: number;
  specificity: number;
  /** Typical distance of a drawn vertex from the true outline, as a share of the shape's size. */
  wobble: number;
  /** Share of items answered without looking. */
  careless: number;
};

/** The attributes a worker of this skill marks, given those that are really there. */
export function markAttributes(
  truth: Readonly<Record<string, boolean>>,
  skill: Skill,
  random: Rng,
): string[] {
  const careless = random.bernoulli(skill.careless);
  return Object.entries(truth)
    .filter(([, present]) => {
      if (careless) return random.bernoulli(0.3);
      return present ? random.bernoulli(skill.recall) : !random.bernoulli(skill.specificity);
    })
    .map(([attribute]) => attribute);
}

/** The outline a worker of this skill draws around the true rings: fewer vertices, each a little off. */
export function drawOutline(rings: readonly Ring[], skill: Skill, random: Rng): PolygonShape[] {
  const careless = random.bernoulli(skill.careless);
  return rings.map((ring) => ({
    kind: 'polygon',
    op: 'add',
    outer: careless ? roughBox(ring) : wobble(ring, skill.wobble, random),
    holes: [],
  }));
}

function bounds(ring: Ring): { x0: number; y0: number; x1: number; y1: number } {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (let i = 0; i + 1 < ring.length; i += 2) {
    box.x0 = Math.min(box.x0, ring[i] as number);
    box.x1 = Math.max(box.x1, ring[i] as number);
    box.y0 = Math.min(box.y0, ring[i + 1] as number);
    box.y1 = Math.max(box.y1, ring[i + 1] as number);
  }
  return box;
}

/** Four corners: what someone in a hurry draws. */
function roughBox(ring: Ring): number[] {
  const { x0, y0, x1, y1 } = bounds(ring);
  return [x0, y0, x1, y0, x1, y1, x0, y1];
}

/** Vertices a person clicks around one outline at the most. */
const MAX_CLICKS = 36;

function wobble(ring: Ring, share: number, random: Rng): number[] {
  const { x0, y0, x1, y1 } = bounds(ring);
  const distance = Math.sqrt(Math.max(1, (x1 - x0) * (y1 - y0))) * share;
  const vertices = ring.length / 2;
  const step = Math.max(1, vertices / MAX_CLICKS);
  const drawn: number[] = [];
  for (let at = 0; at < vertices; at += step) {
    const i = 2 * Math.floor(at);
    drawn.push(
      tenth((ring[i] as number) + random.between(-distance, distance)),
      tenth((ring[i + 1] as number) + random.between(-distance, distance)),
    );
  }
  return drawn;
}

/** A pointer reports tenths of a pixel at best; more digits only swell the stored answers. */
const tenth = (value: number) => Math.round(value * 10) / 10;
