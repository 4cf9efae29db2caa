import { type Attributes, type Span, spanKinds } from './span';

/** Spans as OTLP/HTTP wants them in JSON: 64-bit numbers are strings there. */
export const otlpBody = (service: string, spans: readonly Span[]) => ({
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
