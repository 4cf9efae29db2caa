import { describe, expect, it } from 'vitest';
import { throttledProgress } from '@/lib/services/jobs/progress';

describe('progress that is reported often', () => {
  it('is written at most four times a second, and its end always', async () => {
    let now = 0;
    const written: [number, number | null, string][] = [];
    const progress = throttledProgress(
      async ({ done, total, text }) => void written.push([done, total, text]),
      () => now,
    );
    for (let n = 1; n <= 100; n++) {
      now += 10;
      await progress.report(n, 100, n === 1 ? 'first words' : undefined);
    }
    await progress.flush();
    await progress.flush();
    expect(written.map(([done]) => done)).toEqual([1, 26, 51, 76, 100]);
    expect(written.at(-1)).toEqual([100, 100, 'first words']);
  });
});
