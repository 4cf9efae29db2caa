/** Runs over all items, `width` at a time. The first failure stops the taking of new ones. */
export async function inParallel<T>(
  width: number,
  items: readonly T[],
  run: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let failed = false;
  const work = async () => {
    for (const item of queue) {
      if (failed) return;
      try {
        await run(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  // All settle before one is told: nothing goes on behind the caller's back.
  const ends = await Promise.allSettled(Array.from({ length: width }, work));
  const fault = ends.find((end) => end.status === 'rejected');
  if (fault) throw fault.reason;
}
