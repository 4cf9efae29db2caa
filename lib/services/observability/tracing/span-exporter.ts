import { log } from '../log';
import { otlpBody } from './otlp';
import type { Span } from './span';

export interface Collector {
  /** `http://collector:4318`, to which the standard adds the path. */
  endpoint: string;
  headers: Record<string, string>;
  service: string;
}

const sendEveryMs = 2_000;
const mostAtOnce = 512;
/** A collector that is away must cost no memory: what does not fit is not kept. */
const mostKept = 4_096;
const patienceMs = 5_000;

/** Sends spans in bunches. Nothing waits for it, and nothing fails with it. */
export class SpanExporter {
  private spans: Span[] = [];
  private lost = 0;
  private isAway = false;
  private sending: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly collector: Collector) {
    this.timer = setInterval(() => void this.flush(), sendEveryMs).unref();
  }

  add(span: Span): void {
    if (this.spans.length >= mostKept) this.lost += 1;
    else this.spans.push(span);
  }

  /** Resolves when all that was there has been sent, or given up. */
  flush(): Promise<void> {
    this.sending = this.sending.then(async () => {
      while (this.spans.length > 0) await this.send(this.spans.splice(0, mostAtOnce));
    });
    return this.sending;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async send(spans: Span[]): Promise<void> {
    const { endpoint, headers, service } = this.collector;
    try {
      const reply = await fetch(`${endpoint.replace(/\/+$/, '')}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(otlpBody(service, spans)),
        signal: AbortSignal.timeout(patienceMs),
        redirect: 'error',
      });
      await reply.body?.cancel();
      if (!reply.ok) throw new Error(`The collector answered ${reply.status}.`);
      if (this.isAway) log.warn({ lost: this.lost }, 'the collector of traces is back');
      this.isAway = false;
      this.lost = 0;
    } catch (error) {
      this.lost += spans.length;
      // Once per absence: a line every two seconds would bury the rest.
      if (!this.isAway) log.warn({ err: error }, 'traces cannot be sent and are lost');
      this.isAway = true;
    }
  }
}
