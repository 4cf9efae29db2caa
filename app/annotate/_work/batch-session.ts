import {
  BatchDriver,
  decodeWork,
  encodeWork,
  itemStatus,
  newestText,
  openBatch,
  type SentWrite,
  type StoredWork,
  type SubmitReply,
  type WriteReply,
} from '@/lib/core/editor';
import { closeBatch, getBatch, postAnswer, putDraft, Refused, type WorkBatch, type WorkItem } from './api';
import { BatchActivity } from './batch-activity';
import { codecOf, type ItemCodec } from './item-codec';
import { LocalStore } from './local-store';
import type { ExplainProblem } from './work-text';

/** As the server would answer it. */
const incomplete = new Refused(400, 'The item is not complete.', { code: 'incomplete' });

const STEP_MS = 25;
/** A tab that takes over waits no longer than this, in ms. */
const SETTLE_MS = 1200;

/** A batch that is open in this page: what the server said, the browser's storage, and the store between them. */
export class BatchSession {
  readonly batch: WorkBatch;
  readonly store: LocalStore;
  readonly driver: BatchDriver;
  readonly activities: BatchActivity;
  /** Called with the document that a person chose over their own. */
  readonly adopters = new Map<string, (document: string) => void>();
  /** Distinguishes sessions that follow each other on one page. */
  readonly id = crypto.randomUUID();
  /** Called when the server says that an item takes no more work. */
  onClosed: (() => void) | undefined;
  readonly #codecs: ReadonlyMap<string, ItemCodec>;
  readonly #explain: ExplainProblem;
  /** What the browser kept for items that were closed meanwhile. */
  readonly #leftOver: ReadonlyMap<string, StoredWork>;

