import { OutboxDriver, type OutboxState, type SentWrite, type WriteReply } from '@/lib/annotator';
import { putDraft, Refused } from './api';
import type { LocalStore } from './local-store';

export type ItemOutboxStart = {
  readonly lease: string;
  readonly store: LocalStore;
  readonly draft: { readonly revision: number; readonly document: unknown } | null;
  /** One text per meaning: the database reorders the keys of what it is given. */
  readonly canonical: (document: unknown) => string;
  /** The person chose the server's document. */
  readonly adopt: (document: string) => void;
  readonly changed: (state: OutboxState) => void;
};

/** The outbox of one item, between the browser's storage and the server. */
export function openItemOutbox(start: ItemOutboxStart): Promise<OutboxDriver> {
  const { lease, store, draft, canonical, adopt, changed } = start;
  return OutboxDriver.open(
    {
      storage: {
        read: () => store.read('work', lease),
        write: (work) => store.write('work', lease, work),
        clear: () => store.remove('work', lease),
      },
      send: (write) => send(lease, write, canonical),
      // Not the time of day: that may be hours off, and corrected while somebody draws.
      now: () => performance.now(),
      newId: () => crypto.randomUUID(),
      wakeAt: (at, wake) => setTimeout(wake, Math.max(0, at - performance.now())),
      adopt,
      changed,
    },
    { revision: draft?.revision ?? 0, document: draft ? canonical(draft.document) : undefined },
  );
}

async function send(
  lease: string,
  write: SentWrite,
  canonical: ItemOutboxStart['canonical'],
): Promise<WriteReply> {
  try {
    const document: unknown = JSON.parse(write.document);
    const { revision } = await putDraft(lease, { revision: write.expectedRevision, document });
    return { kind: 'acknowledged', revision };
  } catch (error) {
    if (!(error instanceof Refused) || error.isPassing) throw error;
    if (error.isSignedOut) return { kind: 'signed-out' };
    const { revision, document } = error.more;
    if (error.status === 409 && typeof revision === 'number')
      return { kind: 'conflicted', revision, theirs: document ? canonical(document) : '' };
    return { kind: 'refused', reason: error.message };
  }
}
