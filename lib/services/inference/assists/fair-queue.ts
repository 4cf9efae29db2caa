/** 0: somebody waits for it; 1: somebody begins soon; 2: ahead of time. */
export type Rank = 0 | 1 | 2;
const RANKS = [0, 1, 2] as const;

interface Entry {
  key: string;
  run: () => Promise<void>;
  drop: () => void;
}

/**
 * Runs one job at a time. Lower ranks go first; within a rank, owners take turns, so that somebody with many jobs delays
 * everybody else by one job at most.
 */
export class FairQueue {
  /** Owners in the order of their turns. An owner without jobs has no entry. */
  readonly #lanes: Record<Rank, Map<string, Entry[]>> = { 0: new Map(), 1: new Map(), 2: new Map() };
  readonly #maxPerOwner: number;
  #running = false;

  /** `maxPerOwner`: jobs of one rank that one owner can have waiting. */
  constructor(maxPerOwner: number) {
    this.#maxPerOwner = maxPerOwner;
  }

  /** Jobs that wait, of one owner or of all. */
  waiting(rank: Rank, owner?: string): number {
    const lane = this.#lanes[rank];
    if (owner !== undefined) return lane.get(owner)?.length ?? 0;
    return [...lane.values()].reduce((sum, entries) => sum + entries.length, 0);
  }

  isFull(rank: Rank, owner: string): boolean {
    return this.waiting(rank, owner) >= this.#maxPerOwner;
  }

  /** Resolves to undefined if the job was dropped because its owner added too many newer ones. */
  add<T>(rank: Rank, owner: string, key: string, work: () => Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const run = () => work().then(resolve, reject);
      const lane = this.#lanes[rank];
      const entries = lane.get(owner) ?? [];
      entries.push({ key, run, drop: () => resolve(undefined) });
      lane.set(owner, entries);
      // The oldest is the picture that the owner has left behind.
      if (entries.length > this.#maxPerOwner) entries.shift()?.drop();
      void this.#drain();
    });
  }

  /** Moves a waiting job to a more urgent rank, for an owner who now needs it. */
  promote(key: string, rank: Rank, owner: string): void {
    for (const from of RANKS.filter((each) => each > rank)) {
      const lane = this.#lanes[from];
      for (const [name, entries] of lane) {
        const at = entries.findIndex((entry) => entry.key === key);
        if (at < 0) continue;
        const [entry] = entries.splice(at, 1);
        if (entries.length === 0) lane.delete(name);
        if (entry) this.#lanes[rank].set(owner, [...(this.#lanes[rank].get(owner) ?? []), entry]);
        return;
      }
    }
  }

  async #drain(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let next = this.#next(); next; next = this.#next()) await next.run();
    this.#running = false;
  }

  #next(): Entry | undefined {
    for (const rank of RANKS) {
      const lane = this.#lanes[rank];
      const [turn] = lane;
      if (!turn) continue;
      const [owner, entries] = turn;
      const entry = entries.shift();
      lane.delete(owner);
      if (entries.length > 0) lane.set(owner, entries);
      return entry;
    }
    return undefined;
  }
}
