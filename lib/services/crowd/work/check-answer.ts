import type { StageKind } from '@/db/schema';
import { invalid } from '@/lib/core/errors';
import { area, encodeCounts, MaskError, rasterizeShapes, type Shape } from '@/lib/core/mask';
import { type AnswerValue, CANNOT_TELL } from '@/lib/core/quality/answer';
import { validateAttributes } from '@/lib/core/schema';
import type { Question } from './find-question';

/** Compressed COCO counts and their area; both null for an answer without a drawing. */
export type Drawn = { mask: string; area: number } | { mask: null; area: null };

const fitting: Record<StageKind, readonly AnswerValue['kind'][]> = {
  attributes: ['attributes'],
  'object-mask': ['mask', 'nothing'],
  'part-mask': ['mask', 'nothing'],
  oracle: ['class'],
};

/** Refuses an answer that does not fit its question, and draws its mask anew: the client's is never asked for. */
export function checkAnswer(
  question: Pick<Question, 'stageKind' | 'schema' | 'height' | 'width'>,
  value: AnswerValue,
): Drawn {
  if (!fitting[question.stageKind].includes(value.kind)) {
    const wanted = fitting[question.stageKind].join(' or ');
    throw invalid(`This item asks for ${wanted}, the answer is of the kind ${value.kind}.`);
  }
  if (value.kind === 'mask') return draw(value.shapes, question.height, question.width);
  if (value.kind === 'attributes') {
    const problems = validateAttributes(question.schema, value.choices);
    if (problems[0])
      throw invalid(problems.map((problem) => problem.message).join(' '), { problems, code: 'incomplete' });
  }
  if (value.kind === 'class' && !isOffered(question.schema, value.className)) {
    throw invalid(`The schema has no class "${value.className}".`);
  }
  return { mask: null, area: null };
}

const isOffered = ({ classes }: Question['schema'], className: string): boolean =>
  className === CANNOT_TELL || classes.some(({ id }) => id === className);

function draw(shapes: readonly Shape[], height: number, width: number): Drawn {
  try {
    const mask = rasterizeShapes(shapes, height, width);
    const pixels = area(mask);
    if (pixels > 0) return { mask: encodeCounts(mask), area: pixels };
  } catch (error) {
    if (!(error instanceof MaskError)) throw error;
    throw invalid(`The drawing is not valid. ${error.message}.`, { where: error.where, code: error.code });
  }
  throw invalid('The drawing covers no pixel of the image. Draw the area, or choose "Nothing to label".', {
    code: 'emptyDrawing',
  });
}
