import { useEffect, useRef, useState } from 'react';
import {
  canEdit,
  HEARTBEAT_MS,
  type OwnershipEvent,
  type OwnershipMessage,
  openOwnership,
  stepOwnership,
} from '@/lib/core/editor';

/** Ticks often enough for the shortest wait of the election. */
const TICK_MS = 150;

export type Ownership = {
  /** This tab has been the owner or a reader. Before that, nobody can say whether it may change anything. */
  readonly isKnown: boolean;
  /** It is being decided which tab is the owner. */
  readonly isDeciding: boolean;
  readonly mayEdit: boolean;
  /** Another tab is the owner. */
  readonly isReader: boolean;
  /** Counts up each time this tab takes over: what it holds may be old then. */
  readonly term: number;
  readonly takeOver: () => void;
};

type OwnershipView = Omit<Ownership, 'takeOver'>;

const undecided: OwnershipView = {
  isKnown: false,
  isDeciding: true,
  mayEdit: false,
  isReader: false,
  term: 0,
};

const isSameView = (a: OwnershipView, b: OwnershipView): boolean =>
  a.isKnown === b.isKnown &&
  a.isDeciding === b.isDeciding &&
  a.mayEdit === b.mayEdit &&
  a.isReader === b.isReader &&
  a.term === b.term;

/**
 * Which of several tabs may change this batch. `settle` stores everything before another tab takes over. A tab that is
 * not `isActive` takes no part.
 */
export function useOwnership(name: string, isActive: boolean, settle: () => Promise<void>): Ownership {
  const [view, setView] = useState(undecided);
  const feed = useRef<(event: OwnershipEvent) => void>(undefined);
  const settleNow = useRef(settle);
  settleNow.current = settle;

  useEffect(() => {
    if (!isActive) return;
    const channel = new BroadcastChannel(name);
    let { state, effects } = openOwnership(crypto.randomUUID(), performance.now());
    let saidAt = 0;
    let terms = 0;
    let hasRead = false;
    const act = () => {
      for (const effect of effects) {
        if (effect.kind === 'say') channel.postMessage(effect.message);
        else if (effect.kind === 'yield')
          void settleNow.current().finally(() => channel.postMessage(effect.message));
        else if (effect.kind === 'become-reader') hasRead = true;
        else if (hasRead) {
          terms++;
          hasRead = false;
        }
      }
      setView((last) => {
        const { kind } = state.role;
        const isDeciding = kind === 'asking' || kind === 'taking';
        const next = {
          isKnown: last.isKnown || !isDeciding,
          isDeciding,
          mayEdit: canEdit(state),
          isReader: kind === 'reader',
          term: terms,
        };
        return isSameView(last, next) ? last : next;
      });
    };
    feed.current = (event) => {
      ({ state, effects } = stepOwnership(state, event));
      act();
    };
    act();
    channel.onmessage = ({ data }: MessageEvent<OwnershipMessage>) =>
      feed.current?.({ type: 'heard', message: data, now: performance.now() });
    const timer = setInterval(() => {
      const now = performance.now();
      if (state.role.kind === 'owner' && now - saidAt < HEARTBEAT_MS) return;
      saidAt = now;
      feed.current?.({ type: 'tick', now });
    }, TICK_MS);
    const leave = () => feed.current?.({ type: 'close' });
    // A page that the browser froze and shows again has given up its part, and knows nothing of the time between.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload();
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    return () => {
      leave();
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', comeBack);
      clearInterval(timer);
      channel.close();
    };
  }, [name, isActive]);

  return { ...view, takeOver: () => feed.current?.({ type: 'take-over', now: performance.now() }) };
}
