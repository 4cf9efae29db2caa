import { describe, expect, it } from 'vitest';
import { argumentsFor, type Result, readResults, remainingIn, reportOf, type Story } from './soak-state';

const stories: Story[] = [
  { file: 'test/e2e/a.spec.ts', line: 3, title: 'one' },
  { file: 'test/e2e/a.spec.ts', line: 9, title: 'two' },
  { file: 'test/e2e/b.spec.ts', line: 4, title: 'one' },
];
const result = (round: number, index: number, problem?: string): Result => {
  const { file, title } = stories[index] as Story;
  return { round, file, title, isPassed: problem === undefined, ms: 1, ...(problem && { problem }) };
};

describe('a soak that was interrupted', () => {
  it('continues in the round where it stopped, with whole files', () => {
    expect(remainingIn(1, stories, [])).toEqual(stories);
    expect(remainingIn(1, stories, [result(1, 0)])).toEqual(stories);
    expect(remainingIn(1, stories, [result(1, 0), result(1, 1)])).toEqual([stories[2]]);
    expect(remainingIn(2, stories, [result(1, 0), result(1, 1), result(1, 2)])).toEqual(stories);
    expect(remainingIn(1, stories, [result(1, 0), result(1, 1, 'broke'), result(1, 2)])).toEqual([]);
  });

  it('leaves out a line that was cut off', () => {
    const whole = JSON.stringify(result(1, 0));
    expect(readResults(`${whole}\n${whole.slice(0, 20)}`)).toEqual([result(1, 0)]);
    expect(readResults('')).toEqual([]);
  });

  it('counts a story that was repeated once per round, by its last result', () => {
    const results = [result(1, 0, 'broke'), result(1, 0), result(2, 0, 'broke again'), result(1, 2)];
    expect(reportOf(stories, results)).toEqual([
      {
        story: 'test/e2e/a.spec.ts › one',
        passed: 1,
        failed: 1,
        problems: [{ round: 2, problem: 'broke again' }],
      },
      { story: 'test/e2e/a.spec.ts › two', passed: 0, failed: 0, problems: [] },
      { story: 'test/e2e/b.spec.ts › one', passed: 1, failed: 0, problems: [] },
    ]);
  });

  it('names a file where all of it is wanted, and lines where some are', () => {
    expect(argumentsFor(stories, stories)).toEqual(['test/e2e/a.spec.ts', 'test/e2e/b.spec.ts']);
    expect(argumentsFor(stories.slice(1), stories)).toEqual(['test/e2e/a.spec.ts:9', 'test/e2e/b.spec.ts']);
  });
});
