import type { Rng } from '@/lib/core/robustness/random';
import { hostileValue, pick } from './hostile';

/** JSON Schema 2020-12, as far as zod writes it. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

export interface Making {
  chance: Rng;
  /** How likely any value is replaced by a hostile one, 0 to 1; 0 makes what the schema asks for. */
  wildness: number;
  /** An id for a field of this name. */
  idFor(field: string): string;
}

const deepest = 8;

/** A value that the schema lets through, unless wildness spoils it. */
export function valueFrom(schema: JsonSchema, making: Making, field = '', root = schema, depth = 0): unknown {
  const { chance, wildness } = making;
  if (wildness > 0 && chance.unit() < wildness) return hostileValue(chance, making.idFor(field));
  const go = (part: JsonSchema, name = field) => valueFrom(part, making, name, root, depth + 1);
  if (schema.$ref) return depth > deepest ? null : go(resolved(schema.$ref, root));
  if ('const' in schema) return schema.const;
  if (schema.enum) return pick(schema.enum, chance);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return go(pick(depth > deepest ? choices.slice(-1) : choices, chance));
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => go(part)));
  const type = Array.isArray(schema.type) ? pick(schema.type, chance) : schema.type;
  switch (type) {
    case 'string':
      return stringFrom(schema, making, field);
    case 'integer':
    case 'number':
      return numberFrom(schema, chance, type === 'integer');
    case 'boolean':
      return chance.below(2) === 1;
    case 'null':
      return null;
    case 'array':
      return arrayFrom(schema, chance, go, depth);
    case 'object':
      return objectFrom(schema, making, go, depth);
    default:
      return pick(['words', 1, true, null, {}, []], chance);
  }
}

const resolved = (ref: string, root: JsonSchema): JsonSchema =>
  ref === '#' ? root : (root.$defs?.[ref.replace('#/$defs/', '')] ?? {});

function arrayFrom(
  schema: JsonSchema,
  chance: Rng,
  go: (part: JsonSchema) => unknown,
  depth: number,
): unknown[] {
  const fixed = (schema.prefixItems ?? []).map((part) => go(part));
  const least = Math.max(schema.minItems ?? 0, fixed.length);
  const length = Math.min(schema.maxItems ?? 50, least + (depth > deepest ? 0 : chance.below(3)));
  while (schema.items && fixed.length < length) fixed.push(go(schema.items));
  return fixed;
}

function objectFrom(
  schema: JsonSchema,
  { chance }: Making,
  go: (part: JsonSchema, name?: string) => unknown,
  depth: number,
): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties: more } = schema;
  const made: [string, unknown][] = [];
  for (const [name, part] of Object.entries(properties)) {
    if (required.includes(name) || (depth < deepest && chance.below(2) === 1))
      made.push([name, go(part, name)]);
  }
  if (typeof more === 'object' && Object.keys(more).length > 0 && depth < deepest)
    made.push([String(schema.propertyNames ? go(schema.propertyNames) : 'name'), go(more)]);
  return Object.fromEntries(made);
}

const samples = [
  'train',
  'name-1',
  '12',
  'a'.repeat(64),
  'abcdef0123456789abcdef01',
  'ABC123',
  '1',
  'v1',
  'latest',
  '#aabbcc',
  'a.png',
];

function stringFrom(
  { format, pattern, minLength = 0, maxLength = 200 }: JsonSchema,
  making: Making,
  field: string,
) {
  const { chance } = making;
  if (format === 'uuid') return making.idFor(field);
  if (format === 'date-time') return '2030-01-02T03:04:05.000Z';
  if (format === 'email') return `someone-${chance.below(1000)}@example.org`;
  if (format === 'uri') return 'https://example.org/';
  if (pattern) {
    const fitting = samples.filter((text) => new RegExp(pattern).test(text));
    if (fitting.length > 0) return pick(fitting, chance);
  }
  const text = `${pick(['word', 'Some words', 'ÄÖ 犬', 'x'], chance)} ${chance.below(1000)}`;
  return text.padEnd(minLength, 'x').slice(0, maxLength);
}

function numberFrom(schema: JsonSchema, chance: Rng, isWhole: boolean): number {
  const lowest = schema.minimum ?? schema.exclusiveMinimum ?? 0;
  const highest = schema.maximum ?? schema.exclusiveMaximum ?? lowest + 100;
  const low = Math.max(lowest, -1000);
  const high = Math.min(highest, low + 1000);
  const value = low + chance.unit() * (high - low);
  const rounded = isWhole ? Math.round(value) : value;
  return rounded === schema.exclusiveMinimum ? rounded + (isWhole ? 1 : (high - low) / 10) : rounded;
}
