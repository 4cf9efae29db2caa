import { parse } from 'csv-parse/sync';
import { invalid } from '@/lib/core/errors';
import type { GivenSplit } from './deal';

/** A hundred thousand names fit in; a mistaken file does not. */
export const LARGEST_TABLE = 20 * 1024 * 1024;

/** A table with the name of an image and its part in each row; a first row of headings is known by its words. */
export function readGivenSplit(text: string): GivenSplit {
  let rows: string[][];
  try {
    rows = parse(text, { bom: true, skip_empty_lines: true, trim: true, delimiter: [',', '\t', ';'] });
  } catch (error) {
    throw invalid(`The table cannot be read: ${(error as Error).message}.`);
  }
  const isHeading = /^(name|file|file_?name|image|path)$/i.test(rows[0]?.[0] ?? '');
  const given = new Map<string, string>();
  for (const [name = '', part = ''] of isHeading ? rows.slice(1) : rows) {
    if (!name || !part) throw invalid('Each row of the table has the name of an image and its split.');
    const known = given.get(name);
    if (known !== undefined && known !== part)
      throw invalid(`The table puts "${name}" into "${known}" and into "${part}".`);
    given.set(name, part);
  }
  if (given.size === 0) throw invalid('The table is empty.');
  return given;
}
