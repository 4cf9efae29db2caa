import {
  type OutboxEffect,
  type OutboxEvent,
  type OutboxState,
  openOutbox,
  type StoredWork,
  stepOutbox,
} from './outbox';
import { isAllStored } from './outbox-status';

/**
 * The state of one batch in the browser: the newest work of every item and the wish to submit. Pure, like the outbox:
 * events in, a new state and effects out. Items are keyed by lease, so a page may show one of them or several at once.
 */
export type BatchState = {
  readonly items: Readonly<Record<string, BatchItem>>;
  readonly submission: Submission;
};

type BatchItem = {
  readonly lease: LeaseState;
  /** The text of the newest write that the server acknowledged. */
  readonly acknowledged: string | undefined;
  readonly outbox: OutboxState;
};

export type LeaseState = 'open' | 'answered' | 'released';

export type Submission = {
  /** `wanted`: every write has to be acknowledged first. `accepted`: the batch has ended. */
  readonly kind: 'none' | 'wanted' | 'sent' | 'accepted';
  /** When to try again, in ms of the caller's clock. */
  readonly wakeAt: number | undefined;
  readonly failures: number;
  /** It may have reached the server. */
  readonly wasSent: boolean;
  /** The session expired; the submission waits for the sign-in. */
  readonly isSignedOut: boolean;
  /** Why the server will not take it. */
  readonly problem: string | undefined;
};

export type BatchEvent =
  | { readonly type: 'item'; readonly lease: string; readonly event: OutboxEvent }
  /** Concerns every item: the connection, or the session. */
  | { readonly type: 'all'; readonly event: SharedEvent }
  /** The item was answered by itself, or reported as broken. */
  | { readonly type: 'lease'; readonly lease: string; readonly state: LeaseState }
  | { readonly type: 'submit' }
  | { readonly type: 'cancel-submit' }
  | { readonly type: 'submit-woken'; readonly now: number }
  | { readonly type: 'submit-failed'; readonly now: number }
  | { readonly type: 'submit-signed-out' }
  | { readonly type: 'submit-refused'; readonly reason: string }
  | { readonly type: 'submit-accepted' };

type SharedEvent = Extract<OutboxEvent, { type: 'online' | 'offline' | 'signed-in' }>;

export type BatchEffect =
  | { readonly kind: 'item'; readonly lease: string; readonly effect: OutboxEffect }
  /** Remember over a reload that the person wants to submit. */
  | { readonly kind: 'keep-wish'; readonly wish: Wish }
  | { readonly kind: 'submit' }
  | { readonly kind: 'wake'; readonly at: number };

/** `sent`: the submission may have reached the server, so it cannot be cancelled any more. */
export type Wish = 'none' | 'wanted' | 'sent';

export type BatchStep = { readonly state: BatchState; readonly effects: readonly BatchEffect[] };

export type ServerItem = {
  readonly lease: string;
  readonly state: LeaseState;
  readonly revision: number;
  readonly text: string | undefined;
};

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

const noSubmission: Submission = {
  kind: 'none',
  wakeAt: undefined,
  failures: 0,
  wasSent: false,
  isSignedOut: false,
  problem: undefined,
};

/**
 * Joins what the server has with what the browser kept. The caller reads the browser's storage first: a write that is
 * acknowledged between the two reads is then found in at least one of them.
 */
export function openBatch(
  server: readonly ServerItem[],
  stored: ReadonlyMap<string, StoredWork>,
  wish: Wish,
  now: number,
): BatchStep {
  const items: Record<string, BatchItem> = {};
  const effects: BatchEffect[] = [];
  for (const { lease, state, revision, text } of server) {
    // Of an item that is closed nothing can be sent any more.
    const kept = state === 'open' ? stored.get(lease) : undefined;
    const step = openOutbox({ revision, document: text }, kept, now);
    items[lease] = { lease: state, acknowledged: text, outbox: step.state };
    effects.push(...of(lease, step.effects));
  }
  const submission: Submission =
    wish === 'none' ? noSubmission : { ...noSubmission, kind: 'wanted', wasSent: wish === 'sent' };
  return proceed({ items, submission }, effects);
}

export function stepBatch(state: BatchState, event: BatchEvent): BatchStep {
  const { submission } = state;
  switch (event.type) {
    case 'item':
      return stepItem(state, event.lease, event.event);
    case 'all':
      return stepAll(state, event.event);
    case 'lease':
      return stepLease(state, event.lease, event.state);
    case 'submit':
      if (submission.kind !== 'none') return { state, effects: [] };
      return proceed(submitting(state, { ...noSubmission, kind: 'wanted' }), [keep('wanted')]);
    case 'cancel-submit':
      // One that was sent may have arrived.
      if (submission.kind !== 'wanted' || submission.wasSent) return { state, effects: [] };
      return { state: submitting(state, noSubmission), effects: [keep('none')] };
    case 'submit-woken':
      return woken(state, event.now);
    case 'submit-failed':
      return submitFailed(state, event.now);
    case 'submit-signed-out':
      if (submission.kind !== 'sent') return { state, effects: [] };
      return { state: submitting(state, { ...submission, kind: 'wanted', isSignedOut: true }), effects: [] };
    case 'submit-refused':
      if (submission.kind !== 'sent') return { state, effects: [] };
      return {
        state: submitting(state, { ...noSubmission, problem: event.reason }),
        effects: [keep('none')],
      };
    case 'submit-accepted':
      return {
        state: submitting(state, { ...noSubmission, kind: 'accepted' }),
        effects: [keep('none')],
      };
  }
}

