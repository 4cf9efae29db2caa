import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, string | number | boolean> }[];
  status: { code: number };
  service: string;
}

/** Takes spans as a collector of OpenTelemetry does, over HTTP. */
export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const seen: { path: string; headers: IncomingHttpHeaders }[] = [];
  const state = { status: 200 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push({ path: request.url ?? '', headers: request.headers });
    if (state.status === 200) {
      for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks).toString()).resourceSpans) {
        const service = resource.attributes.find(({ key }: { key: string }) => key === 'service.name');
        for (const scope of scopeSpans)
          spans.push(...scope.spans.map((span: object) => ({ ...span, service: service.value.stringValue })));
      }
    }
    response.writeHead(state.status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    seen,
    state,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export const attributeOf = (span: CollectedSpan | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];
