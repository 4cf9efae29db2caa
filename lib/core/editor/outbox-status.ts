import type { BatchState } from './batch-store';
import type { Condition, OutboxState } from './outbox';

export type OutboxStatus = {
  readonly kind: 'stored' | 'storing' | 'offline' | 'signed-out' | 'conflict' | 'refused';
  readonly text: string;
};

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

/** The quiet indicator. */
export function outboxStatus(state: Totals): OutboxStatus {
  const { condition } = state;
  const waiting = state.made - state.storedThere;
  switch (condition.kind) {
    case 'offline':
      return { kind: 'offline', text: `Offline. ${kept(waiting)} in this browser until you are back.` };
    case 'signed-out':
      return { kind: 'signed-out', text: `Sign in again to store ${changes(waiting)}; nothing is lost.` };
    case 'conflict':
      return { kind: 'conflict', text: 'This item was changed elsewhere. Choose which version to keep.' };
    case 'refused':
      return { kind: 'refused', text: `Not stored: ${condition.reason}` };
    case 'working':
      if (state.pending) return { kind: 'storing', text: `Storing ${changes(waiting)}` };
      return { kind: 'stored', text: state.made === 0 ? 'No changes yet' : allStored(state.made) };
  }
}

/** Submitting waits for the server; so does leaving the page without a question. */
export function isAllStored(state: OutboxState): boolean {
  return state.condition.kind === 'working' && state.pending === undefined;
}

function changes(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}

function kept(count: number): string {
  return count === 1 ? '1 change is kept' : `${count} changes are kept`;
}

function allStored(count: number): string {
  return count === 1 ? 'The change is stored' : `All ${count} changes are stored`;
}
