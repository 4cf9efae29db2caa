import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAllStored,
  type OutboxEffect,
  type OutboxEvent,
  type OutboxState,
  openOutbox,
  outboxStatus,
  type SentWrite,
  stepOutbox,
} from '@/lib/core/editor';
import { englishStatus } from '../../support/english';

/** An outbox with its effects written down. */
class Desk {
  readonly effects: OutboxEffect[] = [];
  #state: OutboxState;
  #id = 0;

  constructor(...start: Parameters<typeof openOutbox>) {
    const step = openOutbox(...start);
    this.#state = step.state;
    this.effects.push(...step.effects);
  }

  get state(): OutboxState {
    return this.#state;
  }

  get status(): string {
    return outboxStatus(this.#state).kind;
  }

  get sends(): SentWrite[] {
    return this.effects.flatMap((effect) => (effect.kind === 'send' ? [effect.write] : []));
  }

  feed(event: OutboxEvent): this {
    const step = stepOutbox(this.#state, event);
    this.#state = step.state;
    this.effects.push(...step.effects);
    return this;
  }

  edit(document: string, now: number): this {
    return this.feed({ type: 'edited', document, now });
  }

  wake(now: number): this {
    return this.feed({ type: 'woken', now, id: `write-${++this.#id}` });
  }

  acknowledge(revision: number, now: number): this {
    return this.feed({ type: 'acknowledged', id: this.#state.sent?.id ?? '', revision, now });
  }
}

const empty = { revision: 0, document: undefined };

describe('the outbox', () => {
  it('writes nothing for merely opening', () => {
    const desk = new Desk({ revision: 3, document: 'a' }, undefined, 0);
    expect(desk.effects).toEqual([]);
    expect(desk.status).toBe('stored');
  });

  it('stores an edit in the browser at once and on the server within two seconds', () => {
    const desk = new Desk(empty, undefined, 0).edit('a', 1000);
    expect(desk.effects).toEqual([
      { kind: 'store', work: { document: 'a', revision: 0, unanswered: [] }, edits: 1 },
      { kind: 'wake', at: 1800 },
    ]);
    expect(desk.status).toBe('storing');
    desk.wake(1800);
    expect(desk.sends).toEqual([{ document: 'a', edits: 1, id: 'write-1', expectedRevision: 0 }]);
    desk.acknowledge(1, 1850);
    expect(desk.effects.at(-1)).toEqual({ kind: 'forget' });
    expect(isAllStored(desk.state)).toBe(true);
    expect(englishStatus(outboxStatus(desk.state))).toBe('The change is stored');
  });

  it('gathers edits and sends only the newest document, one write at a time', () => {
    const desk = new Desk(empty, undefined, 0).edit('a', 0).edit('b', 100).wake(800).edit('c', 900);
    expect(desk.sends.map(({ document }) => document)).toEqual(['b']);
    desk.acknowledge(1, 950).wake(950);
    expect(desk.sends.map(({ document, expectedRevision }) => [document, expectedRevision])).toEqual([
      ['b', 0],
      ['c', 1],
    ]);
    expect(desk.effects).toContainEqual({
      kind: 'store',
      work: { document: 'c', revision: 1, unanswered: [] },
      edits: 3,
    });
    desk.acknowledge(2, 990);
    expect(englishStatus(outboxStatus(desk.state))).toBe('All 3 changes are stored');
  });

  it('sends at once when the page is left', () => {
    const desk = new Desk(empty, undefined, 0).edit('a', 0).feed({ type: 'flush', id: 'now' });
    expect(desk.sends).toHaveLength(1);
    expect(desk.feed({ type: 'flush', id: 'again' }).sends).toHaveLength(1);
  });

  it('tries again after failures, ever more slowly, and loses nothing', () => {
    const desk = new Desk(empty, undefined, 0).edit('a', 0).wake(800);
    desk.feed({ type: 'failed', id: 'write-1', now: 1000 });
    expect(desk.state.wakeAt).toBe(2000);
    desk.wake(1500);
    expect(desk.sends).toHaveLength(1);
    desk.wake(2000).feed({ type: 'failed', id: 'write-1', now: 2100 });
    expect(desk.state.wakeAt).toBe(4100);
    desk.wake(4100).acknowledge(1, 4200);
    expect(desk.status).toBe('stored');
  });

  it('does not wait for hours when the clock was set back', () => {
    const desk = new Desk(empty, undefined, 0).edit('a', 9_000_000).wake(5);
    expect(desk.sends).toHaveLength(1);
  });

  it('waits for the sign-in and then replays what was drawn meanwhile', () => {
    const desk = new Desk(empty, undefined, 0).edit('a', 0).wake(800);
    desk.feed({ type: 'signed-out', id: 'write-1' }).edit('b', 900).wake(5000);
    expect(desk.sends).toHaveLength(1);
    expect(englishStatus(outboxStatus(desk.state))).toBe(
      'Sign in again to store 2 changes. Nothing is lost.',
    );
    desk.feed({ type: 'signed-in', now: 6000 }).wake(6000).acknowledge(1, 6100).wake(6100);
    expect(desk.sends.map(({ document }) => document)).toEqual(['a', 'a', 'b']);
  });

  it('keeps drawing offline and goes on when online', () => {
    const desk = new Desk(empty, undefined, 0).feed({ type: 'offline' }).edit('a', 0);
    expect(desk.status).toBe('offline');
    expect(desk.effects.map(({ kind }) => kind)).toEqual(['store']);
    desk.feed({ type: 'online', now: 10 }).wake(10);
    expect(desk.sends).toHaveLength(1);
  });

  it('says when the server will not take it, and keeps it', () => {
    const desk = new Desk(empty, undefined, 0).edit('a', 0).wake(800);
    desk.feed({ type: 'refused', id: 'write-1', reason: 'the lease has ended' });
    expect(englishStatus(outboxStatus(desk.state))).toBe('Not stored: the lease has ended');
    expect(desk.effects).not.toContainEqual({ kind: 'forget' });
    expect(isAllStored(desk.state)).toBe(false);
  });

  it('offers refused work again after the next change, which may be what the server asked for', () => {
    const desk = new Desk(empty, undefined, 0).edit('a', 0).wake(800);
    desk.feed({ type: 'refused', id: 'write-1', reason: 'covers no pixel' }).edit('b', 1000).wake(1800);
    expect(desk.sends.map(({ document }) => document)).toEqual(['a', 'b']);
    expect(desk.acknowledge(1, 1900).status).toBe('stored');
  });

  it('ignores an answer to a write that is no longer on its way', () => {
    const desk = new Desk(empty, undefined, 0).edit('a', 0).wake(800);
    const before = desk.state;
    desk.feed({ type: 'acknowledged', id: 'older', revision: 7, now: 0 });
    expect(desk.state).toBe(before);
  });
});

describe('a conflict', () => {
  const conflicted = () => {
    const desk = new Desk({ revision: 4, document: 'old' }, undefined, 0).edit('mine', 0).wake(800);
    return desk.feed({ type: 'conflicted', id: 'write-1', revision: 5, theirs: 'theirs', now: 900 });
  };

  it('is shown and stops sending', () => {
    const desk = conflicted().edit('mine too', 1000).wake(9000);
    expect(desk.status).toBe('conflict');
    expect(desk.sends).toHaveLength(1);
  });

  it('ends with mine on top of their revision, or with theirs', () => {
    const mine = conflicted().feed({ type: 'resolved', keep: 'mine', now: 1000 }).wake(1000);
    expect(mine.sends.at(-1)).toMatchObject({ document: 'mine', expectedRevision: 5 });
    const theirs = conflicted().feed({ type: 'resolved', keep: 'theirs', now: 1000 });
    expect(theirs.effects.slice(-2)).toEqual([{ kind: 'forget' }, { kind: 'adopt', document: 'theirs' }]);
    expect(theirs.status).toBe('stored');
  });

  it('is none when only the answer to this very write was lost', () => {
    const desk = new Desk(empty, undefined, 0).edit('a', 0).wake(800);
    desk.feed({ type: 'failed', id: 'write-1', now: 900 }).wake(1900);
    desk.feed({ type: 'conflicted', id: 'write-1', revision: 1, theirs: 'a', now: 2000 });
    expect(desk.status).toBe('stored');
    expect(desk.state.revision).toBe(1);
  });
});

describe('reopening after a crash', () => {
  it('replays what the server does not have', () => {
    const desk = new Desk(
      { revision: 2, document: 'a' },
      { document: 'b', revision: 2, unanswered: [] },
      50,
    ).wake(50);
    expect(desk.sends).toEqual([{ document: 'b', edits: 1, id: 'write-1', expectedRevision: 2 }]);
  });

  it('forgets what arrived although the answer did not', () => {
    const desk = new Desk({ revision: 3, document: 'b' }, { document: 'b', revision: 2, unanswered: [] }, 0);
    expect(desk.effects).toEqual([{ kind: 'forget' }]);
  });

  it('goes on from a write whose answer was lost, also when there is newer work', () => {
    const stored = { document: 'c', revision: 2, unanswered: 'b' };
    const desk = new Desk({ revision: 3, document: 'b' }, stored, 50).wake(50);
    expect(desk.sends).toEqual([{ document: 'c', edits: 1, id: 'write-1', expectedRevision: 3 }]);
  });

  it('is a conflict when the server went on without it', () => {
    const desk = new Desk({ revision: 5, document: 'c' }, { document: 'b', revision: 2, unanswered: [] }, 0);
    expect(desk.status).toBe('conflict');
  });
});

describe('any order of troubles', () => {
  const trouble = fc.constantFrom(
    'edit',
    'wake',
    'ack',
    'fail',
    'lose-ack',
    'offline',
    'online',
    'sign-out',
    'sign-in',
  );

  it('ends with the last edit on the server once all is well again, and never looks like a conflict', () => {
    fc.assert(
      fc.property(fc.array(trouble, { maxLength: 40 }), (troubles) => {
        const desk = new Desk(empty, undefined, 0);
        const server = { revision: 0, document: '' };
        let edits = 0;
        let now = 0;
        /** The server's compare-and-set; its answer may get lost. */
        const answer = (isHeard: boolean) => {
          const { sent } = desk.state;
          if (!sent) return;
          const fits = sent.expectedRevision === server.revision;
          if (fits) Object.assign(server, { revision: server.revision + 1, document: sent.document });
          const { revision, document } = server;
          if (!isHeard) desk.feed({ type: 'failed', id: sent.id, now });
          else if (fits) desk.acknowledge(revision, now);
          else desk.feed({ type: 'conflicted', id: sent.id, revision, theirs: document, now });
        };
        const play = {
          edit: () => desk.edit(`document ${++edits}`, now),
          wake: () => desk.wake(now),
          ack: () => answer(true),
          'lose-ack': () => answer(false),
          fail: () => desk.feed({ type: 'failed', id: desk.state.sent?.id ?? '', now }),
          offline: () => desk.feed({ type: 'offline' }),
          online: () => desk.feed({ type: 'online', now }),
          'sign-out': () => desk.feed({ type: 'signed-out', id: desk.state.sent?.id ?? '' }),
          'sign-in': () => desk.feed({ type: 'signed-in', now }),
        };
        for (const name of troubles) {
          now += 700;
          play[name]();
        }
        for (let i = 0; i < 8; i++) {
          now += 40_000;
          play.online();
          play['sign-in']();
          play.wake();
          play.ack();
        }
        expect(desk.status).toBe('stored');
        if (edits > 0) expect(server.document).toBe(`document ${edits}`);
      }),
      { numRuns: 300 },
    );
  });
});
