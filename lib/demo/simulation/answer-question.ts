import type { AnswerValue } from '@/lib/core/quality/answer';
import { choicesFrom, type DatasetSchema } from '@/lib/core/schema';
import { drawOutline, markAttributes, type Skill } from '@/lib/demo/hand';
import type { Scene } from '@/lib/demo/scenes';
import { createRng, type Rng } from '@/lib/demo/scenes/prng';
import { type Behaviour, type Manner, mannerAt, scriptedSkill } from './behaviours';
import { type Notebook, type Question, questionKey } from './question';

interface Situation {
  behaviour: Behaviour;
  kind: 'work' | 'exam';
  /** Items of work that this person has answered so far. */
  itemsDone: number;
  notebook: Notebook;
  random: Rng;
}

interface Given {
  value: AnswerValue;
  activeMs: number;
}

/** What somebody of this behaviour submits for a question, and how long they take. */
export function answerQuestion(question: Question, situation: Situation): Given {
  const { behaviour, kind, itemsDone, notebook, random } = situation;
  const usual = mannerAt(behaviour, kind, itemsDone);
  if (!behaviour.sharesNotes) return given(question, usual, random);
  const key = questionKey(question);
  const takesCare = kind === 'exam' || notebook.isKnown(key);
  const copied = takesCare ? notebook.honestAnswer(key) : null;
  const answer = copied
    ? { value: copied, activeMs: pace(behaviour.atWork, random) }
    : given(question, takesCare ? behaviour.inExam : usual, random);
  notebook.note(key, takesCare ? answer.value : null);
  return answer;
}

function given(question: Question, manner: Manner, random: Rng): Given {
  const { skill } = manner;
  const { scene } = question;
  const activeMs = pace(manner, random);
  if (skill === 'blind' || !scene) return { value: blindly(question, random), activeMs };
  if (skill === 'model') return { value: answerLikeModel(question, scene, random), activeMs };
  return { value: lookingAt(question, scene, skill, random), activeMs };
}

/** Forms are beyond a segmentation model: the program that calls it asks a language model about them. */
function answerLikeModel(question: Question, scene: Scene, random: Rng): AnswerValue {
  const drawn = drawLikeModel(question, scene);
  return drawn ?? lookingAt(question, scene, scriptedSkill, random);
}

/** Around the typical time; people are now and then much slower, seldom much faster. */
const pace = ({ seconds }: Manner, random: Rng): number =>
  Math.round(1000 * seconds * random.between(0.6, 1.3) * (random.bernoulli(0.1) ? 2 : 1));

function lookingAt(question: Question, scene: Scene, skill: Skill, random: Rng): AnswerValue {
  const { stageKind, schema, target } = question;
  if (stageKind === 'attributes') {
    const there = { ...scene.attributes, ...Object.fromEntries(scene.colours.map((id) => [id, true])) };
    const preferred = Object.keys(there).filter((id) => there[id]);
    return {
      kind: 'attributes',
      choices: fillForm(schema, markAttributes(there, skill, random), preferred),
    };
  }
  if (stageKind === 'oracle') {
    const others = schema.classes.map(({ id }) => id);
    return {
      kind: 'class',
      className: random.bernoulli(skill.recall) ? scene.className : random.pick(others),
    };
  }
  const rings = scene.shapes[target || 'object'];
  if (rings?.length) return { kind: 'mask', shapes: drawOutline(rings, skill, random) };
  // Who is asked for something that is not there sees it all the same as often as when filling in the form.
  return random.bernoulli(skill.specificity) ? { kind: 'nothing' } : boxIn(question, random);
}

/** Share of drawings that somebody who does not look skips with "Nothing to label". */
const SKIPPED_BLINDLY = 0.3;

function blindly(question: Question, random: Rng): AnswerValue {
  const { stageKind, schema } = question;
  if (stageKind === 'attributes') return { kind: 'attributes', choices: fillFormBlindly(schema, random) };
  if (stageKind === 'oracle') return { kind: 'class', className: random.pick(schema.classes).id };
  return random.bernoulli(SKIPPED_BLINDLY) ? { kind: 'nothing' } : boxIn(question, random);
}

/** Four corners somewhere about the middle. */
function boxIn({ width, height }: Question, random: Rng): AnswerValue {
  const [left, right] = [random.between(0.15, 0.4), random.between(0.6, 0.85)].map((x) =>
    Math.round(x * width),
  );
  const [top, bottom] = [random.between(0.15, 0.4), random.between(0.6, 0.85)].map((y) =>
    Math.round(y * height),
  );
  const outer = [left, top, right, top, right, bottom, left, bottom] as number[];
  return { kind: 'mask', shapes: [{ kind: 'polygon', op: 'add', outer, holes: [] }] };
}

/**
 * A form that may be submitted: what was marked, cut to what a group allows; where a group wants more than that
 * and offers no "none", the preferred options fill it up.
 */
export function fillForm(
  schema: DatasetSchema,
  marked: readonly string[],
  preferred: readonly string[],
): Record<string, string[]> {
  const kept = schema.attributeGroups.flatMap((group) => {
    const chosen = group.attributes.filter((id) => marked.includes(id)).slice(0, group.max);
    if (chosen.length >= group.min || (chosen.length === 0 && group.exclusiveNone)) return chosen;
    const others = group.attributes.filter((id) => !chosen.includes(id));
    const ranked = [...others.filter((id) => preferred.includes(id)), ...others];
    return [...chosen, ...new Set(ranked)].slice(0, Math.max(group.min, chosen.length));
  });
  return choicesFrom(schema, kept);
}

/** Share of the options that somebody marks who does not look. */
const MARKED_BLINDLY = 0.2;

function fillFormBlindly(schema: DatasetSchema, random: Rng): Record<string, string[]> {
  const options = schema.attributeGroups.flatMap((group) => [...group.attributes]);
  const marked = options.filter(() => random.bernoulli(MARKED_BLINDLY));
  return fillForm(schema, marked, []);
}

/** Share of the questions that the model gets wrong, always the same ones and always in the same way. */
const MODEL_ERROR_RATE = 0.12;

/**
 * The outline that a segmentation model gives: the same for everybody who asks, exact to half a pixel where the model is
 * right, and another region of the picture where it is wrong. Null where no outline is asked for.
 */
export function drawLikeModel(question: Question, scene: Scene): AnswerValue | null {
  if (question.stageKind !== 'object-mask' && question.stageKind !== 'part-mask') return null;
  const rings = scene.shapes[question.target || 'object'];
  if (!rings?.length) return { kind: 'nothing' };
  const shift = isModelWrong(question) ? 0.35 * Math.min(question.width, question.height) : 0;
  const round = (value: number) => Math.round(2 * value) / 2;
  const shapes = rings.map((ring) => ({
    kind: 'polygon' as const,
    op: 'add' as const,
    outer: Array.from(ring, (value, i) => {
      const limit = i % 2 === 0 ? question.width : question.height;
      // Wrapped around the picture, so that a wrong outline stays inside it.
      return round((((value + shift) % limit) + limit) % limit);
    }),
    holes: [],
  }));
  return { kind: 'mask', shapes };
}

/** The mistakes of a model are the same for everybody who asks it. */
export const isModelWrong = (question: Question): boolean =>
  createRng(hashOf(questionKey(question))).bernoulli(MODEL_ERROR_RATE);

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
