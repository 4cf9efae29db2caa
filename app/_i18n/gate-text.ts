import type { getTranslations } from 'next-intl/server';
import type { WorkerFormat } from '@/lib/core/i18n/worker-format';
import type { Gate, Reason } from '@/lib/services/crowd/work';
import type messages from '@/messages/en.json';

type Translate<Namespace extends keyof typeof messages> = Awaited<
  ReturnType<typeof getTranslations<Namespace>>
>;

/** Why a worker gets nothing now, and when asking again makes sense. */
export function gateText(
  t: Translate<'gates'>,
  format: WorkerFormat,
  { code, count = 0, until }: Pick<Gate, 'code' | 'count' | 'until'>,
): string {
  if (code === 'examWait')
    return t(code, {
      date: until ? format.dateTime(until) : '',
      relative: until ? format.relative(until) : '',
    });
  return t(code, { count, date: '', relative: '' });
}

type RuleKey = keyof (typeof messages)['records']['reasons'];

/** A rule's reason in the reader's language; what a curator wrote stays as it is. */
export function reasonText(t: Translate<'records'>, locale: string, { text, rule }: Reason): string {
  const key = `reasons.${rule as RuleKey}` as const;
  return locale === 'en' || rule === null || !t.has(key) ? text : t(key);
}
