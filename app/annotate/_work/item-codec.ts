import { z } from 'zod';
import { parseDocument, toAnswer } from '@/lib/core/editor';
import { area, rasterizeShapes } from '@/lib/core/mask';
import { type AnswerValue, CANNOT_TELL } from '@/lib/core/quality/answer';
import { type AttributeChoices, fitChoices, validateAttributes } from '@/lib/core/schema';
import type { WorkBatch, WorkItem } from './api';
import { canonicalDrawing, frameOf } from './drawing-frame';
import { schemaOf } from './task-sentence';

/** How the document of an item is written, and the answer that it stands for. */
export interface ItemCodec {
  /** One text per meaning: the database reorders the keys of what it is given. */
  readonly canonical: (stored: unknown) => string;
  /** The answer, or undefined while the document is not complete. */
  readonly answer: (document: string) => AnswerValue | undefined;
}

export function codecOf(batch: WorkBatch, item: WorkItem): ItemCodec {
  switch (batch.stage.kind) {
    case 'attributes':
      return {
        canonical: (stored) => writeChoices(readChoices(stored)),
        answer: (document) => attributesAnswer(batch, item, readChoices(document)),
      };
    case 'oracle':
      return {
        canonical: (stored) => writeClass(readClass(stored)),
        answer: (document) => classAnswer(batch, item, readClass(document)),
      };
    case 'object-mask':
    case 'part-mask':
      return drawingCodec(item);
  }
}

function drawingCodec(item: WorkItem): ItemCodec {
  const frame = frameOf(item);
  return {
    canonical: canonicalDrawing(frame),
    answer: (document) => {
      const parsed = parseDocument(document, frame);
      if (!parsed.ok) return undefined;
      const value = toAnswer(parsed.document, frame.labels[0] ?? '');
      if (value?.kind !== 'mask') return value;
      // A drawing that was erased later, or dragged off the image, is no answer.
      return area(rasterizeShapes(value.shapes, frame.height, frame.width)) > 0 ? value : undefined;
    },
  };
}

const Choices = z.object({ choices: z.record(z.string(), z.array(z.string())) });
const ClassName = z.object({ className: z.string() });

/** Takes anything that was ever stored. */
export const readChoices = (stored: unknown): AttributeChoices =>
  Choices.safeParse(parsed(stored)).data?.choices ?? {};

/** Groups in order of their names: the database does not keep the order of keys. */
export const writeChoices = (choices: AttributeChoices): string =>
  JSON.stringify({
    choices: Object.fromEntries(Object.entries(choices).sort(([a], [b]) => (a < b ? -1 : 1))),
  });

export const readClass = (stored: unknown): string =>
  ClassName.safeParse(parsed(stored)).data?.className ?? '';

export const writeClass = (className: string): string => JSON.stringify({ className });

function parsed(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored;
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}

function attributesAnswer(
  batch: WorkBatch,
  item: WorkItem,
  choices: AttributeChoices,
): AnswerValue | undefined {
  const schema = schemaOf(batch, item);
  if (!schema) return undefined;
  // A draft may have been made under an older schema.
  const chosen = fitChoices(schema, choices);
  if (validateAttributes(schema, chosen).length > 0) return undefined;
  const writable = Object.fromEntries(
    Object.entries(chosen).map(([group, options]) => [group, [...options]]),
  );
  return { kind: 'attributes', choices: writable };
}

function classAnswer(batch: WorkBatch, item: WorkItem, className: string): AnswerValue | undefined {
  const isOffered =
    className === CANNOT_TELL || schemaOf(batch, item)?.classes.some(({ id }) => id === className);
  return isOffered ? { kind: 'class', className } : undefined;
}
