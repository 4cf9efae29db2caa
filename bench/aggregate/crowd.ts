import type { Skill } from '@/lib/demo/hand';
import type { Rng } from '@/lib/demo/scenes';

/** A worker by what they are like, and how many of a hundred are like that. */
type Kind = { name: string; share: number; skill: Skill };

const kinds: Kind[] = [
  { name: 'careful', share: 40, skill: { recall: 0.95, specificity: 0.98, wobble: 0.02, careless: 0 } },
  { name: 'average', share: 35, skill: { recall: 0.88, specificity: 0.95, wobble: 0.05, careless: 0.04 } },
  { name: 'sloppy', share: 15, skill: { recall: 0.7, specificity: 0.88, wobble: 0.1, careless: 0.25 } },
  { name: 'spammer', share: 10, skill: { recall: 0.3, specificity: 0.7, wobble: 0.3, careless: 1 } },
];

export type CrowdWorker = { id: string; skill: Skill };

export function crowdOf(size: number): CrowdWorker[] {
  return kinds.flatMap(({ name, share, skill }) =>
    Array.from({ length: Math.round((size * share) / 100) }, (_, n) => ({ id: `${name} ${n}`, skill })),
  );
}

/** So many different workers. */
export function draw(crowd: readonly CrowdWorker[], count: number, random: Rng): CrowdWorker[] {
  const left = [...crowd];
  return Array.from(
    { length: count },
    () => left.splice(random.integer(0, left.length - 1), 1)[0] as CrowdWorker,
  );
}
