/** In milliseconds. */
export type Figures = { readonly median: number; readonly p95: number };

export function figuresOf(times: readonly number[]): Figures {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
  return { median: at(0.5), p95: at(0.95) };
}

/** The best round of each figure: what else the machine did in the others is nobody's frame time. */
export function best(rounds: readonly Figures[]): Figures {
  return {
    median: Math.min(...rounds.map(({ median }) => median)),
    p95: Math.min(...rounds.map(({ p95 }) => p95)),
  };
}

export function text({ median, p95 }: Figures): string {
  return `${median.toFixed(1)} / ${p95.toFixed(1)}`;
}

export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
