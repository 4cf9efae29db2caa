import type { StageKind } from '@/db/schema';
import {
  type AttributeChoices,
  type DatasetSchema,
  localisedAttributes,
  partsOfClass,
} from '@/lib/core/schema';

export interface Question {
  stageId: string;
  target: string;
}

type Stages = readonly { id: string; kind: StageKind }[];

/**
 * What is asked about an image once its attributes are known: its whole object once, each localised attribute
 * that it has, and each part of its class.
 */
export function followingQuestions(
  schema: DatasetSchema,
  stages: Stages,
  className: string | null,
  choices: AttributeChoices,
): Question[] {
  const chosen = new Set(Object.values(choices).flat());
  const attributes = localisedAttributes(schema).filter((attribute) => chosen.has(attribute.id));
  const parts = className === null ? [] : partsOfClass(schema, className);
  return questions(stages, {
    'object-mask': [''],
    'part-mask': [...attributes, ...parts].map((entry) => entry.id),
  });
}

/** What is asked about a new image. Without a stage for attributes there is nothing that masks could wait for. */
export function firstQuestions(schema: DatasetSchema, stages: Stages, className: string | null): Question[] {
  const aboutImage = questions(stages, { attributes: [''], oracle: [''] });
  if (stages.some((stage) => stage.kind === 'attributes')) return aboutImage;
  return [...aboutImage, ...followingQuestions(schema, stages, className, {})];
}

/** In a fixed order, so that two who write the same questions at once never wait for each other in a circle. */
function questions(stages: Stages, targets: Partial<Record<StageKind, string[]>>): Question[] {
  const byId = [...stages].sort((a, b) => (a.id < b.id ? -1 : 1));
  return byId.flatMap(({ id, kind }) =>
    [...new Set(targets[kind])].sort().map((target) => ({ stageId: id, target })),
  );
}
