import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BatchEffect,
  type BatchEvent,
  type BatchState,
  decodeWork,
  encodeWork,
  itemStatus,
  type LeaseState,
  newestText,
  openBatch,
  openLeases,
  type SentWrite,
  type StoredWork,
  stepBatch,
  type Wish,
} from '@/lib/core/editor';

const LEASES = ['a', 'b', 'c'] as const;
type Lease = (typeof LEASES)[number];

type Request = { kind: 'write'; tab: Tab; lease: Lease; write: SentWrite } | { kind: 'submit'; tab: Tab };

/** One open page: its state, and what it asked of the network. */
class Tab {
  state: BatchState;
  isRunning = true;
  readonly #world: World;
  #ids = 0;

  constructor(world: World) {
    this.#world = world;
    // The order of the two reads matters: see openBatch. Requests may arrive in between.
    const stored = new Map(world.stored);
    const { wish } = world;
    world.deliverSome();
    const server = LEASES.map((lease) => ({ lease, state: world.leaseOf(lease), ...world.draftOf(lease) }));
    const step = openBatch(server, stored, wish, world.now);
    this.state = step.state;
    for (const effect of step.effects) this.#do(effect);
  }

  feed(event: BatchEvent): void {
    if (!this.isRunning) return;
    const step = stepBatch(this.state, event);
    this.state = step.state;
    for (const effect of step.effects) this.#do(effect);
  }

