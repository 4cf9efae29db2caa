/** A cell; quoted only where it must be. */
const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

export const csvLine = (values: readonly (string | number)[]): string =>
  `${values.map((value) => cell(String(value))).join(',')}\n`;

/** Rows of a table with a header, by the names of its columns. Quotes may hold commas and line ends. */
export function* readCsv(source: string): Generator<Record<string, string>> {
  let header: string[] | null = null;
  for (const cells of rowsOf(source.replace(/^\ufeff/, ''))) {
    if (cells.length === 1 && cells[0] === '') continue;
    if (header) yield Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
    else header = cells;
  }
}

function* rowsOf(text: string): Generator<string[]> {
  let cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    let value: string;
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      value = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      const end = nextMark(text, at);
      value = text.slice(at, end);
      at = end;
    }
    cells.push(value);
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    yield cells;
    cells = [];
    if (text[at] === '\r') at += 1;
    at += 1;
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  throw new Error('the table ends within quotes');
}

function nextMark(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}
