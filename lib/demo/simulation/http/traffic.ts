/** What a request is for, as the report names it. */
export type RequestKind =
  | 'sign in'
  | 'join'
  | 'consent'
  | 'list work'
  | 'next batch'
  | 'read batch'
  | 'image'
  | 'answer'
  | 'submit'
  | 'curator';

export interface Latency {
  count: number;
  /** Milliseconds, body included. */
  p50: number;
  p95: number;
  p99: number;
  most: number;
}

export interface Failure {
  errand: RequestKind;
  /** 0 when there was no answer at all. */
  status: number;
  detail: string;
}

/** Every request of a run, counted and timed. */
export class Traffic {
  requests = 0;
  /** Asked again after 429, after 5xx, after no answer. */
  readonly retries = { tooMany: 0, server: 0, network: 0 };
  readonly failures: Failure[] = [];
  private readonly times = new Map<RequestKind, number[]>();

  time(errand: RequestKind, milliseconds: number): void {
    const list = this.times.get(errand);
    if (list) list.push(milliseconds);
    else this.times.set(errand, [milliseconds]);
  }

  latencies(): Partial<Record<RequestKind, Latency>> {
    return Object.fromEntries([...this.times].map(([errand, list]) => [errand, latencyOf(list)]));
  }
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => {
    const rank = Math.max(0, Math.ceil(share * sorted.length) - 1);
    return Math.round(10 * (sorted[rank] ?? 0)) / 10;
  };
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}
