import { readConfig } from '@/lib/config';
import { currentWork } from './current-work';
import type { Span } from './span';
import { type Collector, SpanExporter } from './span-exporter';

/** Read by db/watch-statements.ts: called when a statement begins, and what it returns when it has ended. */
type StatementWatch = () => () => void;

const held = globalThis as { tesseraExporter?: SpanExporter; tesseraStatementWatch?: StatementWatch };

/** Switches traces on for this process, if the environment names a collector; to be called before the first statement. */
export function startTracing(process: 'web' | 'worker', config = readConfig()): void {
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT || held.tesseraExporter) return;
  held.tesseraExporter = new SpanExporter({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: headersIn(config.OTEL_EXPORTER_OTLP_HEADERS),
    service: config.OTEL_SERVICE_NAME ?? `tessera-${process}`,
  });
  held.tesseraStatementWatch = watchStatement;
}

export async function stopTracing(): Promise<void> {
  const exporter = held.tesseraExporter;
  held.tesseraExporter = undefined;
  held.tesseraStatementWatch = undefined;
  await exporter?.close();
}

export const isTracing = (): boolean => held.tesseraExporter !== undefined;

export const addSpan = (span: Span): void => held.tesseraExporter?.add(span);

/** Counted on the request or job rather than a span each: a page asks a dozen statements. */
function watchStatement(): () => void {
  const sql = currentWork()?.sql;
  if (!sql) return () => {};
  const began = performance.now();
  sql.statements += 1;
  return () => {
    sql.milliseconds += performance.now() - began;
  };
}

/** `name=value,name=value`, the values percent-encoded, as the standard has it. */
function headersIn(text: string | undefined): Collector['headers'] {
  const pairs = (text ?? '').split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
    }),
  );
}
