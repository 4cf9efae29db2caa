import pLimit from 'p-limit';

/**
 * Runs `work` for every item, `concurrency` at a time. After a failure no further item is started. Rejects once the
 * running items have settled, so that nothing continues in the background.
 */
export async function forEachConcurrently<T>(
  concurrency: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit({ concurrency, rejectOnClear: true });
  let failure: { error: unknown } | null = null;
  await Promise.allSettled(
    items.map((item) =>
      limit(async () => {
        try {
          await work(item);
        } catch (error) {
          failure ??= { error };
          limit.clearQueue();
        }
      }),
    ),
  );
  if (failure) throw (failure as { error: unknown }).error;
}

/** Creates a function that runs one task after the other, in the order of the calls. A failure does not stop the next one. */
export const inTurn = (): (<T>(work: () => Promise<T>) => Promise<T>) => pLimit(1);
