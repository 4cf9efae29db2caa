import { describe, expect, it } from 'vitest';
import {
  BatchDriver,
  type BatchOutside,
  decodeWork,
  itemStatus,
  newestText,
  openBatch,
  type SentWrite,
  type StoredWork,
  type Wish,
  type WriteReply,
} from '@/lib/core/editor';

const LEASES = ['a', 'b'];

/** A browser's storage that outlives a page, a server with drafts, and a clock turned by hand. */
class World {
  readonly stored = new Map<string, StoredWork>();
  wish: Wish = 'none';
  readonly drafts = new Map<string, { revision: number; text: string }>();
  answers: Record<string, string> | undefined;
  readonly wakes: { at: number; wake: () => void }[] = [];
  isReachable = true;
  adopted: string | undefined;
  #ids = 0;
  #now = 0;

  outside(): BatchOutside {
    return {
      storage: {
        write: async (lease, work) => void this.stored.set(lease, work),
        clear: async (lease) => void this.stored.delete(lease),
        keepWish: async (wish) => {
          this.wish = wish;
        },
      },
      send: (lease, write) => this.#serve(lease, write),
      submit: async () => {
        if (!this.isReachable) throw new Error('no answer');
        this.answers ??= Object.fromEntries(
          [...this.drafts].flatMap(([lease, { text }]) => {
            const { document, isDone } = decodeWork(text);
            return isDone ? [[lease, document]] : [];
          }),
        );
        return { kind: 'accepted' };
      },
      now: () => this.#now,
      newId: () => `write-${++this.#ids}`,
      wakeAt: (at, wake) => void this.wakes.push({ at, wake }),
      adopt: (_, text) => {
        this.adopted = text;
      },
    };
  }

  open(): BatchDriver {
    const server = LEASES.map((lease) => ({
      lease,
      state: 'open' as const,
      revision: this.drafts.get(lease)?.revision ?? 0,
      text: this.drafts.get(lease)?.text,
    }));
    const driver = new BatchDriver(this.outside(), openBatch(server, this.stored, this.wish, this.#now));
    driver.start();
    return driver;
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.wakes.filter(({ at }) => at <= this.#now);
    for (const entry of due) this.wakes.splice(this.wakes.indexOf(entry), 1);
    for (const { wake } of due) wake();
    for (let i = 0; i < 20; i++) await Promise.resolve();
  }

  async #serve(lease: string, write: SentWrite): Promise<WriteReply> {
    if (!this.isReachable) throw new Error('no answer');
    const { revision, text } = this.drafts.get(lease) ?? { revision: 0, text: '' };
    if (write.expectedRevision !== revision) return { kind: 'conflicted', revision, theirs: text };
    this.drafts.set(lease, { revision: revision + 1, text: write.document });
    return { kind: 'acknowledged', revision: revision + 1 };
  }
}

describe('a page with the store of a batch', () => {
  it('brings an edit to the server, leaves nothing in the browser, and still shows the edit', async () => {
    const world = new World();
    const page = world.open();
    page.edit('a', 'one', false);
    await page.settled();
    expect(world.stored.get('a')?.document).toBe('one');
    await world.pass(1000);
    await page.settled();
    expect(world.drafts.get('a')).toEqual({ revision: 1, text: 'one' });
    expect(world.stored.size).toBe(0);
    expect(page.isAllStored).toBe(true);
    expect(newestText(page.state, 'a')).toBe('one');
  });

  it('survives a tab that is closed right after a stroke while the server is down', async () => {
    const world = new World();
    world.isReachable = false;
    const page = world.open();
    page.edit('a', 'one', false);
    await page.settled();
    await world.pass(1000);
    page.stop();
    world.wakes.length = 0;
    world.isReachable = true;
    const reopened = world.open();
    await world.pass(10);
    await reopened.settled();
    expect(world.drafts.get('a')?.text).toBe('one');
    expect(world.stored.size).toBe(0);
  });

  it('shows a conflict and takes the choice', async () => {
    const world = new World();
    const page = world.open();
    world.drafts.set('a', { revision: 1, text: 'theirs' });
    page.edit('a', 'mine', false);
    await world.pass(1000);
    expect(page.state.items.a?.outbox.condition).toMatchObject({ kind: 'conflict', theirs: 'theirs' });
    page.resolve('a', 'theirs');
    expect(world.adopted).toBe('theirs');
    expect(newestText(page.state, 'a')).toBe('theirs');
    page.edit('a', 'mine after all', false);
    await world.pass(1000);
    expect(world.drafts.get('a')).toEqual({ revision: 2, text: 'mine after all' });
  });

  it('submits from the offline queue after a reload, with all work before it', async () => {
    const world = new World();
    world.isReachable = false;
    const page = world.open();
    page.edit('a', 'one', true);
    page.edit('b', 'two', false);
    page.submit();
    await world.pass(1000);
    await page.settled();
    expect(world.wish).toBe('wanted');
    page.stop();
    world.wakes.length = 0;
    world.isReachable = true;
    const reopened = world.open();
    for (let step = 0; step < 5; step++) await world.pass(2000);
    await reopened.settled();
    expect(world.answers).toEqual({ a: 'one' });
    expect(reopened.state.submission.kind).toBe('accepted');
    expect(world.wish).toBe('none');
  });

  it('does not touch the storage of the tab that took over', async () => {
    const world = new World();
    const first = world.open();
    first.edit('a', 'one', false);
    await first.settled();
    first.flush();
    first.stop();
    const second = world.open();
    second.edit('a', 'two', false);
    await world.pass(0);
    await first.settled();
    expect(world.stored.get('a')?.document).toBe('two');
    await world.pass(1000);
    await world.pass(1000);
    expect(world.drafts.get('a')?.text).toBe('two');
    expect(itemStatus(second.state, 'a')).toBe('started');
  });
});
