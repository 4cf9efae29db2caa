import { readConfig } from '@/lib/config';
import { currentWork, during, type Work } from './current-work';
import {
  type Attributes,
  type Collector,
  newSpanId,
  type Span,
  SpanExporter,
  traceOf,
} from './span-exporter';

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

const addSpan = (span: Span): void => held.tesseraExporter?.add(span);

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

interface Ended {
  attributes: Attributes;
  isError: boolean;
}

interface Traced {
  name: string;
  kind: Span['kind'];
  parentSpanId?: string;
}

/** Does the work under its ids. With traces switched on it becomes a span; without, this costs nothing. */
export async function traced<T>(
  work: Work,
  { name, kind, parentSpanId }: Traced,
  run: () => Promise<T>,
  ended: (result: T) => Ended,
): Promise<T> {
  if (!isTracing()) return during(work, run);
  const counted: Work = Object.assign(work, { sql: { statements: 0, milliseconds: 0 } });
  const began = Date.now();
  const from = performance.now();
  const finish = ({ attributes, isError }: Ended) =>
    addSpan({
      traceId: traceOf(work.requestId ?? work.jobId ?? newSpanId()),
      spanId: newSpanId(),
      parentSpanId,
      name: work.route ? `${name} ${work.route}` : name,
      kind,
      began,
      milliseconds: performance.now() - from,
      attributes: {
        ...attributes,
        'tessera.request_id': work.requestId,
        'tessera.sql.statements': counted.sql?.statements,
        'tessera.sql.milliseconds': counted.sql?.milliseconds,
      },
      isError,
    });
  try {
    const result = await during(counted, run);
    finish(ended(result));
    return result;
  } catch (error) {
    finish({ attributes: { 'error.type': (error as Error)?.name ?? 'Error' }, isError: true });
    throw error;
  }
}
