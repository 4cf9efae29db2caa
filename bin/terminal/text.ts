import { stripVTControlCharacters, styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

const coloured = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;

const style = (format: Format) => (text: string) => (coloured ? styleText(format, text) : text);

export const bold = style('bold');
export const dim = style('dim');
export const red = style('red');
export const yellow = style('yellow');
export const green = style('green');
export const cyan = style('cyan');

const width = (text: string) => stripVTControlCharacters(text).length;

/** Rows as aligned columns, two spaces apart; the last column is not padded. */
export function columns(rows: string[][]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, width(cell));
  }
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - width(cell)),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A table with a quiet heading, or a sentence when there is nothing to show. */
export function table(heading: string[], rows: string[][], none: string): string {
  return rows.length === 0 ? none : columns([heading.map((cell) => dim(cell)), ...rows]);
}
