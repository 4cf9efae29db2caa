import { CANNOT_TELL } from '@/lib/core/quality/answer';
import type { DatasetSchema } from '@/lib/core/schema';
import type { AuditLabel } from './audit-api';

type Value = { kind: string; choices?: Readonly<Record<string, readonly string[]>>; className?: string };

/** What the label is about, in a few words. */
export function titleOf({ stage, target, image }: AuditLabel): string {
  if (target) return target.name;
  return stage.kind === 'oracle' ? 'Class' : `Attributes of ${image.className ?? 'the object'}`;
}

/** The names of what a form marks, in the order of the schema. */
export function marksOf(value: Value, schema: AuditLabel['schema']): string[] {
  const { className = '' } = value;
  if (value.kind === 'class') {
    const known = (schema as DatasetSchema | null)?.classes ?? [];
    return [
      className === CANNOT_TELL
        ? 'cannot tell'
        : (known.find(({ id }) => id === className)?.name ?? className),
    ];
  }
  const chosen = new Set(Object.values(value.choices ?? {}).flat());
  const known = (schema as DatasetSchema | null)?.attributes ?? [];
  return known.filter(({ id }) => chosen.has(id)).map(({ name }) => name);
}

/** A drawing has no words of its own. */
export function valueWords(value: Value, schema: AuditLabel['schema']): string {
  if (value.kind === 'nothing') return 'Nothing to label';
  if (value.kind === 'mask') return 'Drawing';
  return marksOf(value, schema).join(', ') || 'None of the attributes';
}

const verdicts: Record<string, string> = {
  accepted: 'Accepted',
  rejected: 'Rejected',
  'sent-back': 'Sent back',
  corrected: 'Put right',
  undone: 'Taken back',
  'audit-right': 'Right, in a sample',
  'audit-wrong': 'Wrong, in a sample',
  'audit-undone': 'Taken back, in a sample',
  'false-positive': 'Marked, but nothing to draw',
};

export const verdictWord = (verdict: string): string => verdicts[verdict] ?? verdict;
