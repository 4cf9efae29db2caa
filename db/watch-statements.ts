import type pg from 'pg';

/** Set to observe statements: called when a statement starts; the returned function is called when it ends. */
const held = globalThis as { tesseraStatementWatch?: () => () => void };

// biome-ignore lint/suspicious/noExplicitAny: pg's query has a dozen overloads.
type Query = (...given: any[]) => any;

/** Connections of the pool tell when a statement begins and ends, if somebody counts; else they stay as pg made them. */
export function watchStatements(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const watch = held.tesseraStatementWatch;
    if (!watch) return;
    const query = client.query.bind(client) as Query;
    (client as { query: Query }).query = (...given) => {
      const end = watch();
      const last = given.at(-1);
      if (typeof last === 'function') {
        return query(...given.slice(0, -1), (...told: unknown[]) => {
          end();
          last(...told);
        });
      }
      const result = query(...given);
      if (result instanceof Promise) result.then(end, end);
      return result;
    };
  });
}
