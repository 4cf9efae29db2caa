import type { Skill } from '@/lib/demo/hand';
import type { InputStyle } from './interaction';

/** A way of working: how well, how fast, and for how long. */
export interface Manner {
  /** `blind` answers without looking at the picture; `model` answers as a segmentation model does. */
  skill: Skill | 'blind' | 'model';
  /** Typical time on one item. */
  seconds: number;
}

export interface Behaviour {
  /** Somebody a project would want to lose. */
  isBad: boolean;
  /** An exam announces itself, so who means to cheat takes care in it. */
  inExam: Manner;
  atWork: Manner;
  /** From this many items of work on the manner changes for good. */
  turn?: { after: number; to: Manner };
  /** Notes every question in a book shared with the others of its kind, and takes care with those it knows. */
  sharesNotes?: true;
  /** How answers are entered; people use a mouse. */
  input?: InputStyle;
}

const careful: Manner = {
  skill: { recall: 0.95, specificity: 0.98, wobble: 0.02, careless: 0 },
  seconds: 36,
};
const average: Manner = {
  skill: { recall: 0.88, specificity: 0.95, wobble: 0.05, careless: 0.04 },
  seconds: 29,
};
const sloppy: Manner = {
  skill: { recall: 0.7, specificity: 0.88, wobble: 0.1, careless: 0.25 },
  seconds: 12,
};
const clicking: Manner = { skill: 'blind', seconds: 5 };
/** A multimodal model behind a script: as good as average people, and quicker. */
export const scriptedSkill: Skill = { recall: 0.88, specificity: 0.95, wobble: 0.05, careless: 0.02 };
const scripted: Manner = { skill: scriptedSkill, seconds: 14 };
const segmenting: Manner = { skill: 'model', seconds: 9 };

/**
 * The people and programs of a simulation. The skills of the first three are those of the demo's crowd; the last three
 * are programs that pose as people.
 */
export const behaviours = {
  careful: { isBad: false, inExam: careful, atWork: careful },
  average: { isBad: false, inExam: average, atWork: average },
  sloppy: { isBad: true, inExam: average, atWork: sloppy },
  spammer: { isBad: true, inExam: careful, atWork: clicking },
  colluder: { isBad: true, inExam: careful, atWork: clicking, sharesNotes: true },
  turncoat: { isBad: true, inExam: careful, atWork: careful, turn: { after: 100, to: clicking } },
  'http-agent': { isBad: true, inExam: scripted, atWork: scripted, input: 'none' },
  'browser-agent': { isBad: true, inExam: scripted, atWork: scripted, input: 'driver' },
  'model-agent': { isBad: true, inExam: segmenting, atWork: segmenting, input: 'driver' },
} as const satisfies Record<string, Behaviour>;

export type BehaviourName = keyof typeof behaviours;

export const behaviourNames = Object.keys(behaviours) as BehaviourName[];

export const agentNames = ['http-agent', 'browser-agent', 'model-agent'] as const satisfies BehaviourName[];

/** How somebody works after so many items of work. */
export function mannerAt(behaviour: Behaviour, kind: 'work' | 'exam', itemsDone: number): Manner {
  if (kind === 'exam') return behaviour.inExam;
  const { turn } = behaviour;
  return turn && itemsDone >= turn.after ? turn.to : behaviour.atWork;
}

/** Whether what is done now is bad work: a turncoat's first items are good. */
export const isBadAt = (behaviour: Behaviour, itemsDone: number): boolean =>
  behaviour.isBad && (!behaviour.turn || itemsDone >= behaviour.turn.after);
