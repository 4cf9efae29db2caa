import { type AttributeGroup, type Choosing, type DatasetSchema, NONE } from '@/lib/core/schema';

/** "Choose 1 or 2, or none": the rule of a group before anything is broken. */
export function ruleText({ attributes, min, max, exclusiveNone }: AttributeGroup): string {
  return `${amountText(min, max, attributes.length)}${exclusiveNone ? ', or none' : ''}`;
}

function amountText(min: number, max: number, offered: number): string {
  if (max >= offered && min <= 1) return 'Choose all that apply';
  if (max >= offered) return `Choose at least ${min}`;
  if (min === max) return `Choose ${min}`;
  if (min === 0) return `Choose at most ${max}`;
  return `Choose ${min} ${max - min === 1 ? 'or' : 'to'} ${max}`;
}

export function optionName(schema: DatasetSchema, option: string): string {
  if (option === NONE) return 'None';
  return schema.attributes.find((attribute) => attribute.id === option)?.name ?? option;
}

export function optionDefinition(schema: DatasetSchema, group: AttributeGroup, option: string): string {
  if (option === NONE) return `No other option of ${group.name} applies to the object.`;
  return schema.attributes.find((attribute) => attribute.id === option)?.definition ?? '';
}

/** Why a further option was not taken. */
export function refusalText(schema: DatasetSchema, group: AttributeGroup, option: string): string {
  return `At most ${group.max} in ${group.name}: take one back to choose ${optionName(schema, option)}.`;
}

/** What a screen reader says about a click. */
export function choosingText(
  schema: DatasetSchema,
  group: AttributeGroup,
  option: string,
  choosing: Choosing,
): string {
  const name = optionName(schema, option);
  if (choosing.kind === 'refused') return refusalText(schema, group, option);
  if (choosing.kind === 'taken-back') return `${name} taken back.`;
  if (choosing.takenBack.length === 0) return `${name} chosen.`;
  const others = choosing.takenBack.map((id) => optionName(schema, id)).join(', ');
  return `${name} chosen, ${others} taken back.`;
}
