import type { z } from 'zod';
import type { Query } from '@/app/_ui/table';
import { formatMoney, formatShort } from '@/lib/core/format';
import { Policy, payeeProblem } from '@/lib/core/quality/policy';
import { type PolicyField, policyFields } from './policy-fields';

const MICRO = 1_000_000;

const canBeEmpty = (kind: PolicyField['kind']) =>
  kind === 'limit' || kind === 'share-limit' || kind === 'money-limit';

const isMoney = (kind: PolicyField['kind']) => kind === 'money' || kind === 'money-limit';

export function valueAt(policy: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inside, name) => (inside as Record<string, unknown>)?.[name], policy);
}

/** The value of a form field: money in whole units, an empty field for no limit. */
export function inputFor({ kind }: PolicyField, value: unknown): string {
  if (value === null || value === undefined) return '';
  return isMoney(kind) ? String(Number(value) / MICRO) : String(value);
}

/** Formats a value for display. */
export function wordsFor({ kind }: PolicyField, value: unknown, currency: string): string {
  if (value === null || value === undefined) return 'no limit';
  if (kind === 'text' && value === '') return 'empty';
  if (isMoney(kind)) return formatMoney(BigInt(Number(value)), currency);
  if (kind === 'switch') return value ? 'yes' : 'no';
  return typeof value === 'number' ? formatShort(value) : String(value);
}

const textOf = (value: string | string[] | undefined) =>
  (Array.isArray(value) ? value[0] : value)?.trim() ?? '';

function read({ path, kind }: PolicyField, query: Query): unknown {
  const text = textOf(query[path]);
  if (kind === 'switch') return query[path] !== undefined;
  if (kind === 'choice') return text;
  if (kind === 'text') return text;
  if (kind === 'currency') return text.toUpperCase();
  if (text === '') return canBeEmpty(kind) ? null : undefined;
  return isMoney(kind) ? Math.round(Number(text) * MICRO) : Number(text);
}

export interface PolicyDraft {
  values: Record<string, unknown>;
  /** Null if any value is not valid. */
  policy: Policy | null;
  errors: Record<string, string>;
}

/** Describes the valid values. */
function whatToGive(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'Enter a whole number.' : 'Enter a number.';
    case 'too_small':
      return issue.origin === 'string' ? 'Three letters.' : `At least ${formatShort(Number(issue.minimum))}.`;
    case 'too_big':
      return issue.origin === 'string' ? 'Three letters.' : `At most ${formatShort(Number(issue.maximum))}.`;
    case 'invalid_value':
      return 'Choose a value from the list.';
    default:
      return issue.message;
  }
}

/** Reads a policy from the query of a URL. */
export function readPolicy(query: Query): PolicyDraft {
  const values: Record<string, unknown> = {};
  for (const field of policyFields) {
    const names = field.path.split('.');
    const last = names.pop() as string;
    const group = names.reduce<Record<string, unknown>>((inside, name) => {
      inside[name] ??= {};
      return inside[name] as Record<string, unknown>;
    }, values);
    group[last] = read(field, query);
  }
  const parsed = Policy.safeParse(values);
  const errors = Object.fromEntries(
    (parsed.error?.issues ?? []).map((issue) => [issue.path.join('.'), whatToGive(issue)]),
  );
  if (parsed.success && parsed.data.maxOverlap < parsed.data.overlap) {
    errors.maxOverlap = 'Must not be less than the minimum.';
  }
  const problem = parsed.success && payeeProblem(parsed.data);
  if (problem) errors['payees.schedule'] = problem;
  return { values, policy: Object.keys(errors).length ? null : (parsed.data ?? null), errors };
}
