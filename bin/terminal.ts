import { stripVTControlCharacters, styleText } from 'node:util';

/** The same facts for a script or for a person. */
export function print(asJson: boolean | undefined, value: unknown, text: () => string): void {
  console.log(asJson ? JSON.stringify(value, null, 2) : text());
}

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

export interface Step {
  /** What is happening at the moment; shown where the terminal can rewrite a line. */
  update(detail: string): void;
  done(text: string): void;
  failed(): void;
}

export interface Progress {
  begin(text: string): Step;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Steps that take long enough to wonder about, each with its seconds. */
export function terminalProgress(stream: NodeJS.WriteStream = process.stdout): Progress {
  return { begin: stream.isTTY ? (text) => rewriting(stream, text) : (text) => plain(stream, text) };
}

function rewriting(stream: NodeJS.WriteStream, text: string): Step {
  const began = Date.now();
  let detail = '';
  let frame = 0;
  const draw = () => {
    frame += 1;
    const line = `  ${frames[frame % frames.length]} ${text} ${seconds(began)}${detail && `  ${detail}`}`;
    const cut = line.slice(0, (stream.columns || 80) - 1);
    stream.write(`\r\x1b[2K${cut.slice(0, 4 + text.length)}${dim(cut.slice(4 + text.length))}`);
  };
  const timer = setInterval(draw, 100);
  timer.unref();
  const end = (mark: string, last: string) => {
    clearInterval(timer);
    stream.write(`\r\x1b[2K  ${mark} ${last} ${dim(seconds(began))}\n`);
  };
  return {
    update(next) {
      detail = next;
    },
    done: (last) => end(green('✓'), last),
    failed: () => end(red('✗'), text),
  };
}

function plain(stream: NodeJS.WriteStream, text: string): Step {
  const began = Date.now();
  stream.write(`${text} …\n`);
  return {
    update: () => {},
    done: (last) => stream.write(`${last} (${seconds(began)})\n`),
    failed: () => stream.write(`${text}: failed after ${seconds(began)}\n`),
  };
}

const seconds = (began: number) => `${((Date.now() - began) / 1000).toFixed(1)} s`;

/** For tests and for commands that print JSON. */
export const noProgress: Progress = { begin: () => ({ update: () => {}, done: () => {}, failed: () => {} }) };

export function bytesText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

const SHOWN = 5;

export const damagedText = (damaged: readonly string[]): string[] =>
  damaged.length === 0
    ? []
    : [
        `${damaged.length} files of the store were missing or damaged when the backup was made:`,
        ...damaged.slice(0, SHOWN).map((name) => `  ${name}`),
        ...(damaged.length > SHOWN ? [`  and ${damaged.length - SHOWN} more`] : []),
      ];
