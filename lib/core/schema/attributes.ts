import type { DatasetSchema, SchemaAttribute } from './types';

/** The option of a group that says none of its attributes applies. */
export const NONE = 'none';

/** What was chosen, by group id; an entry may hold `NONE`. */
export type AttributeChoices = Readonly<Record<string, readonly string[]>>;

export interface ChoiceProblem {
  group: string;
  code: 'unknown-group' | 'unknown-option' | 'repeated-option' | 'too-few' | 'too-many' | 'none-with-others';
  message: string;
}

/** Every rule of the form that the choices break; empty when they may be submitted. */
export function validateAttributes(schema: DatasetSchema, chosen: AttributeChoices): ChoiceProblem[] {
  const known = new Set(schema.attributeGroups.map((group) => group.id));
  const strangers = Object.keys(chosen)
    .filter((id) => !known.has(id))
    .map(
      (id): ChoiceProblem => ({ group: id, code: 'unknown-group', message: `There is no group "${id}".` }),
    );
  return [
    ...strangers,
    ...schema.attributeGroups.flatMap((group) => groupProblems(schema, group.id, chosen)),
  ];
}

function groupProblems(schema: DatasetSchema, groupId: string, chosen: AttributeChoices): ChoiceProblem[] {
  const group = schema.attributeGroups.find((entry) => entry.id === groupId);
  if (!group) return [];
  const options = chosen[groupId] ?? [];
  const problems: ChoiceProblem[] = [];
  const report = (code: ChoiceProblem['code'], message: string) =>
    problems.push({ group: groupId, code, message });

  for (const option of new Set(options)) {
    const offered = group.attributes.includes(option) || (option === NONE && group.exclusiveNone);
    if (!offered) report('unknown-option', `${group.name} does not offer "${option}".`);
  }
  const distinct = new Set(options).size;
  if (distinct < options.length) report('repeated-option', `${group.name} has an option twice.`);
  if (distinct < group.min) report('too-few', `Choose at least ${group.min} in ${group.name}.`);
  if (distinct > group.max) report('too-many', `Choose at most ${group.max} in ${group.name}.`);
  if (group.exclusiveNone && options.includes(NONE) && distinct > 1) {
    report('none-with-others', `"None" in ${group.name} cannot stand beside another option.`);
  }
  return problems;
}

/** Spreads a flat list of positive attributes over the groups; an empty group becomes "none" where it has one. */
export function choicesFrom(schema: DatasetSchema, positives: Iterable<string>): Record<string, string[]> {
  const positive = new Set(positives);
  return Object.fromEntries(
    schema.attributeGroups.map((group) => {
      const options = group.attributes.filter((id) => positive.has(id));
      return [group.id, options.length === 0 && group.exclusiveNone ? [NONE] : options];
    }),
  );
}

/** Attributes that get a mask of their own. */
export function localisedAttributes(schema: DatasetSchema): SchemaAttribute[] {
  return schema.attributes.filter((attribute) => attribute.kind === 'localised');
}

/** Attributes whose mask is the mask of the object. */
export function wholeObjectAttributes(schema: DatasetSchema): SchemaAttribute[] {
  return schema.attributes.filter((attribute) => attribute.kind === 'whole-object');
}
