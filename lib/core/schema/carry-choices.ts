import { type AttributeChoices, NONE, validateAttributes } from './attributes';
import type { DatasetSchema } from './types';

/**
 * What a form that was filled in under one schema says under another. "None" stays true in a group only while
 * everything that the group offers was offered before.
 */
export function carryChoices(
  old: DatasetSchema,
  next: DatasetSchema,
  choices: AttributeChoices,
): Record<string, string[]> {
  const asked = new Set(old.attributes.map(({ id }) => id));
  const chosen = new Set(Object.values(choices).flat());
  return Object.fromEntries(
    next.attributeGroups.map((group) => {
      const options = group.attributes.filter((id) => chosen.has(id));
      const wasWhole = group.attributes.every((id) => asked.has(id));
      return [group.id, options.length === 0 && group.exclusiveNone && wasWhole ? [NONE] : options];
    }),
  );
}

/** Whether the form still answers everything that the new schema asks, by its rules. */
export function stillAnswers(old: DatasetSchema, next: DatasetSchema, choices: AttributeChoices): boolean {
  return (
    newAttributes(old, next).length === 0 &&
    validateAttributes(next, carryChoices(old, next, choices)).length === 0
  );
}

/** Attributes that nobody was asked about before. */
export function newAttributes(old: DatasetSchema, next: DatasetSchema): string[] {
  const asked = new Set(old.attributes.map(({ id }) => id));
  return next.attributes.filter(({ id }) => !asked.has(id)).map(({ id }) => id);
}
