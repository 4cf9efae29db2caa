/**
 * Which of several tabs may change one item. Tabs talk over a channel that reaches all others; the first is the
 * owner, a later one only reads until its person takes over. A higher term beats a lower one, as in an election,
 * so a tab that slept through a take-over learns of it from the first message. Pure: times come with the events.
 */
export type OwnershipState = {
  readonly tab: string;
  readonly role:
    | { readonly kind: 'asking'; readonly until: number }
    | { readonly kind: 'owner' }
    | { readonly kind: 'reader'; readonly owner: string; readonly heardAt: number }
    /** This tab's person took over; the old owner is storing its last edits. */
    | { readonly kind: 'taking'; readonly until: number }
    | { readonly kind: 'closed' };
  readonly term: number;
};

export type OwnershipMessage =
  | { readonly kind: 'ask'; readonly from: string }
  | { readonly kind: 'owned'; readonly from: string; readonly term: number }
  | { readonly kind: 'take'; readonly from: string; readonly term: number }
  /** The old owner has stored everything. */
  | { readonly kind: 'yielded'; readonly from: string; readonly to: string; readonly term: number }
  | { readonly kind: 'released'; readonly from: string; readonly term: number };

export type OwnershipEvent =
  | { readonly type: 'heard'; readonly message: OwnershipMessage; readonly now: number }
  | { readonly type: 'tick'; readonly now: number }
  | { readonly type: 'take-over'; readonly now: number }
  | { readonly type: 'close' };

export type OwnershipEffect =
  | { readonly kind: 'say'; readonly message: OwnershipMessage }
  /** Read the newest document, then let the person draw. */
  | { readonly kind: 'become-owner' }
  /** Stop drawing. */
  | { readonly kind: 'become-reader'; readonly owner: string }
  /** Store everything, then say this message. */
  | { readonly kind: 'yield'; readonly message: OwnershipMessage };

export type OwnershipStep = { readonly state: OwnershipState; readonly effects: readonly OwnershipEffect[] };

/** How long an owner has to answer a new tab, and to store its work for one that takes over. */
const ASK_MS = 300;
const YIELD_MS = 1500;
/** An owner says so at least this often, by the page's ticks; readers of a silent one ask again. */
export const HEARTBEAT_MS = 2000;
const SILENCE_MS = 3 * HEARTBEAT_MS;

export function openOwnership(tab: string, now: number): OwnershipStep {
  return {
    state: { tab, role: { kind: 'asking', until: now + ASK_MS }, term: 0 },
    effects: [{ kind: 'say', message: { kind: 'ask', from: tab } }],
  };
}

export function canEdit({ role }: OwnershipState): boolean {
  return role.kind === 'owner';
}

export function stepOwnership(state: OwnershipState, event: OwnershipEvent): OwnershipStep {
  if (state.role.kind === 'closed') return still(state);
  switch (event.type) {
    case 'heard':
      return event.message.from === state.tab ? still(state) : heard(state, event.message, event.now);
    case 'tick':
      return tick(state, event.now);
    case 'take-over':
      return state.role.kind === 'reader' ? take(state, event.now) : still(state);
    case 'close':
      return close(state);
  }
}

function heard(state: OwnershipState, message: OwnershipMessage, now: number): OwnershipStep {
  switch (message.kind) {
    case 'ask':
      return asked(state, message.from);
    case 'owned':
      return ownedElsewhere(state, message.from, message.term, now);
    case 'take':
      return taken(state, message.from, message.term, now);
    case 'yielded':
      return state.role.kind === 'taking' && message.to === state.tab ? own(state, state.term) : still(state);
    case 'released':
      return state.role.kind === 'reader' && message.term >= state.term ? askAgain(state, now) : still(state);
  }
}

/** Of two tabs that ask at the same moment, the smaller name answers as if it owned. */
function asked(state: OwnershipState, from: string): OwnershipStep {
  if (state.role.kind === 'owner') return { state, effects: [sayOwned(state)] };
  if (state.role.kind === 'asking' && state.tab < from) return own(state, state.term + 1);
  return still(state);
}

function ownedElsewhere(state: OwnershipState, from: string, term: number, now: number): OwnershipStep {
  const { role } = state;
  if (role.kind === 'taking') return still(state);
  const isWeaker = term > state.term || (term === state.term && from < state.tab);
  if (role.kind === 'owner' && !isWeaker) return { state, effects: [sayOwned(state)] };
  if (role.kind === 'reader' && term < state.term) return still(state);
  const next: OwnershipState = { ...state, role: { kind: 'reader', owner: from, heardAt: now }, term };
  const isKnown = role.kind === 'reader' && role.owner === from;
  return { state: next, effects: isKnown ? [] : [{ kind: 'become-reader', owner: from }] };
}

function taken(state: OwnershipState, from: string, term: number, now: number): OwnershipStep {
  const isBeaten = term > state.term || (term === state.term && from < state.tab);
  if (!isBeaten) return still(state);
  const next: OwnershipState = { ...state, role: { kind: 'reader', owner: from, heardAt: now }, term };
  const become = { kind: 'become-reader', owner: from } as const;
  if (state.role.kind !== 'owner') return { state: next, effects: [become] };
  const message = { kind: 'yielded', from: state.tab, to: from, term } as const;
  return { state: next, effects: [become, { kind: 'yield', message }] };
}

function tick(state: OwnershipState, now: number): OwnershipStep {
  const { role } = state;
  switch (role.kind) {
    case 'owner':
      return { state, effects: [sayOwned(state)] };
    case 'asking':
      return now >= role.until ? own(state, state.term + 1) : still(state);
    case 'taking':
      return now >= role.until ? own(state, state.term) : still(state);
    case 'reader':
      return now - role.heardAt >= SILENCE_MS ? askAgain(state, now) : still(state);
    case 'closed':
      return still(state);
  }
}

function take(state: OwnershipState, now: number): OwnershipStep {
  const term = state.term + 1;
  return {
    state: { ...state, role: { kind: 'taking', until: now + YIELD_MS }, term },
    effects: [{ kind: 'say', message: { kind: 'take', from: state.tab, term } }],
  };
}

function close(state: OwnershipState): OwnershipStep {
  const message = { kind: 'released', from: state.tab, term: state.term } as const;
  const wasOwner = state.role.kind === 'owner';
  return {
    state: { ...state, role: { kind: 'closed' } },
    effects: wasOwner ? [{ kind: 'say', message }] : [],
  };
}

/** A new term each time, so that an owner who was only asleep finds itself beaten. */
function own(state: OwnershipState, term: number): OwnershipStep {
  const owner: OwnershipState = { ...state, role: { kind: 'owner' }, term };
  return { state: owner, effects: [{ kind: 'become-owner' }, sayOwned(owner)] };
}

function askAgain(state: OwnershipState, now: number): OwnershipStep {
  return {
    state: { ...state, role: { kind: 'asking', until: now + ASK_MS } },
    effects: [{ kind: 'say', message: { kind: 'ask', from: state.tab } }],
  };
}

function sayOwned({ tab, term }: OwnershipState): OwnershipEffect {
  return { kind: 'say', message: { kind: 'owned', from: tab, term } };
}

function still(state: OwnershipState): OwnershipStep {
  return { state, effects: [] };
}
