import { z } from 'zod';
import { groupBy } from '../group-by';
import { defineRule } from './rule';
import { count } from './settings';

/** Nobody draws an outline twice to a tenth of a pixel by hand. Within an image two parts may share one. */
export const pastedShapes = defineRule({
  id: 'pasted-shapes',
  version: 1,
  title: 'Pasted shapes',
  says: 'The same drawing, wherever it lies, on different images.',
  source: 'hashes of drawings, a signal that checks miss',
  advice: 'Raise "minImages" for videos and series, where an outline fits several images.',
  atMost: 'pause',
  errorControl: 'measured',
  params: z.strictObject({ minImages: count(3).describe('different images with the same drawing') }),
  judge({ answers }, { minImages }) {
    const drawn = answers.filter((answer) => answer.shapesHash !== null);
    const pasted = [...groupBy(drawn, (answer) => answer.shapesHash).values()].filter(
      (same) => new Set(same.map((answer) => answer.imageId)).size >= minImages,
    );
    if (pasted.length === 0) return null;
    return {
      isStrong: true,
      reason: 'The very same outline was submitted for different pictures.',
      evidence: pasted.flat().map((answer) => answer.id),
    };
  },
});
