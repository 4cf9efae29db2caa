/** After this long without a move or a key the person is taken to be away, in ms. */
const IDLE_MS = 30_000;

/** Time spent on an item, without pauses. Times are ms from any fixed moment. */
export class ActivityTimer {
  #counted = 0;
  #last: number | undefined;

  /** Time from before, as when the page was reloaded. */
  add(ms: number): void {
    this.#counted += ms;
  }

  /** The person did something. */
  touch(now: number): void {
    this.#counted += this.#open(now);
    this.#last = now;
  }

  /** The page was hidden: what follows is not time spent here. */
  pause(now: number): void {
    this.#counted += this.#open(now);
    this.#last = undefined;
  }

  spent(now: number): number {
    return Math.round(this.#counted + this.#open(now));
  }

  #open(now: number): number {
    return this.#last === undefined ? 0 : Math.min(IDLE_MS, Math.max(0, now - this.#last));
  }
}
