import { describe, expect, it } from 'vitest';
import {
  isAllStored,
  OutboxDriver,
  type OutboxOutside,
  type SentWrite,
  type StoredWork,
  type WriteReply,
} from '@/lib/annotator';

/** A browser's storage that outlives a page, a server with a draft, and a clock turned by hand. */
class World {
  stored: StoredWork | undefined;
  readonly draft = { revision: 0, document: '' };
  readonly wakes: { at: number; wake: () => void }[] = [];
  isReachable = true;
  adopted: string | undefined;
  #ids = 0;
  #now = 0;

  outside(): OutboxOutside {
    return {
      storage: {
        read: async () => this.stored,
        write: async (work) => {
          this.stored = work;
        },
        clear: async () => {
          this.stored = undefined;
        },
      },
      send: (write) => this.#serve(write),
      now: () => this.#now,
      newId: () => `write-${++this.#ids}`,
      wakeAt: (at, wake) => this.wakes.push({ at, wake }),
      adopt: (document) => {
        this.adopted = document;
      },
      changed: () => undefined,
    };
  }

  open(): Promise<OutboxDriver> {
    const { revision, document } = this.draft;
    return OutboxDriver.open(this.outside(), { revision, document: revision === 0 ? undefined : document });
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.wakes.filter(({ at }) => at <= this.#now);
    for (const entry of due) this.wakes.splice(this.wakes.indexOf(entry), 1);
    for (const { wake } of due) wake();
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }

  async #serve(write: SentWrite): Promise<WriteReply> {
    if (!this.isReachable) throw new Error('no answer');
    if (write.expectedRevision !== this.draft.revision)
      return { kind: 'conflicted', revision: this.draft.revision, theirs: this.draft.document };
    Object.assign(this.draft, { revision: this.draft.revision + 1, document: write.document });
    return { kind: 'acknowledged', revision: this.draft.revision };
  }
}

describe('a page with an outbox', () => {
  it('brings an edit to the server and then leaves nothing in the browser', async () => {
    const world = new World();
    const page = await world.open();
    page.edited('a');
    await page.settled();
    expect(world.stored?.document).toBe('a');
    await world.pass(1000);
    await page.settled();
    expect(world.draft).toEqual({ revision: 1, document: 'a' });
    expect(world.stored).toBeUndefined();
    expect(isAllStored(page.state)).toBe(true);
  });

  it('survives a tab that is closed right after a stroke while the server is down', async () => {
    const world = new World();
    world.isReachable = false;
    const page = await world.open();
    page.edited('a');
    await page.settled();
    await world.pass(1000);
    world.wakes.length = 0;
    world.isReachable = true;
    const reopened = await world.open();
    await world.pass(10);
    await reopened.settled();
    expect(world.draft.document).toBe('a');
    expect(world.stored).toBeUndefined();
  });

  it('shows a conflict and takes the choice', async () => {
    const world = new World();
    const page = await world.open();
    Object.assign(world.draft, { revision: 1, document: 'theirs' });
    page.edited('mine');
    await world.pass(1000);
    expect(page.state.condition).toMatchObject({ kind: 'conflict', theirs: 'theirs' });
    page.resolve('theirs');
    expect(world.adopted).toBe('theirs');
    page.edited('mine after all');
    await world.pass(1000);
    expect(world.draft).toEqual({ revision: 2, document: 'mine after all' });
  });
});
