import type { BatchState, ItemStatus } from '@/lib/core/editor';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { WorkBatch, WorkItem } from './api';
import type { BatchSession } from './batch-session';
import type { ImageCache } from './image-cache';
import type { BatchGuide } from './short-guide';
import type { Sheets } from './use-sheets';
import type { WorkImage } from './work-image';
import type { RememberedSettings } from './workspace-settings';

/** What every kind of item is given by the workspace. */
export interface ItemProps {
  session: BatchSession;
  batch: WorkBatch;
  work: BatchState;
  item: WorkItem;
  /** The images of the batch in their order, and the one that is open. */
  images: readonly WorkImage[];
  image: WorkImage;
  status: ItemStatus;
  userId: string;
  guide: BatchGuide;
  pictures: ImageCache;
  settings: RememberedSettings;
  /** Models for the smart object tool are installed. */
  hasSmartTools: boolean;
  sheets: Sheets;
  /** False in a second tab until it takes over, while the batch is being submitted, and after it has ended. */
  canEdit: boolean;
  /** Marks the item as done and goes on to the next open one. In practice the answer is compared instead. */
  onDone: (value: AnswerValue) => void;
  /** Marks several items of the image as done and goes on to the next open one. */
  onImageDone: (items: readonly WorkItem[]) => void;
  /** The item is not done after all. */
  onReopen: () => void;
  /** An answer of practice is on its way. */
  isChecking: boolean;
  /** The items were given up as broken. */
  onReleased: (items: readonly WorkItem[]) => void;
  onSubmit: () => void;
  /** By images. */
  onGo: (step: 1 | -1) => void;
  onOpen: (item: WorkItem) => void;
  /** The batch must be asked for anew: links ran out. */
  onReload: () => Promise<void>;
  /** What lies over the work: messages of the workspace itself. */
  messages: React.ReactNode;
}
