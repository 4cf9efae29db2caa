import { createHash, randomBytes } from 'node:crypto';
import { log } from './log';

export type Attributes = Record<string, string | number | boolean | null | undefined>;

/** Numbers of OTLP. */
const spanKinds = { server: 2, consumer: 5 } as const;

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: keyof typeof spanKinds;
  /** Milliseconds since 1970. */
  began: number;
  milliseconds: number;
  attributes: Attributes;
  isError: boolean;
}

/**
 * A request id names its trace, so that one word finds the log lines, the job and the spans of a request. Ours are
 * UUIDs, which have the 16 bytes of a trace id; those of others are hashed.
 */
export function traceOf(requestId: string): string {
  const bare = requestId.replaceAll('-', '').toLowerCase();
  if (/^[0-9a-f]{32}$/.test(bare) && !/^0+$/.test(bare)) return bare;
  return createHash('sha256').update(requestId).digest('hex').slice(0, 32);
}

export const newSpanId = (): string => randomBytes(8).toString('hex');

/** The W3C header with which a proxy says which trace a request belongs to. */
export function readTraceparent(header: unknown): { traceId: string; spanId: string } | undefined {
  const found = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(String(header ?? ''));
  const [, traceId = '', spanId = ''] = found ?? [];
  return found && !/^0+$/.test(traceId) && !/^0+$/.test(spanId) ? { traceId, spanId } : undefined;
}

/** Spans as OTLP/HTTP wants them in JSON: 64-bit numbers are strings there. */
const otlpBody = (service: string, spans: readonly Span[]) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf({ 'service.name': service, 'process.pid': process.pid }) },
      scopeSpans: [{ scope: { name: 'tessera' }, spans: spans.map(otlpSpan) }],
    },
  ],
});

const otlpSpan = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: spanKinds[span.kind],
  startTimeUnixNano: nanoseconds(span.began),
  endTimeUnixNano: nanoseconds(span.began + span.milliseconds),
  attributes: attributesOf(span.attributes),
  // 2 is "error"; 0 is "unset", which is what a success is.
  status: { code: span.isError ? 2 : 0 },
});

const nanoseconds = (milliseconds: number): string => String(BigInt(Math.round(milliseconds * 1000)) * 1000n);

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: otlpValue(value) }],
  );

function otlpValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

export interface Collector {
  /** `http://collector:4318`, to which the standard adds the path. */
  endpoint: string;
  headers: Record<string, string>;
  service: string;
}

const sendEveryMs = 2_000;
const MAX_BATCH = 512;
/** A collector that is away must cost no memory: what does not fit is not kept. */
const MAX_KEPT = 4_096;
const TIMEOUT_MS = 5_000;

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
    if (this.spans.length >= MAX_KEPT) this.lost += 1;
    else this.spans.push(span);
  }

  /** Resolves when all that was there has been sent, or given up. */
  flush(): Promise<void> {
    this.sending = this.sending.then(async () => {
      while (this.spans.length > 0) await this.send(this.spans.splice(0, MAX_BATCH));
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
        signal: AbortSignal.timeout(TIMEOUT_MS),
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