  private constructor(
    batch: WorkBatch,
    store: LocalStore,
    activities: BatchActivity,
    found: Found,
    explain: ExplainProblem,
  ) {
    this.#explain = explain;
    this.batch = batch;
    this.store = store;
    this.activities = activities;
    this.#codecs = new Map(batch.items.map((item) => [item.leaseId, codecOf(batch, item)] as const));
    this.#leftOver = new Map(
      batch.items.flatMap(({ leaseId, state }) => {
        const work = found.work.get(leaseId);
        return work && state === 'released' ? [[leaseId, work] as const] : [];
      }),
    );
    const server = batch.items.map((item) => ({
      lease: item.leaseId,
      state: item.state,
      revision: item.draft?.revision ?? 0,
      text: item.draft ? this.#textOf(item.leaseId, item.draft) : undefined,
    }));
    const step = openBatch(server, found.work, found.wish, performance.now());
    this.driver = new BatchDriver(
      {
        storage: {
          write: (lease, work) => store.write('work', lease, work),
          clear: (lease) => store.remove('work', lease),
          keepWish: (wish) =>
            wish === 'none' ? store.remove('wishes', batch.id) : store.write('wishes', batch.id, wish),
        },
        send: (lease, write) => this.#send(lease, write),
        submit: () => this.#submit(),
        // Not the time of day: that may be hours off, and corrected while somebody draws.
        now: () => performance.now(),
        newId: () => crypto.randomUUID(),
        wakeAt: (at, wake) => void setTimeout(wake, Math.max(0, at - performance.now())),
        adopt: (lease, text) => this.adopters.get(lease)?.(decodeWork(text).document),
      },
      step,
    );
  }

  /** Reads the browser's storage before it asks the server: see `openBatch`. */
  static async open(batchId: string, userId: string, explain: ExplainProblem): Promise<BatchSession> {
    const store = await LocalStore.open(userId);
    const [work, wish, progress] = await Promise.all([
      store.readAll('work'),
      store.read('wishes', batchId),
      store.readAll('progress'),
    ]);
    const batch = await getBatch(batchId);
    const activities = new BatchActivity(store, batch.items, progress);
    return new BatchSession(batch, store, activities, { work, wish: wish ?? 'none' }, explain);
  }

  codec(lease: string): ItemCodec {
    const codec = this.#codecs.get(lease);
    if (!codec) throw new Error('Every lease of the batch has its codec.');
    return codec;
  }

  /** The newest document of an item, wherever it is stored. */
  document(lease: string): string | undefined {
    const text = newestText(this.driver.state, lease);
    return text === undefined ? undefined : decodeWork(text).document;
  }

  /** A done item stays done while its document is a complete answer. */
  edit(lease: string, document: string): void {
    const isDone = itemStatus(this.driver.state, lease) === 'done';
    this.driver.edit(lease, document, isDone && this.codec(lease).answer(document) !== undefined);
  }

  /** Marks an item without changing its document. A form may be complete before anything is chosen. */
  setDone(lease: string, isDone: boolean): void {
    const document = this.document(lease) ?? this.codec(lease).canonical({});
    this.driver.edit(lease, document, isDone);
  }

  /** Stores everything in the browser and, if possible in time, at the server; then sends nothing more. */
  async settle(): Promise<void> {
    const { driver } = this;
    driver.flush();
    await driver.settled();
    for (let waited = 0; !driver.isAllStored && waited < SETTLE_MS; waited += STEP_MS)
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    driver.stop();
  }

  /**
   * Leaves a batch that has ended. Done items that the server did not have by then are sent as late answers. Returns why
   * some could not be sent; they stay in the browser.
   */
  async leave(): Promise<string | undefined> {
    const refused = Object.entries(this.driver.state.items).flatMap(([lease, { outbox }]) =>
      outbox.pending ? [[lease, outbox.pending.document] as const] : [],
    );
    const left = [...this.#leftOver].map(([lease, { document }]) => [lease, document] as const);
    let problem: string | undefined;
    for (const [lease, text] of [...refused, ...left]) {
      const { document, isDone } = decodeWork(text);
      const value = isDone ? this.codec(lease).answer(document) : undefined;
      if (!value) continue;
      const activity = this.activities.of(lease);
      try {
        await postAnswer(lease, { id: activity.answerId, value, ...activity.evidence });
        await this.forget(lease);
      } catch (error) {
        problem = this.#explain(error);
      }
    }
    for (const [lease, { outbox }] of Object.entries(this.driver.state.items))
      if (!outbox.pending && itemStatus(this.driver.state, lease) === 'done') await this.forget(lease);
    return problem;
  }

  /** The server has the answer: nothing of the item is needed here any more. */
  async forget(lease: string): Promise<void> {
    await Promise.allSettled(
      (['work', 'gestures', 'progress'] as const).map((table) => this.store.remove(table, lease)),
    );
  }

  #textOf(lease: string, draft: NonNullable<WorkItem['draft']>): string {
    return encodeWork({ document: this.codec(lease).canonical(draft.document), isDone: draft.done });
  }

  async #send(lease: string, write: SentWrite): Promise<WriteReply> {
    try {
      const { document, isDone } = decodeWork(write.document);
      const value = isDone ? this.codec(lease).answer(document) : undefined;
      // Stored without an answer it would look done here and be left out when the batch is submitted.
      if (isDone && !value) return { kind: 'refused', reason: this.#explain(incomplete) };
      const { activeMs, ...evidence } = this.activities.of(lease).evidence;
      const { revision } = await putDraft(lease, {
        revision: write.expectedRevision,
        document: JSON.parse(document),
        activeMs,
        ...(value && { answer: { value, ...evidence } }),
      });
      return { kind: 'acknowledged', revision };
    } catch (error) {
      if (!(error instanceof Refused) || error.isPassing) throw error;
      if (error.isSignedOut) return { kind: 'signed-out' };
      const { revision, document, done } = error.more;
      if (error.status === 409 && typeof revision === 'number') {
        const theirs = document ? this.codec(lease).canonical(document) : '';
        return {
          kind: 'conflicted',
          revision,
          theirs: encodeWork({ document: theirs, isDone: done === true }),
        };
      }
      if (error.status === 409) this.onClosed?.();
      return { kind: 'refused', reason: this.#explain(error) };
    }
  }

  async #submit(): Promise<SubmitReply> {
    try {
      await closeBatch(this.batch.id);
      return { kind: 'accepted' };
    } catch (error) {
      if (!(error instanceof Refused) || error.isPassing) throw error;
      return error.isSignedOut ? { kind: 'signed-out' } : { kind: 'refused', reason: this.#explain(error) };
    }
  }
}

type Found = {
  readonly work: ReadonlyMap<string, StoredWork>;
  readonly wish: 'none' | 'wanted' | 'sent';
};
