import type { ShellActor, ShellProject } from '@/app/_shell/navigation-for';

export const sampleActor: ShellActor = { name: 'Ada Curie', email: 'ada@example.org', isAdmin: true };

export const sampleProjects: ShellProject[] = [
  { slug: 'rival10', name: 'RIVAL10', state: 'collecting', roles: ['curator', 'researcher'] },
  { slug: 'part-imagenet', name: 'Part-ImageNet', state: 'finished', roles: ['researcher'] },
  { slug: 'cityscapes-parts', name: 'Cityscapes parts, second campaign', state: 'draft', roles: ['curator'] },
];

/** The same numbers on every load: a page that is compared by screenshot must not move. */
export function* sequence(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    yield state / 4_294_967_296;
  }
}

export function sampleNumbers(seed: number, count: number): number[] {
  const source = sequence(seed);
  return Array.from({ length: count }, () => source.next().value);
}

/** Roughly normal: the mean of six even numbers. */
export function sampleScores(seed: number, count: number, middle: number, spread: number): number[] {
  const source = sequence(seed);
  return Array.from({ length: count }, () => {
    let sum = 0;
    for (let draw = 0; draw < 6; draw += 1) sum += source.next().value - 0.5;
    return Math.min(1, Math.max(0, middle + sum * spread));
  });
}

export const attributes = [
  'long-snout',
  'wings',
  'wheels',
  'text',
  'horns',
  'floppy-ears',
  'ears',
  'colored-eyes',
  'tail',
  'mane',
];
