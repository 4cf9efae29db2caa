import { dim, green, red } from './text';

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
