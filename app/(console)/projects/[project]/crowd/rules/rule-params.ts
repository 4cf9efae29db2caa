import { z } from 'zod';
import type { Rule } from '@/lib/core/quality/rules';

export interface RuleParam {
  name: string;
  label: string;
  isInteger: boolean;
  min: number | undefined;
  max: number | undefined;
  /** Default value of the rule. */
  usual: number;
}

interface NumberField {
  type?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/** The settings of a rule as form fields. All of them are numbers. */
export function paramsOf(rule: Rule): RuleParam[] {
  const { properties = {} } = z.toJSONSchema(rule.params, { io: 'input' }) as {
    properties?: Record<string, NumberField>;
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    label: name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    isInteger: field.type === 'integer',
    min: field.minimum ?? field.exclusiveMinimum,
    max: field.maximum ?? field.exclusiveMaximum,
    usual: Number(field.default),
  }));
}