/** The newest text of an item: what is not acknowledged yet, else what the server has. */
export function newestText(state: BatchState, lease: string): string | undefined {
  const item = state.items[lease];
  return item?.outbox.pending?.document ?? item?.acknowledged;
}

export type ItemStatus = 'empty' | 'started' | 'done' | 'answered' | 'released';

export function itemStatus(state: BatchState, lease: string): ItemStatus {
  const item = state.items[lease];
  if (item?.lease !== 'open') return item?.lease === 'answered' ? 'answered' : 'released';
  const text = newestText(state, lease);
  if (text === undefined) return 'empty';
  // The server has an older version of work that it refused.
  return decodeWork(text).isDone && item.outbox.condition.kind !== 'refused' ? 'done' : 'started';
}

export function openLeases(state: BatchState): string[] {
  return Object.keys(state.items).filter((lease) => {
    const status = itemStatus(state, lease);
    return status === 'empty' || status === 'started';
  });
}

function stepItem(state: BatchState, lease: string, event: OutboxEvent): BatchStep {
  const item = state.items[lease];
  if (!item) return { state, effects: [] };
  const { state: outbox, effects } = stepOutbox(item.outbox, event);
  if (outbox === item.outbox && effects.length === 0) return { state, effects: [] };
  const acknowledged = acknowledgedAfter(item, outbox, effects);
  const items = { ...state.items, [lease]: { ...item, outbox, acknowledged } };
  return proceed({ ...state, items }, of(lease, effects));
}

function stepAll(state: BatchState, event: SharedEvent): BatchStep {
  const isSignedOut = state.submission.isSignedOut && event.type !== 'signed-in';
  let next = submitting(state, { ...state.submission, isSignedOut });
  const effects: BatchEffect[] = [];
  for (const [lease, item] of Object.entries(state.items)) {
    const step = stepOutbox(item.outbox, event);
    next = { ...next, items: { ...next.items, [lease]: { ...item, outbox: step.state } } };
    effects.push(...of(lease, step.effects));
  }
  return proceed(next, effects);
}

/** A write that was answered is what the server has now; so is the other version, when the person chose it. */
function acknowledgedAfter(
  { acknowledged, outbox: before }: BatchItem,
  after: OutboxState,
  effects: readonly OutboxEffect[],
): string | undefined {
  const adopted = effects.find((effect) => effect.kind === 'adopt');
  if (adopted) return adopted.document === '' ? undefined : adopted.document;
  const isAnswered = before.sent && !after.sent && after.storedThere >= before.sent.edits;
  return isAnswered ? before.sent?.document : acknowledged;
}

function stepLease(state: BatchState, lease: string, next: LeaseState): BatchStep {
  const item = state.items[lease];
  if (!item || item.lease === next) return { state, effects: [] };
  const outbox: OutboxState = {
    ...item.outbox,
    pending: undefined,
    sent: undefined,
    isOnItsWay: false,
    wakeAt: undefined,
    condition: { kind: 'working' },
  };
  const items = { ...state.items, [lease]: { ...item, lease: next, outbox } };
  return proceed({ ...state, items }, of(lease, [{ kind: 'forget' }]));
}

/** Sends the submission as soon as the server has acknowledged, or finally refused, all work. */
function proceed(state: BatchState, effects: readonly BatchEffect[]): BatchStep {
  const { submission, items } = state;
  const isReady = submission.kind === 'wanted' && submission.wakeAt === undefined && !submission.isSignedOut;
  if (!isReady || !Object.values(items).every(isSettled)) return { state, effects };
  return {
    state: submitting(state, { ...submission, kind: 'sent', wasSent: true }),
    effects: [...effects, keep('sent'), { kind: 'submit' }],
  };
}

const isSettled = ({ lease, outbox }: BatchItem): boolean =>
  lease !== 'open' || isAllStored(outbox) || outbox.condition.kind === 'refused';

function submitFailed(state: BatchState, now: number): BatchStep {
  const { submission } = state;
  if (submission.kind !== 'sent') return { state, effects: [] };
  const failures = submission.failures + 1;
  const at = now + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
  return {
    state: submitting(state, { ...submission, kind: 'wanted', failures, wakeAt: at }),
    effects: [{ kind: 'wake', at }],
  };
}

function woken(state: BatchState, now: number): BatchStep {
  const { submission } = state;
  if (submission.kind !== 'wanted' || submission.wakeAt === undefined) return { state, effects: [] };
  const wait = submission.wakeAt - now;
  if (wait > 0 && wait <= MAX_RETRY_MS) return { state, effects: [{ kind: 'wake', at: submission.wakeAt }] };
  return proceed(submitting(state, { ...submission, wakeAt: undefined }), []);
}

const submitting = (state: BatchState, submission: Submission): BatchState => ({ ...state, submission });

const keep = (wish: Wish): BatchEffect => ({ kind: 'keep-wish', wish });

const of = (lease: string, effects: readonly OutboxEffect[]): BatchEffect[] =>
  effects.map((effect) => ({ kind: 'item', lease, effect }));

/** The work on one item as the store keeps it: the document's text, and whether the person marked it as done. */
export type ItemWork = { readonly document: string; readonly isDone: boolean };

/** No document begins with it: documents are JSON. */
const DONE = 'done\n';

/** One text for document and flag, so that both are stored, compared and sent as one write. */
export const encodeWork = ({ document, isDone }: ItemWork): string => (isDone ? DONE + document : document);

export const decodeWork = (text: string): ItemWork =>
  text.startsWith(DONE)
    ? { document: text.slice(DONE.length), isDone: true }
    : { document: text, isDone: false };
