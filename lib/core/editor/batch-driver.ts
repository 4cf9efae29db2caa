import {
  type BatchEffect,
  type BatchEvent,
  type BatchState,
  type BatchStep,
  encodeWork,
  newestText,
  stepBatch,
  type Wish,
} from './batch-store';
import type { OutboxEffect, OutboxEvent, SentWrite, StoredWork } from './outbox';
import { isAllStored } from './outbox-status';

/** The browser's storage for one batch of one person. */
export type BatchStorage = {
  write(lease: string, work: StoredWork): Promise<void>;
  clear(lease: string): Promise<void>;
  keepWish(wish: Wish): Promise<void>;
};

export type WriteReply =
  | { readonly kind: 'acknowledged'; readonly revision: number }
  | { readonly kind: 'conflicted'; readonly revision: number; readonly theirs: string }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly reason: string };

export type SubmitReply =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly reason: string };

export type BatchOutside = {
  readonly storage: BatchStorage;
  /** Rejects when there is no answer; that is tried again. */
  readonly send: (lease: string, write: SentWrite) => Promise<WriteReply>;
  readonly submit: () => Promise<SubmitReply>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly wakeAt: (at: number, wake: () => void) => void;
  /** The person chose the server's document. */
  readonly adopt: (lease: string, text: string) => void;
};

/** Performs the effects of the batch store, in order, through the interfaces that it is given. */
export class BatchDriver {
  #state: BatchState;
  readonly #outside: BatchOutside;
  #initial: readonly BatchEffect[];
  #isRunning = false;
  readonly #listeners = new Set<() => void>();
  /** Storage calls queue up behind each other, so that an older document never overwrites a newer one. */
  #storing: Promise<void> = Promise.resolve();

  constructor(outside: BatchOutside, { state, effects }: BatchStep) {
    this.#outside = outside;
    this.#state = state;
    this.#initial = effects;
  }

  get state(): BatchState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins to send. Only the tab that owns the batch does. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const effects = this.#initial;
    this.#initial = [];
    for (const effect of effects) this.#do(effect);
  }

  /** Another tab owns the batch now: late answers to this tab must not touch the storage that the other one uses. */
  stop(): void {
    this.#isRunning = false;
  }

  edit(lease: string, document: string, isDone: boolean): void {
    const text = encodeWork({ document, isDone });
    if (text === newestText(this.#state, lease)) return;
    this.#feedItem(lease, { type: 'edited', document: text, now: this.#outside.now() });
  }

  flush(): void {
    for (const lease of Object.keys(this.#state.items))
      this.#feedItem(lease, { type: 'flush', id: this.#outside.newId() });
  }

  online(isOnline: boolean): void {
    const event = isOnline
      ? { type: 'online' as const, now: this.#outside.now() }
      : { type: 'offline' as const };
    this.#feed({ type: 'all', event });
  }

  signedIn(): void {
    this.#feed({ type: 'all', event: { type: 'signed-in', now: this.#outside.now() } });
  }

  resolve(lease: string, keep: 'mine' | 'theirs'): void {
    this.#feedItem(lease, { type: 'resolved', keep, now: this.#outside.now() });
  }

  /** The item was answered by itself, or reported as broken. */
  close(lease: string, state: 'answered' | 'released'): void {
    this.#feed({ type: 'lease', lease, state });
  }

  submit(): void {
    this.flush();
    this.#feed({ type: 'submit' });
  }

  cancelSubmit(): void {
    this.#feed({ type: 'cancel-submit' });
  }

  /** Resolves when everything asked of the browser's storage so far is done. */
  settled(): Promise<void> {
    return this.#storing;
  }

  get isAllStored(): boolean {
    return Object.values(this.#state.items).every(
      ({ lease, outbox }) => lease !== 'open' || isAllStored(outbox),
    );
  }

  #feedItem(lease: string, event: OutboxEvent): void {
    this.#feed({ type: 'item', lease, event });
  }

  #feed(event: BatchEvent): void {
    if (!this.#isRunning) return;
    const { state, effects } = stepBatch(this.#state, event);
    const isChanged = state !== this.#state;
    this.#state = state;
    for (const effect of effects) this.#do(effect);
    if (isChanged) for (const listener of this.#listeners) listener();
  }

  #do(effect: BatchEffect): void {
    const { storage, wakeAt, now } = this.#outside;
    switch (effect.kind) {
      case 'item':
        this.#doItem(effect.lease, effect.effect);
        break;
      case 'keep-wish':
        this.#queue(() => storage.keepWish(effect.wish));
        break;
      case 'wake':
        wakeAt(effect.at, () => this.#feed({ type: 'submit-woken', now: now() }));
        break;
      case 'submit':
        void this.#submit();
    }
  }

  #doItem(lease: string, effect: OutboxEffect): void {
    const { storage, wakeAt, now, newId, adopt } = this.#outside;
    switch (effect.kind) {
      case 'store': {
        const { work, edits } = effect;
        this.#queue(
          () => storage.write(lease, work),
          () => this.#feedItem(lease, { type: 'stored-here', edits }),
        );
        break;
      }
      case 'forget':
        this.#queue(() => storage.clear(lease));
        break;
      case 'send':
        void this.#send(lease, effect.write);
        break;
      case 'wake':
        wakeAt(effect.at, () => this.#feedItem(lease, { type: 'woken', now: now(), id: newId() }));
        break;
      case 'adopt':
        adopt(lease, effect.document);
    }
  }

  /** Storage that fails must not stop what comes after; the edit then counts as not stored here. */
  #queue(work: () => Promise<void>, done?: () => void): void {
    this.#storing = this.#storing.then(work).then(done, () => undefined);
  }

  async #send(lease: string, write: SentWrite): Promise<void> {
    const { send, now } = this.#outside;
    const { id } = write;
    try {
      const reply = await send(lease, write);
      switch (reply.kind) {
        case 'acknowledged':
          return this.#feedItem(lease, { ...reply, type: 'acknowledged', id, now: now() });
        case 'conflicted':
          return this.#feedItem(lease, { ...reply, type: 'conflicted', id, now: now() });
        case 'signed-out':
          return this.#feedItem(lease, { type: 'signed-out', id });
        case 'refused':
          return this.#feedItem(lease, { type: 'refused', id, reason: reply.reason });
      }
    } catch {
      this.#feedItem(lease, { type: 'failed', id, now: now() });
    }
  }

  async #submit(): Promise<void> {
    const { submit, now } = this.#outside;
    try {
      const reply = await submit();
      if (reply.kind === 'accepted') this.#feed({ type: 'submit-accepted' });
      else if (reply.kind === 'signed-out') this.#feed({ type: 'submit-signed-out' });
      else this.#feed({ type: 'submit-refused', reason: reply.reason });
    } catch {
      this.#feed({ type: 'submit-failed', now: now() });
    }
  }
}
