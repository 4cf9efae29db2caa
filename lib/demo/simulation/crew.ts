import { createRng } from '@/lib/demo/scenes/prng';
import { type BehaviourName, behaviourNames } from './behaviours';

/** Parts of a crowd by behaviour. */
export type Mix = Partial<Record<BehaviourName, number>>;

/** Every third means ill or does not care: enough of each kind to see what happens to it; it takes two to collude. */
export const defaultMix: Mix = { careful: 5, average: 4, sloppy: 1, spammer: 1, colluder: 2, turncoat: 1 };

/** `careful=5,average=3`; null when it is not that. */
export function parseMix(text: string): Mix | null {
  const mix: Mix = {};
  for (const part of text.split(',')) {
    const [name = '', share = ''] = part.split('=').map((word) => word.trim());
    const known = behaviourNames.find((each) => each === name);
    if (!known || !/^\d{1,4}$/.test(share)) return null;
    mix[known] = Number(share);
  }
  return Object.values(mix).some((share) => share > 0) ? mix : null;
}

export interface Member {
  /** Unique within the crew. */
  number: number;
  behaviour: BehaviourName;
  /** Where this person's chance begins. */
  seed: number;
}

/**
 * As many people as wanted, in the proportions of the mix by largest remainder, in an order that the seed
 * gives: who comes first must not depend on how good they are.
 */
export function castCrew(mix: Mix, size: number, seed: number): Member[] {
  const random = createRng(seed).fork('crew');
  const cast = sharesOf(mix, size).flatMap(([name, count]) => Array<BehaviourName>(count).fill(name));
  for (let last = cast.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [cast[last], cast[other]] = [cast[other] as BehaviourName, cast[last] as BehaviourName];
  }
  return cast.map((behaviour, i) => ({ number: i + 1, behaviour, seed: seed * 100_003 + i }));
}

function sharesOf(mix: Mix, size: number): [BehaviourName, number][] {
  const total = Object.values(mix).reduce((sum, share) => sum + share, 0);
  const wanted = behaviourNames.map((name) => ({ name, exact: ((mix[name] ?? 0) / total) * size }));
  const counts = new Map(wanted.map(({ name, exact }) => [name, Math.floor(exact)]));
  const left = size - [...counts.values()].reduce((sum, count) => sum + count, 0);
  const byRemainder = [...wanted].sort((a, b) => (b.exact % 1) - (a.exact % 1));
  for (const { name } of byRemainder.slice(0, left)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}
