/**
 * Work that the server may not have yet. Every committed edit is stored in the browser at once and reaches the
 * server within two seconds as the newest whole document: a compare-and-set on the draft's revision. Pure: events
 * in, a new state and effects out; batch-driver.ts does them through the interfaces it is given. Documents are
 * the text of `serialize`, also those from the server, whose database may have reordered the keys: equal drawings
 * are equal texts.
 */
export type OutboxState = {
  /** What the server has said that it holds. */
  readonly revision: number;
  /** Committed edits since the outbox was opened, and how many of them the browser and the server hold. */
  readonly made: number;
  readonly storedHere: number;
  readonly storedThere: number;
  /** The newest document that the server has not acknowledged. */
  readonly pending: PendingWrite | undefined;
  /**
   * The write that has no answer yet. Until it has one it is repeated as it is, even when there is newer work: the
   * server may have taken it, and then the newer work builds on it.
   */
  readonly sent: SentWrite | undefined;
  /** Documents of this person that the server may hold or receive although no answer arrived. */
  readonly unanswered: readonly string[];
  /** Whether an answer to it is still expected. */
  readonly isOnItsWay: boolean;
  readonly condition: Condition;
  /** When to try next, in ms of the caller's clock. */
  readonly wakeAt: number | undefined;
  readonly failures: number;
};

export type Condition =
  | { readonly kind: 'working' }
  | { readonly kind: 'offline' }
  /** The session expired; what is pending waits for the sign-in. */
  | { readonly kind: 'signed-out' }
  /** The server holds another revision: shown, never merged silently. */
  | { readonly kind: 'conflict'; readonly revision: number; readonly theirs: string }
  /** The server will not take it: the lease ended, or the document is not valid there. */
  | { readonly kind: 'refused'; readonly reason: string };

export type PendingWrite = { readonly document: string; readonly edits: number };

/** `id` makes a repeated write the same write. */
export type SentWrite = PendingWrite & { readonly id: string; readonly expectedRevision: number };

export type OutboxEvent =
  | { readonly type: 'edited'; readonly document: string; readonly now: number }
  /** The browser's storage holds everything up to that edit. */
  | { readonly type: 'stored-here'; readonly edits: number }
  | { readonly type: 'woken'; readonly now: number; readonly id: string }
  /** The page is being hidden or left: do not wait. */
  | { readonly type: 'flush'; readonly id: string }
  | { readonly type: 'acknowledged'; readonly id: string; readonly revision: number; readonly now: number }
  | {
      readonly type: 'conflicted';
      readonly id: string;
      readonly revision: number;
      readonly theirs: string;
      readonly now: number;
    }
  | { readonly type: 'failed'; readonly id: string; readonly now: number }
  | { readonly type: 'signed-out'; readonly id: string }
  | { readonly type: 'refused'; readonly id: string; readonly reason: string }
  | { readonly type: 'offline' }
  | { readonly type: 'online'; readonly now: number }
  | { readonly type: 'signed-in'; readonly now: number }
  /** The person's answer to a conflict. */
  | { readonly type: 'resolved'; readonly keep: 'mine' | 'theirs'; readonly now: number };

export type OutboxEffect =
  /** Replace what the browser holds for this item. */
  | { readonly kind: 'store'; readonly work: StoredWork; readonly edits: number }
  /** The server holds it all. */
  | { readonly kind: 'forget' }
  | { readonly kind: 'send'; readonly write: SentWrite }
  | { readonly kind: 'wake'; readonly at: number }
  /** The person chose the server's document. */
  | { readonly kind: 'adopt'; readonly document: string };

export type OutboxStep = { readonly state: OutboxState; readonly effects: readonly OutboxEffect[] };

/** Edits are gathered this long before they are sent; with the way there it stays under 2 s. */
const GATHER_MS = 800;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

/** What the browser holds for an item while the server may not have it. */
export type StoredWork = {
  readonly document: string;
  /** What the server was known to have when this was drawn. */
  readonly revision: number;
  /** Older documents that were sent and not answered. A single text, or missing, in what an older release stored. */
  readonly unanswered?: readonly string[] | string | undefined;
};

