export interface ProgressReport {
  done: number;
  total: number | null;
  text: string;
}

/** At most four writes a second. */
const everyMs = 250;

/**
 * Progress that may be reported for every picture and is written a few times a second: the newest report
 * wins, and `flush` writes the one that still waits.
 */
export function throttledProgress(
  write: (report: ProgressReport) => Promise<void>,
  now: () => number = Date.now,
) {
  let waiting: ProgressReport | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let text = '';

  const flush = async () => {
    if (!waiting) return;
    const report = waiting;
    waiting = undefined;
    writtenAt = now();
    await write(report);
  };

  return {
    async report(done: number, total: number | null, newText?: string) {
      text = newText ?? text;
      waiting = { done, total, text };
      if (now() - writtenAt >= everyMs) await flush();
    },
    flush,
  };
}
