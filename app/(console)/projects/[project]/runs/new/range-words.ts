const ranges: [RegExp, (limit: string) => string][] = [
  [/expected number to be >=(.+)$/, (limit) => `must be at least ${limit}`],
  [/expected number to be <=(.+)$/, (limit) => `must be at most ${limit}`],
  [/expected number to be >(.+)$/, (limit) => `must be above ${limit}`],
  [/expected number to be <(.+)$/, (limit) => `must be below ${limit}`],
  [/expected int\b/, () => 'must be a whole number'],
  [/expected number\b/, () => 'must be a number'],
];

/** What a check says of a value, as the end of a sentence about its field. */
export function rangeWords(message: string): string {
  for (const [pattern, words] of ranges) {
    const found = pattern.exec(message);
    if (found) return `${words(found[1] ?? '')}.`;
  }
  return `is not valid: ${message}`;
}
