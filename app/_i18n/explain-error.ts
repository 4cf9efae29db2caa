import { getTranslations } from 'next-intl/server';
import type { z } from 'zod';
import type { FormState } from '@/app/_actions/form-state';
import { TesseraError } from '@/lib/core/errors';
import type messages from '@/messages/en.json';
import { gateText } from './gate-text';
import { getWorkerFormat } from './request';

type ErrorCode = keyof (typeof messages)['errors']['codes'];
type FieldName = keyof (typeof messages)['errors']['fields'];
type GateCode = Parameters<typeof gateText>[2]['code'];

/** What a refusal says in the language of the page. One without a code keeps its English message. */
export async function explainError(error: TesseraError): Promise<string> {
  const t = await getTranslations('errors');
  const gates = await getTranslations('gates');
  if (error.kind === 'rate-limited') return t('tooMany');
  const { code, count, until } = error.detail ?? {};
  if (typeof code !== 'string') return error.message;
  if (t.has(`codes.${code as ErrorCode}`)) return t(`codes.${code as ErrorCode}`);
  if (!gates.has(code as GateCode)) return error.message;
  const gate = {
    code: code as GateCode,
    ...(typeof count === 'number' && { count }),
    ...(until instanceof Date && { until }),
  };
  return gateText(gates, await getWorkerFormat(), gate);
}

/** The same for an action: a refusal becomes a message, anything else stays an error. */
export async function explained(work: () => Promise<void>): Promise<FormState> {
  try {
    await work();
    return {};
  } catch (error) {
    if (error instanceof TesseraError) return { error: await explainError(error) };
    throw error;
  }
}

/** Parses a form and does the work. What is wrong is said beside the fields, in the language of the page. */
export async function submitExplained<Schema extends z.ZodType>(
  schema: Schema,
  form: FormData,
  work: (input: z.output<Schema>) => Promise<void>,
): Promise<FormState> {
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (parsed.success) return explained(() => work(parsed.data));
  const t = await getTranslations('errors');
  const fields = parsed.error.issues.map(({ path, message }) => {
    const key = `fields.${String(path[0] ?? '') as FieldName}` as const;
    return [String(path[0] ?? ''), t.has(key) ? t(key) : message];
  });
  return { error: t('checkFields'), fields: Object.fromEntries(fields) };
}
