import type { OutboxDriver } from '@/lib/annotator';
import type { AnswerValue } from '@/lib/quality/answer';
import type { WorkBatch, WorkItem } from './api';
import type { ImageCache } from './image-cache';
import type { LocalStore } from './local-store';
import type { BatchGuide } from './short-guide';

/** What every kind of item is given by the batch that it is in. */
export interface ItemProps {
  batch: WorkBatch;
  item: WorkItem;
  /** From 0. */
  index: number;
  userId: string;
  guide: BatchGuide;
  store: LocalStore;
  images: ImageCache;
  /** False in a second tab, until it takes over. */
  mayEdit: boolean;
  isReader: boolean;
  onTakeOver: () => void;
  onAnswered: (value: AnswerValue, isOver: boolean) => void;
  /** The item was given up as broken. */
  onReleased: () => void;
  onGo: (step: 1 | -1) => void;
  /** The batch must be asked for anew: links ran out. */
  onReload: () => Promise<void>;
  /** Keeps the item's outbox for a tab that takes over. */
  onOutbox: (outbox: OutboxDriver | undefined) => void;
  ended: string | undefined;
}
