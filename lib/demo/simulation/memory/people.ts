import { between, normal, type Random, randomFor, shuffle } from './random';

/**
 * How well somebody works. `recall` is the probability to mark an attribute that is present, `specificity` to leave out
 * one that is absent, `spread` the standard deviation of both ends of an outline as a share of its length.
 */
export type Skill = { recall: number; specificity: number; spread: number };

export const goodKinds = ['careful', 'average'] as const;
export const badKinds = [
  'blind',
  'sloppy',
  'selective',
  'fatigue',
  'misunderstands',
  'model-assisted',
  'recognizes-gold',
  'colluder',
] as const;
export type Kind = (typeof goodKinds)[number] | (typeof badKinds)[number];

export const isGoodKind = (kind: Kind): boolean => (goodKinds as readonly Kind[]).includes(kind);

export type Person = {
  /** Unique within a run; the key of their random numbers. */
  id: number;
  kind: Kind;
  skill: Skill;
  /** Colluders of one ring share what they have met. */
  ring: number;
};

/**
 * RIVAL10 reports precision 0.81, recall 0.84 and a mean IoU of 0.745 on its checks (section 3.2, appendix B). Half of the
 * good people are a little better, half a little worse; the mean of both is the paper's. With 4.25 of 18 attributes
 * present, a specificity of about 0.94 gives precision 0.81. Skill varies from person to person by `SKILL_SD`. The test
 * of this file measures the means.
 */
const careful: Skill = { recall: 0.882, specificity: 0.962, spread: 0.172 };
const average: Skill = { recall: 0.824, specificity: 0.942, spread: 0.21 };
const SKILL_SD: Skill = { recall: 0.015, specificity: 0.004, spread: 0.01 };
/** Nobody good is below the exam's bars of 0.75 and 0.70, with the margins of rounding. */
const WORST_GOOD: Skill = { recall: 0.79, specificity: 0.935, spread: 0.225 };

/** Hurried, plausible work: misses every third attribute, adds some, outlines roughly where they belong. */
export const sloppySkill: Skill = { recall: 0.62, specificity: 0.88, spread: 0.34 };
/** Takes in the image at a glance: the most obvious attributes, a rough outline. */
export const glanceSkill: Skill = { recall: 0.4, specificity: 0.97, spread: 0.42 };

export function drawPerson(seed: number, id: number, kind: Kind): Person {
  const random = randomFor(seed, 2, id);
  const typical = kind === 'careful' || kind === 'recognizes-gold' ? careful : average;
  const draw = (aspect: keyof Skill) => typical[aspect] + SKILL_SD[aspect] * normal(random);
  const skill = {
    recall: Math.max(WORST_GOOD.recall, Math.min(0.98, draw('recall'))),
    specificity: Math.max(WORST_GOOD.specificity, Math.min(0.995, draw('specificity'))),
    spread: Math.min(WORST_GOOD.spread, Math.max(0.05, draw('spread'))),
  };
  return { id, kind, skill, ring: kind === 'colluder' ? 1 : 0 };
}

/**
 * Everybody who could be recruited, in order of arrival: blocks of `seats` people with exactly the wanted share of bad
 * ones, in random order within a block. Kinds take turns over blocks and seeds. Colluders come in pairs.
 */
export function castPeople(seed: number, seats: number, badShare: number, blocks: number): Person[] {
  const people: Person[] = [];
  const bad = Math.round(badShare * seats);
  const singles = shuffle(
    badKinds.filter((kind) => kind !== 'colluder'),
    randomFor(seed, 3),
  );
  let turn = 0;
  const nextSingle = (): Kind => singles[turn++ % singles.length] as Kind;
  for (let block = 0; block < blocks; block++) {
    const random = randomFor(seed, 4, block);
    const kinds: Kind[] = [];
    // Two of nine bad people collude: in large crews always, in small ones as often on average.
    const collude = bad >= 4 || (bad >= 2 && random() < 2 / 9);
    while (kinds.length < bad) kinds.push(collude && kinds.length < 2 ? 'colluder' : nextSingle());
    while (kinds.length < seats) kinds.push(kinds.length % 2 === 0 ? 'careful' : 'average');
    for (const kind of shuffle(kinds, random)) people.push(drawPerson(seed, people.length, kind));
  }
  return people;
}

/** Typical seconds per item; a quick answer is worth the same money. */
export const typicalSeconds: Record<Kind, number> = {
  careful: 34,
  average: 29,
  blind: 5,
  sloppy: 12,
  selective: 15,
  fatigue: 29,
  misunderstands: 29,
  'model-assisted': 10,
  'recognizes-gold': 6,
  colluder: 11,
};

/** Log-normal around the typical time. */
export const drawSeconds = (typical: number, random: Random): number =>
  typical * Math.exp(0.35 * normal(random)) * (random() < 0.05 ? between(random, 1.5, 3) : 1);
