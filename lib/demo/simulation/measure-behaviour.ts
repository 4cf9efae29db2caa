import { area, encodeCounts, type Mask, rasterizeShapes } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { defaultPolicy } from '@/lib/core/quality/policy';
import {
  formRules,
  frequenciesOf,
  type Reliability,
  type ScoredCheck,
  type StageFacts,
  settle,
  sharedErrorOf,
  stageReliability,
} from '@/lib/core/quality/posterior';
import { scoreCheck } from '@/lib/core/quality/score-check';
import { choicesFrom, localisedAttributes } from '@/lib/core/schema';
import { rival10 } from '@/lib/core/schema/presets';
import { generateScene, type Rng, type Scene } from '@/lib/demo/scenes';
import { createRng } from '@/lib/demo/scenes/prng';
import { answerQuestion } from './answer-question';
import { behaviours } from './behaviours';
import type { Claim } from './calibrate';
import { castCrew, type Member, type Mix } from './crew';
import { type AskedKind, Notebook, type Question } from './question';
import { scoreOutcome } from './score-label';

const SIDE = 128;
const CREW = 36;
/** Share of the questions for a part that ask for one that is not there, as wrong forms cause them. */
const ABSENT_PARTS = 0.15;
const policy = defaultPolicy;

export type Series = 'attribute' | 'form' | 'class' | 'object-mask' | 'part-mask';

interface Measuring {
  stageKind: AskedKind;
  crowd: Crowd;
  scenes: readonly Scene[];
  gold: readonly Scene[];
  items: number;
  overlap: number;
  seed: number;
}

/** Generates scenes for a measurement. Scenes of different seeds share no picture. */
export const scenesOf = (count: number, seed: number): Scene[] =>
  Array.from({ length: count }, (_, n) =>
    generateScene({
      seed: seed * 1_000_000 + n,
      preset: 'rival10',
      width: SIDE,
      height: SIDE,
      occlusion: 0.3,
    }),
  );

type Asked = { question: Question; truth: Given };
type Given = { value: AnswerValue; mask: string | null };

/**
 * Lets a simulated crowd answer generated images, settles its answers as the product does, and compares what the
 * labels claim with the truth.
 */
export function measureClaims(input: Measuring): Partial<Record<Series, Claim[]>> {
  const { stageKind, crowd, scenes, gold, items, overlap, seed } = input;
  const random = createRng(seed).fork(`${stageKind} ${crowd.name} ${overlap}`);
  const notebook = new Notebook();
  const crew = castCrew(crowd.mix, CREW, seed);
  const answer = (member: Member, question: Question, kind: 'work' | 'exam'): Given => {
    const situation = { behaviour: behaviours[member.behaviour], kind, itemsDone: 0, notebook, random };
    return drawn(answerQuestion(question, situation).value);
  };
  const facts: StageFacts = {
    attributes: stageKind === 'attributes' ? rival10.attributes.map(({ id }) => id) : [],
    bar: policy.maskExam.minMeanIou,
  };
  const checksOf = crew.map((member, n) => {
    const take = (count: number, kind: 'work' | 'exam') =>
      Array.from({ length: count }, (): ScoredCheck => {
        const asked = ask(stageKind, gold, random);
        return scored(asked, answer(member, asked.question, kind), member, kind, stageKind);
      });
    const count = crowd.checks[n % crowd.checks.length] ?? 0;
    return [...take(crowd.exam, 'exam'), ...take(count, 'work')];
  });
  const stage = stageReliability(checksOf.flat(), facts, policy.trustPrior);
  const prior = {
    ...formRules(rival10),
    frequencies: frequenciesOf(checksOf.flat(), facts),
    sharedError: sharedErrorOf(checksOf.flat(), facts),
  };
  const known = checksOf.map((own) => stage.of(own));
  const claims: Partial<Record<Series, Claim[]>> = {};
  for (let n = 0; n < items; n++) {
    const asked = ask(stageKind, scenes, random);
    const answers = draw(crew, overlap, random).map((member) => ({
      workerId: `${member.number}`,
      ...(known[member.number - 1] as Reliability),
      ...answer(member, asked.question, 'work'),
    }));
    const settled = settle(answers, policy, { height: SIDE, width: SIDE }, prior);
    if (!settled) throw new Error('An item of the simulation has answers.');
    for (const [series, list] of Object.entries(claimsOf(stageKind, asked, settled)) as [Series, Claim[]][]) {
      const known = claims[series] ?? [];
      known.push(...list);
      claims[series] = known;
    }
  }
  return claims;
}

const drawn = (value: AnswerValue): Given => {
  const mask = value.kind === 'mask' ? rasterizeShapes(value.shapes, SIDE, SIDE) : null;
  return { value, mask: mask && area(mask) > 0 ? encodeCounts(mask) : null };
};

