import { Skeleton } from '@/app/_ui/skeleton';

/** The frame of the page while the batch is on its way: nothing moves when it arrives. */
export function LoadingWork() {
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
