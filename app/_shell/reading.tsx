import { Skeleton } from '@/app/_ui/skeleton';
import { RefreshWhile } from './refresh-while';

/** How long a page waits for labels that are being read before it says so and looks again by itself. */
export const PAGE_TIMEOUT_MS = 8000;

/** Shows progress in place of the result. */
export const ReadingNotice = ({ text, className = 'h-40' }: { text: string; className?: string }) => (
  <div role="status" className="flex flex-col gap-3">
    <p className="text-ink-2">{text}</p>
    <Skeleton className={className} />
  </div>
);

/** The reading goes on without the page, which looks again until it is there. */
export const StillReading = ({ text }: { text: string }) => (
  <div role="status" className="flex flex-col gap-1">
    <RefreshWhile active />
    <p>{text}</p>
    <p className="text-xs text-ink-2">
      This takes a while and continues in the background. The page refreshes by itself.
    </p>
  </div>
);
