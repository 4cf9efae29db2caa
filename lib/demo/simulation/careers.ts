import { encodeCounts, iou, type Mask, rasterizeShapes } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { checkRateAt } from '@/lib/core/quality/check-rate';
import {
  barsOf,
  type HistoryAnswer,
  type HistoryCheck,
  type WorkerHistory,
} from '@/lib/core/quality/history';
import { defaultPolicy } from '@/lib/core/quality/policy';
import { type Scored, scoreCheck } from '@/lib/core/quality/score-check';
import { traitsOf } from '@/lib/core/quality/traits';
import { choicesFrom } from '@/lib/core/schema';
import { rival10 } from '@/lib/core/schema/presets';
import { createRng, type Rng } from '@/lib/demo/scenes/prng';
import { answerQuestion, drawLikeModel, isModelWrong } from './answer-question';
import { type Behaviour, type BehaviourName, behaviours } from './behaviours';
import { type Hand, handOf, type InputStyle, simulateInteraction } from './interaction';
import { KnownScenes } from './known-scenes';
import { Notebook, type Question } from './question';

/** Somebody whose work in a stage is simulated without a server, for the rules alone. */
export interface Life {
  behaviour: BehaviourName;
  /** Instead of the input of the behaviour. */
  input?: InputStyle;
  stageKind: 'attributes' | 'object-mask';
  items: number;
  seed: number;
  /** Share of the checks that are taken from gold on which the promoted model is wrong; default: as it comes. */
  hardGold?: number;
}

const SIDE = 160;
/** Answers of a batch that are compared with the installed segmentation model, as a share. */
const COMPARED = 0.25;
/** How many of the mistakes of the agent's model the promoted model makes as well. */
const SHARED_MISTAKES = 0.7;
const SECOND_MS = 1000;
const START = Date.UTC(2026, 0, 1);
/** How long simulated people take, from `poolTimes` over careful and average ones. */
const pools = {
  attributes: { medianMs: 31_000, fifthMs: 17_000 },
  'object-mask': { medianMs: 31_000, fifthMs: 17_000 },
};

const scenes = new KnownScenes('rival10');
const classes = rival10.classes.map(({ id }) => id);

/** The history of a career, as `readHistory` would give it, with nothing decided so far. */
export function simulateCareer(life: Life): WorkerHistory {
  const { behaviour: name, input, stageKind, items, seed, hardGold = 0 } = life;
  const behaviour: Behaviour = behaviours[name];
  const random = createRng(seed).fork(`${name} ${stageKind}`);
  const hand = handOf(input ?? behaviour.input ?? 'mouse', random.fork('hand'));
  const notebook = new Notebook();
  const answers: HistoryAnswer[] = [];
  const checks: HistoryCheck[] = [];
  let now = START;
  for (let done = 0; done < items; done++) {
    const isCheck = random.bernoulli(checkRateAt(defaultPolicy, { itemsDone: done, evidence: 0 }));
    const isHard = isCheck && random.bernoulli(hardGold);
    const question = drawQuestion(stageKind, isHard, random);
    const given = answerQuestion(question, { behaviour, kind: 'work', itemsDone: done, notebook, random });
    now += given.activeMs + SECOND_MS;
    const at = new Date(now);
    answers.push(historyAnswer(given, { question, at, hand, random, index: done }));
    if (isCheck) checks.push(historyCheck(given.value, question, at, checks.length));
  }
  const bars = barsOf(defaultPolicy);
  const since = new Date(START);
  const targetCount = stageKind === 'attributes' ? rival10.attributes.length : 1;
  const counts = { stageCount: 1, targetCount };
  const rest = { actions: [], state: 'active', since, bars, pool: pools[stageKind], ...counts } as const;
  return { answers, checks, browserSince: since, ...rest };
}

const PICTURES = 120;
const MAX_DRAWS = 200;

