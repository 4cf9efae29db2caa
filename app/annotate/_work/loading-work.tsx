'use client';

import { Skeleton } from '@/app/_ui/skeleton';
import { exceptSubmit, useKeyQueue } from '@/app/_ui/use-key-queue';

/**
 * The frame of the page while the batch is on its way: nothing moves when it arrives. Keys wait for it, except on a page
 * that is being left.
 */
export function LoadingWork({ isLeaving = false }: { isLeaving?: boolean }) {
  useKeyQueue(!isLeaving, exceptSubmit);
  return (
    <main className="grid h-dvh grid-rows-[3rem_1fr_2.25rem]" aria-busy="true">
      <div className="flex items-center border-b border-line bg-surface px-4">
        <Skeleton className="h-4 w-72" />
      </div>
      <div className="bg-stage" />
      <div className="border-t border-line bg-surface" />
    </main>
  );
}
