import { createHash, randomBytes } from 'node:crypto';

export type Attributes = Record<string, string | number | boolean | null | undefined>;

/** Numbers of OTLP. */
export const spanKinds = { server: 2, consumer: 5 } as const;

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
