import type { AnswerValue } from '@/lib/core/quality/answer';
import { assistUses } from './assist-uses';
import { type AnnotationDocument, emptyDocument, layerOf } from './document';
import { applyEdits } from './edits';
import type { DocumentFrame } from './parse';
import { plainShape } from './shape';

/** What the document says about a label, or nothing while neither a shape nor "nothing to label" is there. */
export function toAnswer(document: AnnotationDocument, label: string): AnswerValue | undefined {
  const layer = layerOf(document, label);
  if (layer?.nothing) return { kind: 'nothing' };
  if (!layer?.shapes.some(({ shape }) => shape.op === 'add')) return undefined;
  const assists = assistUses(layer);
  const shapes = layer.shapes.map(({ shape }) => plainShape(shape));
  return { kind: 'mask', shapes, ...(assists.length > 0 && { assists }) };
}

/** A document that starts from an answer: to review it, or to correct it. */
export function fromAnswer(answer: AnswerValue, label: string, frame: DocumentFrame): AnnotationDocument {
  const empty = emptyDocument(frame.height, frame.width, frame.labels);
  if (answer.kind === 'nothing') return applyEdits(empty, [{ kind: 'nothing', label, value: true }]);
  if (answer.kind !== 'mask') return empty;
  return applyEdits(empty, [{ kind: 'insert', label, shapes: answer.shapes }]);
}
