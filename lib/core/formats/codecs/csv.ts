import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/**
 * Writes one row, ending in a newline. Cells are quoted only if necessary. `escapesFormulas` puts an apostrophe before
 * cells that a spreadsheet would run, for tables that people open.
 */
export const csvLine = (
  values: readonly (string | number)[],
  { escapesFormulas = false }: { escapesFormulas?: boolean } = {},
): string => stringify([values], { quoted_match: /[\r\n]/, escape_formulas: escapesFormulas });

/** Reads the rows of a table with a header as objects. Missing cells are empty strings. */
export function readCsv(source: string): Record<string, string>[] {
  const [header, ...rows]: string[][] = parse(source, {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  return header
    ? rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])))
    : [];
}
