import { during, type Work } from './current-work';
import { type Attributes, newSpanId, type Span, traceOf } from './span';
import { addSpan, isTracing } from './tracing';

export interface Ended {
  attributes: Attributes;
  isError: boolean;
}

export interface Traced {
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
