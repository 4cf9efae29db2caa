import type { Labels, Sample } from './prometheus';

interface Series {
  labels: Labels;
  count: number;
  sum: number;
  /** Observations at or below each bound. */
  below: number[];
}

/** Durations by labels, in memory: this process counts what it did itself, and Prometheus adds up. */
export class Histogram {
  private readonly series = new Map<string, Series>();

  /** Bounds in seconds. */
  constructor(private readonly bounds: readonly number[]) {}

  observe(labels: Labels, seconds: number): void {
    const name = Object.values(labels).join(' ');
    let series = this.series.get(name);
    if (!series) {
      series = { labels, count: 0, sum: 0, below: this.bounds.map(() => 0) };
      this.series.set(name, series);
    }
    series.count += 1;
    series.sum += seconds;
    for (const [index, bound] of this.bounds.entries())
      if (seconds <= bound) series.below[index] = (series.below[index] ?? 0) + 1;
  }

  samples(): Sample[] {
    return [...this.series.values()].flatMap(({ labels, count, sum, below }): Sample[] => [
      ...below.map((n, index): Sample => ['_bucket', { ...labels, le: this.bounds[index] as number }, n]),
      ['_bucket', { ...labels, le: '+Inf' }, count],
      ['_sum', labels, sum],
      ['_count', labels, count],
    ]);
  }
}
