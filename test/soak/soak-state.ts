/** A browser story by its file, its place in it, and its title. */
export interface Story {
  file: string;
  line: number;
  title: string;
}

/** How a story ended in a round, as one line of the results file. */
export interface Result {
  round: number;
  file: string;
  title: string;
  isPassed: boolean;
  ms: number;
  /** The first line of what went wrong. */
  problem?: string;
}

export interface StoryReport {
  story: string;
  passed: number;
  failed: number;
  problems: { round: number; problem: string }[];
}

export const nameOf = ({ file, title }: Pick<Story, 'file' | 'title'>): string => `${file} › ${title}`;

/** Reads the lines that a run has written; one that was cut off by a kill is left out. */
export function readResults(text: string): Result[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Result];
    } catch {
      return [];
    }
  });
}

/** Lists the stories that have no result in a round. Whole files are repeated: stories of a file share what they made. */
export function remainingIn(round: number, stories: readonly Story[], results: readonly Result[]): Story[] {
  const done = new Set(results.filter((each) => each.round === round).map(nameOf));
  const open = new Set(stories.filter((story) => !done.has(nameOf(story))).map(({ file }) => file));
  return stories.filter(({ file }) => open.has(file));
}

/** Arguments for Playwright: a file by its name where all of its stories are wanted, else every story by its line. */
export function argumentsFor(wanted: readonly Story[], all: readonly Story[]): string[] {
  return [...new Set(wanted.map(({ file }) => file))].flatMap((file) => {
    const some = wanted.filter((story) => story.file === file);
    const isWhole = some.length === all.filter((story) => story.file === file).length;
    return isWhole ? [file] : some.map(({ line }) => `${file}:${line}`);
  });
}

/** Counts rounds per story. A story that was repeated after an interruption counts once per round, by its last result. */
export function reportOf(stories: readonly Story[], results: readonly Result[]): StoryReport[] {
  return stories.map((story) => {
    const rounds = new Map(
      results.filter((each) => nameOf(each) === nameOf(story)).map((each) => [each.round, each]),
    );
    const failures = [...rounds.values()].filter(({ isPassed }) => !isPassed);
    return {
      story: nameOf(story),
      passed: rounds.size - failures.length,
      failed: failures.length,
      problems: failures.map(({ round, problem = '' }) => ({ round, problem })),
    };
  });
}
