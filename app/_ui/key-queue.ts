/** A key that went down or up, under the name that shortcuts have (`keyName`). */
export interface QueuedKey {
  type: 'keydown' | 'keyup';
  name: string;
  /** The physical key, which is the same when it goes down and up. */
  code: string;
  isRepeat: boolean;
}

/** Reports whether a key is meant for the item that is not ready yet. */
export type NeedsItem = (name: string) => boolean;

interface Outlets<Key> {
  /** Passes the key to the page. Returns false when nothing on the page used it. */
  deliver(key: Key): boolean;
  /** Reports keys that were not applied. */
  reject(keys: readonly Key[]): void;
  /** Runs after the page has drawn the effect of the last key. */
  schedule(work: () => void): void;
}

/** More keys than anybody types ahead. */
const MAX_KEYS = 32;

/**
 * Keeps the keys that are pressed while an item loads or is being stored, and delivers them in order once the page is
 * ready. A key that cannot be applied is rejected visibly, never dropped silently.
 */
export class KeyQueue<Key extends QueuedKey> {
  readonly #outlets: Outlets<Key>;
  /** Parts of the page that use the queue. A busy part has a predicate for the keys that it needs. */
  readonly #parts = new Map<symbol, NeedsItem | null>();
  #keys: Key[] = [];
  #isScheduled = false;

  constructor(outlets: Outlets<Key>) {
    this.#outlets = outlets;
  }

  get length(): number {
    return this.#keys.length;
  }

  setPart(part: symbol, needs: NeedsItem | null): void {
    this.#parts.set(part, needs);
    this.#continue();
  }

  removePart(part: symbol): void {
    this.#parts.delete(part);
    this.#continue();
  }

  /** Takes the key if it has to wait. Returns false when the page should handle it now. */
  offer(key: Key): boolean {
    if (key.type === 'keyup') {
      const isDownQueued = this.#keys.some(({ code }) => code === key.code);
      if (isDownQueued) this.#keys.push(key);
      return isDownQueued;
    }
    const isWaiting = this.#keys.length > 0;
    if (!isQueueable(key.name) || !(isWaiting || this.#isNeeded(key.name))) return false;
    // A key that is held down must not decide about items that are not on the screen yet.
    if (key.isRepeat) return true;
    if (this.#keys.length >= MAX_KEYS) this.#outlets.reject([key]);
    else this.#keys.push(key);
    this.#continue();
    return true;
  }

  /** Rejects all queued keys, because the item that they were meant for will not load. */
  rejectAll(): void {
    const keys = this.#keys.filter(({ type }) => type === 'keydown');
    this.#keys = [];
    if (keys.length > 0) this.#outlets.reject(keys);
  }

  #isNeeded(name: string): boolean {
    return [...this.#parts.values()].some((needs) => needs?.(name));
  }

  #continue(): void {
    if (this.#isScheduled || this.#keys.length === 0) return;
    this.#isScheduled = true;
    this.#outlets.schedule(() => {
      this.#isScheduled = false;
      this.#step();
    });
  }

  #step(): void {
    // Between two items one part unmounts and the next one mounts, within one render.
    if (this.#parts.size === 0) this.rejectAll();
    const [next] = this.#keys;
    if (!next || [...this.#parts.values()].some((needs) => needs !== null)) return;
    this.#keys.shift();
    const isUsed = this.#outlets.deliver(next);
    if (!isUsed && next.type === 'keydown') this.#outlets.reject([next]);
    this.#continue();
  }
}

const EDITING = new Set(['Mod+Enter', 'Mod+Z', 'Mod+Shift+Z', 'Mod+Y', 'Mod+A']);
const NAVIGATION = /(^|\+)(Tab|Escape|F\d+|Control|Shift|Alt|AltGraph|Meta|CapsLock|Dead|Process)$/;

/** Keys of the browser and of the desktop pass. */
function isQueueable(name: string): boolean {
  return EDITING.has(name) || !(name.startsWith('Mod+') || NAVIGATION.test(name));
}
