import type { AnswerValue } from '@/lib/core/quality/answer';
import type { Scene } from '@/lib/demo/scenes';
import { createRng } from '@/lib/demo/scenes/prng';
import { type Question, questionKey } from './question';

/** Share of the questions that the model gets wrong, always the same ones and always in the same way. */
export const MODEL_ERROR_RATE = 0.12;

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
  createRng(hashOf(questionKey(question))).chance(MODEL_ERROR_RATE);

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
