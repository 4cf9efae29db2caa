import type { BatchState } from './batch-store';
import type { Condition, OutboxState } from './outbox';

/** What is reported about the storage of work, as a key of `work.stored` in the catalogues with its values. */
export type OutboxStatus =
  | { readonly kind: 'stored' | 'storing' | 'offline' | 'signed-out' | 'conflict'; readonly count: number }
  | { readonly kind: 'refused'; readonly count: number; readonly reason: string };

type Totals = Pick<OutboxState, 'condition' | 'made' | 'storedThere'> & { readonly pending: unknown };

const severity: readonly Condition['kind'][] = ['working', 'offline', 'refused', 'conflict', 'signed-out'];

/** All items of a batch as one: changes are counted together, and the most serious condition is told. */
export function batchTotals({ items }: BatchState): Totals {
  const outboxes = Object.values(items).map(({ outbox }) => outbox);
  const sum = (count: (outbox: OutboxState) => number) =>
    outboxes.reduce((total, outbox) => total + count(outbox), 0);
  return {
    made: sum(({ made }) => made),
    storedThere: sum(({ storedThere }) => storedThere),
    pending: outboxes.find(({ pending }) => pending)?.pending,
    condition: outboxes
      .map(({ condition }) => condition)
      .reduce<Condition>((a, b) => (severity.indexOf(b.kind) > severity.indexOf(a.kind) ? b : a), {
        kind: 'working',
      }),
  };
}

/** The quiet indicator. Counts all changes when everything is stored, else those that are not. */
export function outboxStatus({ condition, pending, made, storedThere }: Totals): OutboxStatus {
  const count = made - storedThere;
  if (condition.kind === 'refused') return { kind: 'refused', count, reason: condition.reason };
  if (condition.kind !== 'working') return { kind: condition.kind, count };
  return pending ? { kind: 'storing', count } : { kind: 'stored', count: made };
}

/** Submitting waits for the server; so does leaving the page without a question. */
export function isAllStored(state: OutboxState): boolean {
  return state.condition.kind === 'working' && state.pending === undefined;
}
