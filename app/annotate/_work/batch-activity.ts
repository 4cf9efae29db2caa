import { InteractionRecorder, type InteractionSummary } from '@/lib/core/quality/interaction';
import { ActivityTimer } from './activity-timer';
import type { WorkItem } from './api';
import type { LocalStore, Progress } from './local-store';

/** The API accepts no longer ones. */
const MAX_CODE_LENGTH = 200;

export type Evidence = {
  readonly activeMs: number;
  readonly interaction: InteractionSummary;
  readonly programCode?: string;
};

/** Time spent on one item and how it was worked on, over all visits. */
export class ItemActivity {
  readonly timer = new ActivityTimer();
  readonly recorder = new InteractionRecorder();
  /** When the item was first shown, in ms of the page. */
  shownAt: number | undefined;
  /** The field that people cannot see, while the item is shown. */
  programField: HTMLInputElement | null = null;
  /** Of an answer that is sent by itself: the same however often it is tried. */
  readonly #answerId: string;
  #programCode = '';

  constructor(item: WorkItem | undefined, found: Progress | undefined) {
    this.#answerId = found?.answerId ?? crypto.randomUUID();
    this.timer.add(Math.max(found?.activeMs ?? 0, item?.draft?.activeMs ?? 0));
    if (found) this.recorder.resume(found.interaction);
    else if (item?.draft) this.recorder.resume();
  }

  get answerId(): string {
    return this.#answerId;
  }

  get progress(): Progress {
    return {
      answerId: this.#answerId,
      activeMs: this.timer.spent(performance.now()),
      interaction: this.recorder.state,
    };
  }

  get evidence(): Evidence {
    this.readField();
    return {
      activeMs: this.timer.spent(performance.now()),
      interaction: this.recorder.summary(),
      ...(this.#programCode && { programCode: this.#programCode }),
    };
  }

  /** Remembers what a program wrote into the field, also after the item is left. */
  readField(): void {
    if (this.programField?.value) this.#programCode = this.programField.value.slice(0, MAX_CODE_LENGTH);
  }
}

/** The activity on all items of a batch, by lease. */
export class BatchActivity {
  readonly #items: ReadonlyMap<string, ItemActivity>;
  readonly #store: LocalStore;

  constructor(store: LocalStore, items: readonly WorkItem[], found: ReadonlyMap<string, Progress>) {
    this.#store = store;
    this.#items = new Map(
      items.map((item) => [item.leaseId, new ItemActivity(item, found.get(item.leaseId))] as const),
    );
  }

  of(lease: string): ItemActivity {
    const activity = this.#items.get(lease);
    if (!activity) throw new Error('Every lease of the batch has its activity.');
    return activity;
  }

  keep(lease: string): void {
    this.#store.write('progress', lease, this.of(lease).progress).catch(() => undefined);
  }
}
