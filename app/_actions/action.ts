import { z } from 'zod';
import { beginAction, MalformedAction } from '@/lib/services/observability/current-work';

/** Schemas that several actions share. */
export const Slug = z.string().regex(/^[\p{L}\p{N}-]{1,80}$/u);
export const Id = z.uuid();
export const Form = z.instanceof(FormData);
/** The state of `useActionState` before the call. The browser could send anything, so no action reads it. */
// biome-ignore lint/suspicious/noExplicitAny: React passes the state of the form, which differs from form to form.
export const Before = z.unknown().transform((): any => ({}));

/**
 * Plain data for a document that the service checks by a schema of its own. The browser sends members that are
 * undefined, which `z.json()` refuses.
 */
export const Plain = z.custom<unknown>((value) => isPlain(value), 'is no plain data');

const MAX_DEPTH = 40;

/** Accepts shared members, because React sends an object that occurs twice only once. Refuses cycles. */
function isPlain(value: unknown, checked = new Set<object>(), depth = 0): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value !== 'object') return ['string', 'boolean', 'number'].includes(typeof value);
  if (checked.has(value)) return true;
  if (depth > MAX_DEPTH) return false;
  const isOrdinary = Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
  const isGood = isOrdinary && Object.values(value).every((each) => isPlain(each, checked, depth + 1));
  checked.add(value);
  return isGood;
}

type Inputs<S extends readonly z.ZodType[]> = { -readonly [K in keyof S]: z.input<S[K]> };
type Outputs<S extends readonly z.ZodType[]> = { -readonly [K in keyof S]: z.output<S[K]> };

/**
 * Makes a server action that validates every argument first. Anybody can call an action with any arguments; those that
 * do not match the schemas get a 400 and one line in the log (bin/serve/actions.ts).
 */
export function action<const S extends readonly z.ZodType[], R>(
  schemas: S,
  work: (...args: Outputs<S>) => Promise<R>,
): (...args: Inputs<S>) => Promise<R> {
  const Arguments = z.tuple(schemas as unknown as [z.ZodType, ...z.ZodType[]]);
  return async (...given) => {
    beginAction();
    // A form passes itself to actions that take nothing.
    const taken = given.slice(0, schemas.length);
    if (hasUnstorableText(taken)) throw new MalformedAction('a text that cannot be stored');
    const parsed = schemas.length === 0 ? { success: true as const, data: [] } : Arguments.safeParse(taken);
    if (!parsed.success) throw new MalformedAction(firstIssue(parsed.error));
    try {
      return await work(...(parsed.data as unknown as Outputs<S>));
    } catch (error) {
      if (error instanceof z.ZodError) throw new MalformedAction(firstIssue(error));
      throw error;
    }
  };
}

/** PostgreSQL cannot store U+0000, nor UTF-8 half of a surrogate pair. */
function hasUnstorableText(given: unknown): boolean {
  const seen = new Set<unknown>();
  // A work list instead of recursion: untrusted input can be deeply nested or cyclic.
  const found: unknown[] = [given];
  for (const value of found) {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return true;
    if (typeof value !== 'object' || value === null || value instanceof Blob || seen.has(value)) continue;
    seen.add(value);
    const isIterable = Array.isArray(value) || [FormData, Map, Set].some((kind) => value instanceof kind);
    for (const each of isIterable ? (value as Iterable<unknown>) : Object.entries(value)) found.push(each);
  }
  return false;
}

const firstIssue = ({ issues: [issue] }: z.ZodError): string =>
  `${issue?.path.map(String).join('.') || 'arguments'}: ${issue?.message ?? 'not valid'}`;
