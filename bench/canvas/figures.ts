/** In milliseconds. */
export type Figures = { readonly median: number; readonly p95: number };

export function figuresOf(times: readonly number[]): Figures {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
  return { median: at(0.5), p95: at(0.95) };
}

/** Of several rounds the middle one, for each figure: whatever else the machine did in one of them does not count. */
export function middle(rounds: readonly Figures[]): Figures {
  return {
    median: figuresOf(rounds.map(({ median }) => median)).median,
    p95: figuresOf(rounds.map(({ p95 }) => p95)).median,
  };
}

export function text({ median, p95 }: Figures): string {
  return `${median.toFixed(1)} / ${p95.toFixed(1)}`;
}

export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
