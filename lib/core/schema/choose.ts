import { type AttributeChoices, NONE } from './attributes';
import type { AttributeGroup, DatasetSchema } from './types';

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