function drawQuestion(stageKind: Life['stageKind'], isHard: boolean, random: Rng): Question {
  for (let draws = 1; ; draws++) {
    const question = questionOf(random.integer(0, PICTURES - 1), stageKind);
    if (!isHard || draws === MAX_DRAWS || isPromotedWrong(question)) return question;
  }
}

function questionOf(index: number, stageKind: Life['stageKind']): Question {
  const className = classes[index % classes.length] as string;
  const name = `${className.toLowerCase()}-${String(index).padStart(5, '0')}.jpg`;
  const scene = scenes.of({ name, className, width: SIDE, height: SIDE });
  return { stageKind, schema: rival10, width: SIDE, height: SIDE, target: '', picture: name, scene };
}

interface Circumstances {
  question: Question;
  at: Date;
  hand: Hand;
  random: Rng;
  index: number;
}

function historyAnswer(
  { value, activeMs }: { value: AnswerValue; activeMs: number },
  { question, at, hand, random, index }: Circumstances,
): HistoryAnswer {
  const isCompared = value.kind === 'mask' && random.bernoulli(COMPARED);
  return {
    id: `answer-${index}`,
    itemId: `item-${index}`,
    imageId: question.picture,
    target: '',
    at,
    activeMs,
    ...traitsOf(value),
    interaction: simulateInteraction(value, hand, random) ?? null,
    repeatsCode: false,
    publicIou: isCompared ? overlap(value, modelAnswer(question)) : null,
  };
}

function historyCheck(value: AnswerValue, question: Question, at: Date, index: number): HistoryCheck {
  const gold = truthOf(question);
  const input = { stageKind: question.stageKind, answer: scored(value), gold: scored(gold) };
  const { score, passed } = scoreCheck({ ...input, height: SIDE, width: SIDE, policy: defaultPolicy });
  const model = question.stageKind === 'attributes' ? null : promotedAnswer(question, gold);
  return {
    id: `check-${index}`,
    goldId: `gold-${question.picture}`,
    imageId: `check-${index}`,
    target: '',
    at,
    passed,
    score,
    expected: null,
    model: model && { level: overlap(model, gold), agreement: overlap(value, model) },
  };
}

function truthOf({ stageKind, schema, scene }: Question): AnswerValue {
  if (!scene) throw new Error('The scenes of careers are known.');
  if (stageKind === 'attributes') {
    const there = { ...scene.attributes, ...Object.fromEntries(scene.colours.map((id) => [id, true])) };
    const chosen = Object.keys(there).filter((id) => there[id]);
    return { kind: 'attributes', choices: choicesFrom(schema, chosen) };
  }
  const rings = scene.shapes.object ?? [];
  if (rings.length === 0) return { kind: 'nothing' };
  return {
    kind: 'mask',
    shapes: rings.map((ring) => ({ kind: 'polygon', op: 'add', outer: Array.from(ring), holes: [] })),
  };
}

const modelAnswer = (question: Question): AnswerValue =>
  (question.scene && drawLikeModel(question, question.scene)) ?? { kind: 'nothing' };

/** The project's own model makes most of the mistakes that the agent's model makes. */
function sharesMistakes({ picture }: Question): boolean {
  const index = Number(/\d+/.exec(picture)?.[0] ?? 0);
  return createRng(index).fork('promoted').bernoulli(SHARED_MISTAKES);
}

const isPromotedWrong = (question: Question): boolean => sharesMistakes(question) && isModelWrong(question);

const promotedAnswer = (question: Question, gold: AnswerValue): AnswerValue =>
  sharesMistakes(question) ? modelAnswer(question) : gold;

const maskOf = (value: AnswerValue): Mask | null =>
  value.kind === 'mask' ? rasterizeShapes(value.shapes, SIDE, SIDE) : null;

const scored = (value: AnswerValue): Scored => {
  const mask = maskOf(value);
  return { value, mask: mask && encodeCounts(mask) };
};

function overlap(a: AnswerValue, b: AnswerValue): number {
  const [first, second] = [maskOf(a), maskOf(b)];
  return first && second ? iou(first, second) : Number(first === second);
}
