import { drawSeconds, glanceSkill, type Person, type Skill, sloppySkill, typicalSeconds } from './people';
import { between, normal, type Random, randomFor } from './random';
import { FORM, frequencies, type Given, isMarked, type Outline, PARTS, STRIP, type Truth } from './world';

export type Question = {
  seed: number;
  truth: Truth;
  /** `FORM`, or the index of a part. */
  target: number;
  kind: 'work' | 'exam';
  isGold: boolean;
  /** Items of work that the person has done in the stage. */
  itemsDone: number;
};

export type Work = {
  given: Given;
  seconds: number;
  /** Corners of the outline. */
  vertices: number;
};

/** Questions that the members of a ring have met. */
export type Notebook = Set<number>;

/** Share of gold that somebody recognizes who knows most of the pool; which ones depends on the person. */
const RECOGNIZED = 0.8;
/** The attribute and part that is misunderstood. */
export const MISUNDERSTOOD = 0;
const FATIGUE = { from: 100, to: 300 };

/** Answers a question. Depends on seed, person, question and progress only; the notebook of a ring is updated. */
export function answerQuestion(person: Person, question: Question, notebook: Notebook): Work {
  const { seed, truth, target, kind, isGold, itemsDone } = question;
  const random = randomFor(seed, 5, person.id, truth.image, target, kind === 'exam' ? 1 : 0);
  const seconds = drawSeconds(typicalSeconds[person.kind], random);
  const looking = (skill: Skill): Work => ({ ...look(truth, target, skill, random), seconds });
  // An exam announces itself: everybody takes care.
  if (kind === 'exam') return looking(person.skill);
  switch (person.kind) {
    case 'careful':
    case 'average':
      return looking(person.skill);
    case 'blind':
      return { ...guess(target, random), seconds };
    case 'sloppy':
      return looking(sloppySkill);
    case 'selective':
      return looking(random() < 0.5 ? person.skill : glanceSkill);
    case 'fatigue':
      return looking(tired(person.skill, itemsDone));
    case 'misunderstands':
      return misunderstand(looking(person.skill), question, random);
    case 'model-assisted':
      return { ...askModel(seed, truth, target), seconds };
    case 'recognizes-gold': {
      const isKnown = isGold && randomFor(seed, 6, person.id, truth.image)() < RECOGNIZED;
      return isKnown ? looking(person.skill) : { ...guess(target, random), seconds };
    }
    case 'colluder': {
      // Ordinary images are rarely asked twice: one that a partner has met is probably gold.
      const key = truth.image * (PARTS + 1) + target + 1;
      const isKnown = notebook.has(key);
      notebook.add(key);
      return looking(isKnown ? person.skill : sloppySkill);
    }
  }
}

/** Linear from the person's own skill to sloppy work. */
function tired(skill: Skill, itemsDone: number): Skill {
  const share = Math.min(1, Math.max(0, (itemsDone - FATIGUE.from) / (FATIGUE.to - FATIGUE.from)));
  const towards = (aspect: keyof Skill) => skill[aspect] + share * (sloppySkill[aspect] - skill[aspect]);
  return { recall: towards('recall'), specificity: towards('specificity'), spread: towards('spread') };
}

const shift = (probability: number, logits: number): number => {
  const odds = (probability / (1 - probability)) * Math.exp(-logits);
  return odds / (1 + odds);
};

function look({ marks, difficulty, outlines }: Truth, target: number, skill: Skill, random: Random) {
  if (target !== FORM) return lookForPart(outlines[target] ?? null, difficulty, skill, random);
  // Each present attribute is missed, and each absent one added, more often on difficult images.
  const recall = shift(skill.recall, difficulty);
  const specificity = shift(skill.specificity, difficulty);
  let given = 0;
  for (let i = 0; i < frequencies.length; i++) {
    const isGiven = isMarked(marks, i) ? random() < recall : random() >= specificity;
    if (isGiven) given |= 1 << i;
  }
  return { given: { marks: given }, vertices: 0 };
}

function lookForPart(truth: Outline, difficulty: number, skill: Skill, random: Random) {
  if (truth) return draw(truth, skill.spread * Math.exp(0.3 * difficulty), random);
  // Asked for a part that is not there, people see it as often as on the form.
  if (random() < skill.specificity) return { given: { outline: null }, vertices: 0 };
  return { given: { outline: anywhere(random) }, vertices: 12 };
}

function draw(truth: NonNullable<Outline>, spread: number, random: Random) {
  const length = truth.to - truth.from;
  const from = Math.round(truth.from + spread * length * normal(random));
  const to = Math.round(truth.to + spread * length * normal(random));
  return { given: { outline: inStrip(from, to) }, vertices: 10 + Math.floor(20 * random()) };
}

function inStrip(a: number, b: number): NonNullable<Outline> {
  const from = Math.min(STRIP.width - 2, Math.max(0, Math.min(a, b)));
  return { from, to: Math.min(STRIP.width, Math.max(from + 1, Math.max(a, b))) };
}

const anywhere = (random: Random): NonNullable<Outline> => {
  const from = Math.floor(between(random, 20, 280));
  return inStrip(from, from + Math.floor(between(random, 60, 140)));
};

/** Without looking: a fifth of the attributes, a box about the middle, or nothing. */
function guess(target: number, random: Random) {
  if (target === FORM) {
    let marks = 0;
    for (let i = 0; i < frequencies.length; i++) if (random() < 0.2) marks |= 1 << i;
    return { given: { marks }, vertices: 0 };
  }
  if (random() < 0.3) return { given: { outline: null }, vertices: 0 };
  const outline = inStrip(
    Math.round(STRIP.width * between(random, 0.15, 0.4)),
    Math.round(STRIP.width * between(random, 0.6, 0.85)),
  );
  return { given: { outline }, vertices: 4 };
}

/** Marks one attribute where something else is, and draws that something. */
function misunderstand(work: Work, { truth, target }: Question, random: Random): Work {
  if ('marks' in work.given) {
    const isThere = isMarked(truth.marks, MISUNDERSTOOD);
    const marks = work.given.marks & ~(1 << MISUNDERSTOOD);
    const isGiven = random() < (isThere ? 0.15 : 0.3);
    return { ...work, given: { marks: marks | (isGiven ? 1 << MISUNDERSTOOD : 0) } };
  }
  return target === MISUNDERSTOOD ? { ...work, given: { outline: anywhere(random) } } : work;
}

/** A model is as good as an average person, but it makes the same mistakes for everybody who uses it. */
function askModel(seed: number, truth: Truth, target: number) {
  const random = randomFor(seed, 7, truth.image, target);
  if (target === FORM) return look(truth, target, { recall: 0.84, specificity: 0.939, spread: 0 }, random);
  const isWrong = random() < 0.15;
  if (isWrong) return { given: { outline: anywhere(random) }, vertices: 24 };
  return lookForPart(
    truth.outlines[target] ?? null,
    0,
    { recall: 0.84, specificity: 0.7, spread: 0.06 },
    random,
  );
}