function ask(stageKind: AskedKind, scenes: readonly Scene[], random: Rng): Asked {
  const scene = random.pick(scenes);
  const target = stageKind === 'part-mask' ? partOf(scene, random) : '';
  const question: Question = {
    stageKind,
    schema: rival10,
    width: SIDE,
    height: SIDE,
    target,
    picture: `${scene.seed}`,
    scene,
  };
  return { question, truth: truthOf(stageKind, scene, target) };
}

function partOf(scene: Scene, random: Rng): string {
  const ids = localisedAttributes(rival10).map(({ id }) => id);
  const [there, missing] = [true, false].map((is) =>
    ids.filter((id) => (scene.attributeMasks[id] !== undefined) === is),
  ) as [string[], string[]];
  return random.pick(there.length === 0 || random.bernoulli(ABSENT_PARTS) ? missing : there);
}

function truthOf(stageKind: AskedKind, scene: Scene, target: string): Given {
  if (stageKind === 'attributes')
    return { value: { kind: 'attributes', choices: choicesFrom(rival10, positives(scene)) }, mask: null };
  if (stageKind === 'oracle') return { value: { kind: 'class', className: scene.className }, mask: null };
  const mask: Mask | undefined = target ? scene.attributeMasks[target] : scene.objectMask;
  if (!mask || area(mask) === 0) return { value: { kind: 'nothing' }, mask: null };
  const counts = encodeCounts(mask);
  return {
    value: { kind: 'mask', shapes: [{ kind: 'bitmap', op: 'add', size: [SIDE, SIDE], counts }] },
    mask: counts,
  };
}

const positives = (scene: Scene): string[] => [
  ...scene.colours,
  ...Object.keys(scene.attributes).filter((id) => scene.attributes[id]),
];

function scored(
  { question, truth }: Asked,
  answer: Given,
  member: Member,
  kind: 'work' | 'exam',
  stageKind: AskedKind,
): ScoredCheck {
  const { score } = scoreCheck({ stageKind, answer, gold: truth, height: SIDE, width: SIDE, policy });
  return {
    workerId: `${member.number}`,
    goldId: `${question.picture} ${question.target}`,
    kind,
    score,
    isPresent: truth.mask !== null,
    isDrawn: answer.mask !== null,
  };
}

/** So many different workers. */
function draw(crew: readonly Member[], count: number, random: Rng): Member[] {
  const left = [...crew];
  return Array.from({ length: count }, () => left.splice(random.integer(0, left.length - 1), 1)[0] as Member);
}

type Labelled = NonNullable<ReturnType<typeof settle>>;

function claimsOf(stageKind: AskedKind, { question, truth }: Asked, settled: Labelled) {
  const { confidence, value, mask } = settled;
  if (stageKind === 'attributes') return formClaims(truth.value, settled);
  const scene = question.scene as Scene;
  const { isWrong } = scoreOutcome({ stageKind, target: question.target, value, mask }, scene);
  return { [stageKind === 'oracle' ? 'class' : stageKind]: [{ confidence, isRight: !isWrong }] };
}

/** Every decision about an attribute that somebody marked, and the form as a whole. */
function formClaims(truth: AnswerValue, { value, confidence, posteriors }: Labelled) {
  const there = new Set(truth.kind === 'attributes' ? Object.values(truth.choices).flat() : []);
  const chosen = new Set(value.kind === 'attributes' ? Object.values(value.choices).flat() : []);
  const attribute = Object.entries(posteriors).map(([id, present]) => ({
    confidence: chosen.has(id) ? present : 1 - present,
    isRight: chosen.has(id) === there.has(id),
  }));
  const isRight = rival10.attributes.every(({ id }) => chosen.has(id) === there.has(id));
  return { attribute, form: [{ confidence, isRight }] };
}

/** A crowd and what is known about it. */
type Crowd = {
  name: string;
  mix: Mix;
  /** Items of an exam that everybody passed, 0 for no exam. */
  exam: number;
  /** Hidden checks that the workers have answered, in turn. */
  checks: readonly number[];
};

/** From new to long known. Every third worker has no check at all or a single one. */
const fewChecks = [0, 1, 3, 6, 12, 24];

/** Crowds of different quality, with and without exams. */
export const crowds: readonly Crowd[] = [
  { name: 'careful', mix: { careful: 5, average: 5 }, exam: 0, checks: fewChecks },
  { name: 'usual', mix: { careful: 5, average: 4, sloppy: 2, spammer: 1 }, exam: 0, checks: fewChecks },
  { name: 'poor', mix: { careful: 2, average: 4, sloppy: 3, spammer: 1 }, exam: 0, checks: fewChecks },
  { name: 'examined', mix: { careful: 5, average: 4, sloppy: 2, spammer: 1 }, exam: 5, checks: fewChecks },
];
