import type { AttributeGroup, DatasetSchema, SchemaAttribute } from './types';

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

export type Choosing =
  | { readonly kind: 'chosen'; readonly chosen: string[]; readonly takenBack: string[] }
  | { readonly kind: 'taken-back'; readonly chosen: string[] }
  | { readonly kind: 'refused'; readonly chosen: string[] };

/** What a group offers, in the order in which it is shown: its attributes, then "none" if it has one. */
export function optionsOf(group: AttributeGroup): string[] {
  return group.exclusiveNone ? [...group.attributes, NONE] : [...group.attributes];
}

/**
 * What a click on an option does to a group. "None" and the rest clear each other, and so do the options of a
 * group that allows only one; past a higher limit the click is refused, for nobody can know which to drop.
 */
export function chooseOption(group: AttributeGroup, before: readonly string[], option: string): Choosing {
  const offered = optionsOf(group);
  const chosen = offered.filter((id) => before.includes(id));
  if (!offered.includes(option)) return { kind: 'refused', chosen };
  if (chosen.includes(option)) return { kind: 'taken-back', chosen: chosen.filter((id) => id !== option) };
  const takenBack =
    option === NONE || group.max === 1 ? chosen : chosen.filter((id) => group.exclusiveNone && id === NONE);
  const left = chosen.filter((id) => !takenBack.includes(id));
  if (left.length >= group.max) return { kind: 'refused', chosen };
  return { kind: 'chosen', chosen: offered.filter((id) => id === option || left.includes(id)), takenBack };
}

/** Choices made under another schema, as far as this one still offers them; a rule they break is the person's to mend. */
export function fitChoices(schema: DatasetSchema, before: AttributeChoices): AttributeChoices {
  return Object.fromEntries(
    schema.attributeGroups.map((group) => [
      group.id,
      optionsOf(group).filter((id) => before[group.id]?.includes(id)),
    ]),
  );
}

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
