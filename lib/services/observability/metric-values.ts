type Labels = Record<string, string | number>;
export type Sample = [suffix: string, labels: Labels, value: number];

const escaped = (value: string | number) =>
  String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** One metric in the text format of Prometheus. */
export function family(
  name: string,
  type: 'gauge' | 'counter' | 'histogram',
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(([suffix, labels, value]) => {
    const inside = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${suffix}${inside.length > 0 ? `{${inside.join(',')}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

export const one = (value: number): Sample[] => [['', {}, value]];

interface Series {
  labels: Labels;
  count: number;
  sum: number;
  /** Observations at or below each bound. */
  below: number[];
}

/** Durations by labels, in memory: this process counts what it did itself, and Prometheus adds up. */
class Histogram {
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

interface Observed {
  /** From a cached read to an export that had to wait. */
  requests: Histogram;
  /** From a thumbnail to a night of training. */
  jobs: Histogram;
}

/** Next bundles its own copy of this file; both have to count in one place. */
const held = globalThis as { tesseraObserved?: Observed };

export function observed(): Observed {
  held.tesseraObserved ??= {
    requests: new Histogram([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
    jobs: new Histogram([0.1, 1, 10, 60, 600, 3600, 36_000]),
  };
  return held.tesseraObserved;
}

/** `route` is the pattern with its placeholders, never a path with ids: one series each, not one per id. */
export const observeRequest = (method: string, route: string, status: number, seconds: number): void =>
  observed().requests.observe({ method, route, status }, seconds);

export const observeJob = (kind: string, outcome: string, seconds: number): void =>
  observed().jobs.observe({ kind, outcome }, seconds);
