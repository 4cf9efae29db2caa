import type { z } from 'zod';
import { TesseraError } from '@/lib/core/errors';

/** Result of a form action; empty on success. */
export type FormState = { error?: string; fields?: Record<string, string> };

/** Parses a form, does the work, and turns a refusal into words beside the form. A crash stays a crash. */
export async function submitForm<Schema extends z.ZodType>(
  schema: Schema,
  form: FormData,
  work: (input: z.output<Schema>) => Promise<void>,
): Promise<FormState> {
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (parsed.success) return refusalOf(() => work(parsed.data));
  const fields = parsed.error.issues.map((issue) => [String(issue.path[0] ?? ''), issue.message]);
  return { error: 'Some fields need another look.', fields: Object.fromEntries(fields) };
}

/** The message of a refusal, or nothing. */
export async function refusalOf(work: () => Promise<void>): Promise<FormState> {
  try {
    await work();
    return {};
  } catch (error) {
    if (error instanceof TesseraError) return { error: error.message };
    throw error;
  }
}
