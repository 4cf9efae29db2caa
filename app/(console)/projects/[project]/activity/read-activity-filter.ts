import type { Query } from '@/app/_ui/table';
import type { AuditFilter } from '@/lib/services/activity';

const DAY = 86_400_000;

const one = (value: string | string[] | undefined) =>
  (Array.isArray(value) ? value[0] : value)?.trim() || undefined;

const dayOf = (text: string | undefined): Date | undefined => {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** What an address asks for; days are whole days of UTC, the last one included. */
export function readActivityFilter(query: Query): Omit<AuditFilter, 'projectId'> {
  const last = dayOf(one(query.until));
  return {
    actor: one(query.actor),
    verb: one(query.verb),
    subject: one(query.subject),
    from: dayOf(one(query.from)),
    until: last && new Date(last.getTime() + DAY),
  };
}