/** More writes than can be on their way at once; documents may be large. */
const MAX_UNANSWERED = 4;

/**
 * Opening writes nothing. Work left over from before is sent again if it builds on the server's revision; if the
 * server has moved on since, and not to this very document, it is a conflict.
 */
export function openOutbox(
  server: { readonly revision: number; readonly document: string | undefined },
  stored: StoredWork | undefined,
  now: number,
): OutboxStep {
  const fresh: OutboxState = {
    revision: server.revision,
    made: 0,
    storedHere: 0,
    storedThere: 0,
    pending: undefined,
    sent: undefined,
    unanswered: [],
    isOnItsWay: false,
    condition: { kind: 'working' },
    wakeAt: undefined,
    failures: 0,
  };
  if (!stored) return { state: fresh, effects: [] };
  if (stored.document === server.document) return { state: fresh, effects: [{ kind: 'forget' }] };
  const left: OutboxState = {
    ...fresh,
    made: 1,
    storedHere: 1,
    pending: { document: stored.document, edits: 1 },
    // The page that stored it may have sent it before it went away, and that write may still arrive.
    unanswered: withText(listOf(stored.unanswered), stored.document),
  };
  const isOurs = server.document !== undefined && left.unanswered.includes(server.document);
  if (stored.revision !== server.revision && !isOurs) {
    const condition = { kind: 'conflict', revision: server.revision, theirs: server.document ?? '' } as const;
    return { state: { ...left, condition }, effects: [] };
  }
  return wake(left, now);
}

export function stepOutbox(state: OutboxState, event: OutboxEvent): OutboxStep {
  switch (event.type) {
    case 'edited':
      return edited(state, event.document, event.now);
    case 'stored-here':
      return { state: { ...state, storedHere: Math.max(state.storedHere, event.edits) }, effects: [] };
    case 'woken':
      return woken(state, event.now, event.id);
    case 'flush':
      return send(state, event.id);
    case 'acknowledged':
      return event.id === state.sent?.id ? acknowledged(state, event.revision, event.now) : still(state);
    case 'conflicted':
      return event.id === state.sent?.id ? conflicted(state, event) : still(state);
    case 'failed':
      return event.id === state.sent?.id ? failed(state, event.now) : still(state);
    case 'signed-out':
      return event.id === state.sent?.id ? halted(state, { kind: 'signed-out' }) : still(state);
    case 'refused':
      return event.id === state.sent?.id ? refused(state, event.reason) : still(state);
    case 'offline':
      return state.condition.kind === 'working' ? halted(state, { kind: 'offline' }) : still(state);
    case 'online':
      return state.condition.kind === 'offline' ? goOn(state, event.now) : still(state);
    case 'signed-in':
      return state.condition.kind === 'signed-out' ? goOn(state, event.now) : still(state);
    case 'resolved':
      return resolved(state, event.keep, event.now);
  }
}

/** A change may be what the server asked for, so work that it refused is offered again. */
function edited(state: OutboxState, document: string, now: number): OutboxStep {
  const made = state.made + 1;
  const condition: Condition = state.condition.kind === 'refused' ? { kind: 'working' } : state.condition;
  const next = { ...state, made, condition, pending: { document, edits: made } };
  const stored = store(next, next.pending);
  if (condition.kind !== 'working' || state.isOnItsWay || state.wakeAt !== undefined)
    return { state: next, effects: [stored] };
  const woke = wake(next, now + GATHER_MS);
  return { state: woke.state, effects: [stored, ...woke.effects] };
}

function store(state: OutboxState, { document, edits }: PendingWrite): OutboxEffect {
  const unanswered = state.unanswered.filter((text) => text !== document);
  return { kind: 'store', work: { document, revision: state.revision, unanswered }, edits };
}

const listOf = (texts: StoredWork['unanswered']): readonly string[] =>
  typeof texts === 'string' ? [texts] : (texts ?? []);

const withText = (texts: readonly string[], text: string): readonly string[] =>
  [...texts.filter((known) => known !== text), text].slice(-MAX_UNANSWERED);

