import {
  type OutboxEffect,
  type OutboxEvent,
  type OutboxState,
  type OutboxStep,
  openOutbox,
  type SentWrite,
  type StoredWork,
  stepOutbox,
} from './outbox';

/** The browser's storage for one item of one person. */
export type WorkStorage = {
  read(): Promise<StoredWork | undefined>;
  write(work: StoredWork): Promise<void>;
  clear(): Promise<void>;
};

export type WriteReply =
  | { readonly kind: 'acknowledged'; readonly revision: number }
  | { readonly kind: 'conflicted'; readonly revision: number; readonly theirs: string }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly reason: string };

export type OutboxOutside = {
  readonly storage: WorkStorage;
  /** Rejects when there is no answer; that is tried again. */
  readonly send: (write: SentWrite) => Promise<WriteReply>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly wakeAt: (at: number, wake: () => void) => void;
  readonly adopt: (document: string) => void;
  readonly changed: (state: OutboxState) => void;
};

/** Does what the outbox says, in order, with the outside that it is given. */
export class OutboxDriver {
  #state: OutboxState;
  readonly #outside: OutboxOutside;
  /** Storage calls queue up behind each other, so that an older document never overwrites a newer one. */
  #storing: Promise<void> = Promise.resolve();

  private constructor(outside: OutboxOutside, { state }: OutboxStep) {
    this.#outside = outside;
    this.#state = state;
  }

  static async open(
    outside: OutboxOutside,
    server: { readonly revision: number; readonly document: string | undefined },
  ): Promise<OutboxDriver> {
    const step = openOutbox(server, await outside.storage.read(), outside.now());
    const driver = new OutboxDriver(outside, step);
    for (const effect of step.effects) driver.#do(effect);
    return driver;
  }

  get state(): OutboxState {
    return this.#state;
  }

  edited(document: string): void {
    this.#feed({ type: 'edited', document, now: this.#outside.now() });
  }

  flush(): void {
    this.#feed({ type: 'flush', id: this.#outside.newId() });
  }

  online(isOnline: boolean): void {
    this.#feed(isOnline ? { type: 'online', now: this.#outside.now() } : { type: 'offline' });
  }

  signedIn(): void {
    this.#feed({ type: 'signed-in', now: this.#outside.now() });
  }

  resolve(keep: 'mine' | 'theirs'): void {
    this.#feed({ type: 'resolved', keep, now: this.#outside.now() });
  }

  /** Everything asked of the browser's storage so far is done. */
  settled(): Promise<void> {
    return this.#storing;
  }

  #feed(event: OutboxEvent): void {
    const { state, effects } = stepOutbox(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#do(effect);
    this.#outside.changed(this.#state);
  }

  #do(effect: OutboxEffect): void {
    const { storage, wakeAt, now, newId, adopt } = this.#outside;
    switch (effect.kind) {
      case 'store': {
        const { work, edits } = effect;
        this.#queue(
          () => storage.write(work),
          () => this.#feed({ type: 'stored-here', edits }),
        );
        return;
      }
      case 'forget':
        this.#queue(() => storage.clear());
        return;
      case 'send':
        void this.#send(effect.write);
        return;
      case 'wake':
        wakeAt(effect.at, () => this.#feed({ type: 'woken', now: now(), id: newId() }));
        return;
      case 'adopt':
        adopt(effect.document);
    }
  }

  /** Storage that fails must not stop what comes after; the edit then counts as not stored here. */
  #queue(work: () => Promise<void>, done?: () => void): void {
    this.#storing = this.#storing.then(work).then(done, () => undefined);
  }

  async #send(write: SentWrite): Promise<void> {
    const { send, now } = this.#outside;
    const { id } = write;
    try {
      const reply = await send(write);
      switch (reply.kind) {
        case 'acknowledged':
          return this.#feed({ type: 'acknowledged', id, revision: reply.revision, now: now() });
        case 'conflicted':
          return this.#feed({
            type: 'conflicted',
            id,
            revision: reply.revision,
            theirs: reply.theirs,
            now: now(),
          });
        case 'signed-out':
          return this.#feed({ type: 'signed-out', id });
        case 'refused':
          return this.#feed({ type: 'refused', id, reason: reply.reason });
      }
    } catch {
      this.#feed({ type: 'failed', id, now: now() });
    }
  }
}
