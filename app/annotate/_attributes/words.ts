import type { useTranslations } from 'next-intl';
import {
  type AttributeGroup,
  type ChoiceProblem,
  type Choosing,
  type DatasetSchema,
  NONE,
} from '@/lib/core/schema';

export type FormText = ReturnType<typeof useTranslations<'form'>>;

/** "Choose 1 or 2, or none": the rule of a group before anything is broken. */
export function ruleText(t: FormText, { attributes, min, max, exclusiveNone }: AttributeGroup): string {
  const rule = amountText(t, min, max, attributes.length);
  return exclusiveNone ? t('rules.orNone', { rule }) : rule;
}

function amountText(t: FormText, min: number, max: number, offered: number): string {
  if (max >= offered && min <= 1) return t('rules.all');
  if (max >= offered) return t('rules.atLeast', { min });
  if (min === max) return t('rules.exactly', { min });
  if (min === 0) return t('rules.atMost', { max });
  return max - min === 1 ? t('rules.either', { min, max }) : t('rules.between', { min, max });
}

export function optionName(t: FormText, schema: DatasetSchema, option: string): string {
  if (option === NONE) return t('none');
  return schema.attributes.find((attribute) => attribute.id === option)?.name ?? option;
}

export function optionDefinition(
  t: FormText,
  schema: DatasetSchema,
  group: AttributeGroup,
  option: string,
): string {
  if (option === NONE) return t('noneDefinition', { group: group.name });
  return schema.attributes.find((attribute) => attribute.id === option)?.definition ?? '';
}

/** Why a further option was not taken. */
export function refusalText(
  t: FormText,
  schema: DatasetSchema,
  group: AttributeGroup,
  option: string,
): string {
  return t('refused', { max: group.max, group: group.name, option: optionName(t, schema, option) });
}

/** What a screen reader says about a click. */
export function choosingText(
  t: FormText,
  schema: DatasetSchema,
  group: AttributeGroup,
  option: string,
  choosing: Choosing,
): string {
  const name = optionName(t, schema, option);
  if (choosing.kind === 'refused') return refusalText(t, schema, group, option);
  if (choosing.kind === 'taken-back') return t('takenBack', { option: name });
  if (choosing.takenBack.length === 0) return t('chosen', { option: name });
  const others = choosing.takenBack.map((id) => optionName(t, schema, id)).join(', ');
  return t('chosenInstead', { option: name, others });
}

/** Which rule of a group is broken. */
export function problemText(t: FormText, group: AttributeGroup, code: ChoiceProblem['code']): string {
  const { name, min, max } = group;
  switch (code) {
    case 'too-few':
      return t('problems.tooFew', { min, group: name });
    case 'too-many':
      return t('problems.tooMany', { max, group: name });
    case 'none-with-others':
      return t('problems.noneWithOthers', { group: name });
    default:
      return t('problems.other', { group: name });
  }
}
