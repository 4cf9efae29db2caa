import type { OutboxState } from './outbox';

export type OutboxStatus = {
  readonly kind: 'stored' | 'storing' | 'offline' | 'signed-out' | 'conflict' | 'refused';
  readonly text: string;
};

/** The quiet indicator. */
export function outboxStatus(state: OutboxState): OutboxStatus {
  const { condition } = state;
  const waiting = state.made - state.storedThere;
  switch (condition.kind) {
    case 'offline':
      return { kind: 'offline', text: `Offline. ${kept(waiting)} in this browser until you are back.` };
    case 'signed-out':
      return { kind: 'signed-out', text: `Sign in again to store ${changes(waiting)}; nothing is lost.` };
    case 'conflict':
      return { kind: 'conflict', text: 'This drawing was changed elsewhere. Choose which one to keep.' };
    case 'refused':
      return { kind: 'refused', text: `The server did not take the drawing: ${condition.reason}` };
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
