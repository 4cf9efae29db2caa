import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

type Cell = string | number | boolean | Date | null;

/** Rows as a file, sent as they are read. Cells that a spreadsheet would run as formulas are disarmed. */
export function csvResponse(name: string, head: string[], rows: AsyncIterable<Cell[]>): Response {
  const lines = stringify({
    header: true,
    columns: head,
    escape_formulas: true,
    record_delimiter: '\r\n',
    cast: { date: (value) => value.toISOString(), boolean: (value) => (value ? 'true' : 'false') },
  });
  // An error while reading ends the response, as cut off; a client that leaves ends the reading. A bare pipe does
  // neither, and an error nobody listens to ends the server. The response carries the error: nothing is left to do.
  pipeline(Readable.from(rows), lines, () => undefined);
  return new Response(Readable.toWeb(lines) as ReadableStream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'cache-control': 'no-store',
    },
  });
}