/** A clock that was set back must not put the next try off: waking early only sends early. */
function woken(state: OutboxState, now: number, id: string): OutboxStep {
  if (state.wakeAt === undefined) return still(state);
  const wait = state.wakeAt - now;
  if (wait > 0 && wait <= LONGEST_RETRY_MS) return { state, effects: [{ kind: 'wake', at: state.wakeAt }] };
  return send({ ...state, wakeAt: undefined }, id);
}

function send(state: OutboxState, id: string): OutboxStep {
  if (!state.pending || state.isOnItsWay || state.condition.kind !== 'working') return still(state);
  const write = state.sent ?? { ...state.pending, id, expectedRevision: state.revision };
  return {
    state: {
      ...state,
      sent: write,
      unanswered: withText(state.unanswered, write.document),
      isOnItsWay: true,
      wakeAt: undefined,
    },
    effects: [{ kind: 'send', write }],
  };
}

function acknowledged(state: OutboxState, revision: number, now: number): OutboxStep {
  const { sent, pending } = state;
  if (!sent) return still(state);
  const next = {
    ...state,
    revision,
    storedThere: sent.edits,
    sent: undefined,
    unanswered: [],
    isOnItsWay: false,
    failures: 0,
  };
  if (!pending || pending.edits === sent.edits)
    return { state: { ...next, pending: undefined, wakeAt: undefined }, effects: [{ kind: 'forget' }] };
  // What waits builds on the new revision now, and must be found so after a crash.
  const woke = wake(next, now);
  return { state: woke.state, effects: [store(next, pending), ...woke.effects] };
}

/**
 * When the answer to a write was lost, the server already holds this very document: that is an acknowledgement. If it
 * holds an older document of this person, the newest one is sent on top of it.
 */
function conflicted(state: OutboxState, event: Extract<OutboxEvent, { type: 'conflicted' }>): OutboxStep {
  if (event.theirs === state.sent?.document) return acknowledged(state, event.revision, event.now);
  const answered = { ...state, sent: undefined, isOnItsWay: false };
  if (state.pending && state.unanswered.includes(event.theirs)) {
    const next = { ...answered, revision: event.revision, failures: 0 };
    const woke = wake(next, event.now);
    return { state: woke.state, effects: [store(next, state.pending), ...woke.effects] };
  }
  return halted(answered, { kind: 'conflict', revision: event.revision, theirs: event.theirs });
}

function failed(state: OutboxState, now: number): OutboxStep {
  const failures = state.failures + 1;
  const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
  return wake({ ...state, isOnItsWay: false, failures }, now + pause);
}

/** Nothing is sent until something changes; what is pending stays pending, and edits go on being stored here. */
function halted(state: OutboxState, condition: Condition): OutboxStep {
  return { state: { ...state, condition, isOnItsWay: false, wakeAt: undefined }, effects: [] };
}

/** The server did not take the write: it is not repeated as it is. */
function refused({ unanswered, ...state }: OutboxState, reason: string): OutboxStep {
  const others = unanswered.filter((text) => text !== state.sent?.document);
  return halted({ ...state, sent: undefined, unanswered: others }, { kind: 'refused', reason });
}

function goOn(state: OutboxState, now: number): OutboxStep {
  const working: OutboxState = { ...state, condition: { kind: 'working' }, failures: 0 };
  return state.pending ? wake(working, now) : still(working);
}

function resolved(state: OutboxState, keep: 'mine' | 'theirs', now: number): OutboxStep {
  const { condition, pending } = state;
  if (condition.kind !== 'conflict') return still(state);
  const seen: OutboxState = { ...state, revision: condition.revision };
  if (keep === 'mine' && pending) {
    const on = goOn(seen, now);
    return { state: on.state, effects: [store(seen, pending), ...on.effects] };
  }
  return {
    state: { ...seen, pending: undefined, storedThere: state.made, condition: { kind: 'working' } },
    effects: [{ kind: 'forget' }, { kind: 'adopt', document: condition.theirs }],
  };
}

function wake(state: OutboxState, at: number): OutboxStep {
  return { state: { ...state, wakeAt: at }, effects: [{ kind: 'wake', at }] };
}

function still(state: OutboxState): OutboxStep {
  return { state, effects: [] };
}