  edit(lease: Lease, text: string): void {
    this.feed({ type: 'item', lease, event: { type: 'edited', document: text, now: this.#world.now } });
  }

  wake(): void {
    const { now } = this.#world;
    for (const lease of LEASES)
      this.feed({ type: 'item', lease, event: { type: 'woken', now, id: this.#id() } });
    this.feed({ type: 'submit-woken', now });
  }

  flush(): void {
    for (const lease of LEASES) this.feed({ type: 'item', lease, event: { type: 'flush', id: this.#id() } });
  }

  #id(): string {
    return `${this.#world.newTabId()}-${++this.#ids}`;
  }

  #do(effect: BatchEffect): void {
    const world = this.#world;
    if (effect.kind === 'submit') world.requests.push({ kind: 'submit', tab: this });
    if (effect.kind === 'keep-wish') world.wish = effect.wish;
    if (effect.kind !== 'item') return;
    const lease = effect.lease as Lease;
    if (effect.effect.kind === 'store') world.stored.set(lease, effect.effect.work);
    if (effect.effect.kind === 'forget') world.stored.delete(lease);
    if (effect.effect.kind === 'send')
      world.requests.push({ kind: 'write', tab: this, lease, write: effect.effect.write });
  }
}

/** The server, the browser's storage and the network between them. */
class World {
  now = 0;
  readonly stored = new Map<string, StoredWork>();
  wish: Wish = 'none';
  requests: Request[] = [];
  answers: Map<Lease, string> | undefined;
  closings = 0;
  readonly #drafts = new Map<Lease, { revision: number; text: string }>();
  /** What is delivered while a page opens, by the history. */
  pendingDeliveries = 0;
  #tabs = 0;

  draftOf(lease: Lease): { revision: number; text: string | undefined } {
    return this.#drafts.get(lease) ?? { revision: 0, text: undefined };
  }

  leaseOf(lease: Lease): LeaseState {
    if (!this.answers) return 'open';
    return this.answers.has(lease) ? 'answered' : 'released';
  }

  newTabId(): number {
    return ++this.#tabs;
  }

  deliverSome(): void {
    for (; this.pendingDeliveries > 0; this.pendingDeliveries--) this.deliver(0, true);
  }

  /** The server takes a request; its answer may get lost. */
  deliver(index: number, isHeard: boolean): void {
    const [request] = this.requests.splice(index % Math.max(1, this.requests.length), 1);
    if (!request) return;
    const reply = request.kind === 'submit' ? this.#close() : this.#write(request.lease, request.write);
    const event = isHeard ? reply : this.#failure(request);
    request.tab.feed(event);
  }

  /** The request never arrives. */
  lose(index: number): void {
    const [request] = this.requests.splice(index % Math.max(1, this.requests.length), 1);
    if (request) request.tab.feed(this.#failure(request));
  }

  #failure(request: Request): BatchEvent {
    if (request.kind === 'submit') return { type: 'submit-failed', now: this.now };
    const event = { type: 'failed' as const, id: request.write.id, now: this.now };
    return { type: 'item', lease: request.lease, event };
  }

  #write(lease: Lease, write: SentWrite): BatchEvent {
    const { id } = write;
    const { now } = this;
    if (this.answers) return { type: 'item', lease, event: { type: 'refused', id, reason: 'submitted' } };
    const draft = this.draftOf(lease);
    if (write.expectedRevision !== draft.revision) {
      const { revision, text = '' } = draft;
      return { type: 'item', lease, event: { type: 'conflicted', id, revision, theirs: text, now } };
    }
    const revision = draft.revision + 1;
    this.#drafts.set(lease, { revision, text: write.document });
    return { type: 'item', lease, event: { type: 'acknowledged', id, revision, now } };
  }

  #close(): BatchEvent {
    if (!this.answers) {
      this.closings++;
      this.answers = new Map(
        [...this.#drafts].flatMap(([lease, { text }]) => {
          const { document, isDone } = decodeWork(text);
          return isDone ? [[lease, document] as const] : [];
        }),
      );
    }
    return { type: 'submit-accepted' };
  }
}

const place = fc.nat({ max: 2 });
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('edit' as const), place, isDone: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('wake' as const), ms: fc.nat({ max: 3000 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('deliver' as const), at: fc.nat({ max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lose-reply' as const), at: fc.nat({ max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lose' as const), at: fc.nat({ max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reload' as const), delivered: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take-over' as const), delivered: place }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'flush' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'offline' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'online' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sign-out' as const), at: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'sign-in' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'submit' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** Plays a history and returns the world, the page in use and the newest text of every item. */
function play(history: readonly Act[]) {
  const world = new World();
  let tab = new Tab(world);
  const newest = new Map<Lease, string>();
  let edits = 0;
  const reopen = (delivered: number) => {
    // A page that is gone hears no more answers; what it sent may still arrive.
    tab.isRunning = false;
    world.pendingDeliveries = delivered;
    tab = new Tab(world);
  };
  const steps: { [K in Act['kind']]: (act: Extract<Act, { kind: K }>) => void } = {
    edit: (step) => {
      // The page is read-only from the wish to submit on.
      const lease = LEASES[step.place] as Lease;
      if (tab.state.submission.kind !== 'none' || tab.state.items[lease]?.lease !== 'open') return;
      const text = encodeWork({ document: `edit ${++edits} of ${lease}`, isDone: step.isDone });
      newest.set(lease, text);
      tab.edit(lease, text);
    },
    wake: ({ ms }) => {
      world.now += ms;
      tab.wake();
    },
    deliver: ({ at }) => world.deliver(at, true),
    'lose-reply': ({ at }) => world.deliver(at, false),
    lose: ({ at }) => world.lose(at),
    reload: ({ delivered }) => reopen(delivered),
    'take-over': ({ delivered }) => {
      tab.flush();
      reopen(delivered);
    },
    flush: () => tab.flush(),
    offline: () => tab.feed({ type: 'all', event: { type: 'offline' } }),
    online: () => tab.feed({ type: 'all', event: { type: 'online', now: world.now } }),
    'sign-out': ({ at }) => {
      const request = world.requests[at % Math.max(1, world.requests.length)];
      if (!request) return;
      world.requests.splice(world.requests.indexOf(request), 1);
      if (request.kind === 'submit') request.tab.feed({ type: 'submit-signed-out' });
      else {
        const event = { type: 'signed-out' as const, id: request.write.id };
        request.tab.feed({ type: 'item', lease: request.lease, event });
      }
    },
    'sign-in': () => tab.feed({ type: 'all', event: { type: 'signed-in', now: world.now } }),
    submit: () => {
      tab.flush();
      tab.feed({ type: 'submit' });
    },
    cancel: () => tab.feed({ type: 'cancel-submit' }),
  };
  const check = () => {
    for (const lease of LEASES) {
      // Wherever the person looks, it is the newest version; of a batch that has ended, the page says so.
      const shown = newestText(tab.state, lease);
      if (!world.answers && shown !== newest.get(lease))
        throw new Error(`The page shows "${shown}" and the newest work is "${newest.get(lease)}".`);
      if (tab.state.items[lease]?.outbox.condition.kind === 'conflict')
        throw new Error('A conflict, although there is one person and one browser.');
    }
    if (world.closings > 1) throw new Error('The batch was submitted twice.');
  };
  for (const step of history) {
    (steps[step.kind] as (act: Act) => void)(step);
    check();
  }
  return { world, newest, check, page: () => tab };
}

/** Everything works again, for long enough. */
function recover({ world, page, check }: ReturnType<typeof play>): void {
  const tab = page();
  for (let round = 0; round < 12; round++) {
    tab.feed({ type: 'all', event: { type: 'online', now: world.now } });
    tab.feed({ type: 'all', event: { type: 'signed-in', now: world.now } });
    world.now += 40_000;
    tab.wake();
    while (world.requests.length > 0) world.deliver(0, true);
    check();
  }
}

describe('the store of a batch', () => {
  const histories = fc.array(act, { maxLength: 60 });

  it('never loses or regresses work, whatever happens, over 10,000 histories', () => {
    let submitted = 0;
    fc.assert(
      fc.property(histories, (history) => {
        const played = play(history);
        recover(played);
        const { world, newest, page } = played;
        if (world.answers) {
          submitted++;
          // Exactly the newest version of every item that was done.
          const done = [...newest].flatMap(([lease, text]) => {
            const { document, isDone } = decodeWork(text);
            return isDone ? [[lease, document] as const] : [];
          });
          expect(new Map([...world.answers].sort())).toEqual(new Map(done.sort()));
          return;
        }
        expect(page().state.submission.kind).toBe('none');
        for (const lease of LEASES) expect(world.draftOf(lease).text).toBe(newest.get(lease));
        expect(world.stored.size).toBe(0);
      }),
      { numRuns: 10_000 },
    );
    // The property says something about both endings.
    expect(submitted).toBeGreaterThan(1000);
  });

  it('shows what another device stored as a conflict, and keeps both until the person chooses', () => {
    const server = [{ lease: 'a', state: 'open' as const, revision: 1, text: 'one' }];
    let state = openBatch(server, new Map(), 'none', 0).state;
    const feed = (event: BatchEvent) => {
      const step = stepBatch(state, event);
      state = step.state;
      return step.effects;
    };
    feed({ type: 'item', lease: 'a', event: { type: 'edited', document: 'mine', now: 0 } });
    feed({ type: 'item', lease: 'a', event: { type: 'woken', id: 'w', now: 900 } });
    const conflict = { type: 'conflicted' as const, id: 'w', revision: 2, theirs: 'theirs', now: 950 };
    feed({ type: 'item', lease: 'a', event: conflict });
    expect(state.items.a?.outbox.condition.kind).toBe('conflict');
    expect(newestText(state, 'a')).toBe('mine');
    expect(feed({ type: 'submit' }).map(({ kind }) => kind)).toEqual(['keep-wish']);
    feed({ type: 'item', lease: 'a', event: { type: 'resolved', keep: 'theirs', now: 1000 } });
    expect(newestText(state, 'a')).toBe('theirs');
    expect(state.submission.kind).toBe('sent');
  });

  it('knows the state of every item', () => {
    const server = [
      { lease: 'empty', state: 'open' as const, revision: 0, text: undefined },
      { lease: 'begun', state: 'open' as const, revision: 1, text: 'x' },
      {
        lease: 'done',
        state: 'open' as const,
        revision: 1,
        text: encodeWork({ document: 'x', isDone: true }),
      },
      { lease: 'reported', state: 'released' as const, revision: 0, text: undefined },
    ];
    const { state } = openBatch(server, new Map(), 'none', 0);
    expect(server.map(({ lease }) => itemStatus(state, lease))).toEqual([
      'empty',
      'started',
      'done',
      'released',
    ]);
    expect(openLeases(state)).toEqual(['empty', 'begun']);
  });
});
