import { appendFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { dim, red, yellow } from '../terminal/text';

/** A log file this large is put aside as .previous; two of them are the most that is kept. */
const largestLog = 20 * 1024 * 1024;

interface Line {
  time?: string;
  level?: string;
  msg?: string;
  err?: { message?: string };
}

/**
 * Keeps every line that web and worker print in TESSERA_HOME/tessera.log, and shows on the terminal what a
 * person should know of: warnings and errors.
 */
export class Journal {
  readonly file: string;

  constructor(
    home: string,
    private readonly showAll: boolean,
  ) {
    this.file = path.join(home, 'tessera.log');
  }

  line(from: string, text: string): void {
    if (text.trim() === '') return;
    const line = parseLine(text);
    this.write({ time: new Date().toISOString(), process: from, ...(line ?? { msg: text }) });
    const level = line?.level ?? 'text';
    if (!this.showAll && level !== 'warn' && level !== 'error') return;
    const message = line ? [line.msg, line.err?.message].filter(Boolean).join(': ') : text;
    console.log(`${dim(new Date().toTimeString().slice(0, 8))} ${from.padEnd(6)} ${colour(level)(message)}`);
  }

  /** Something the starter itself has to say. */
  say(message: string): void {
    this.write({ time: new Date().toISOString(), process: 'start', msg: message });
    console.log(`${dim(new Date().toTimeString().slice(0, 8))} ${message}`);
  }

  private write(line: object): void {
    try {
      if ((statSync(this.file, { throwIfNoEntry: false })?.size ?? 0) > largestLog) {
        renameSync(this.file, `${this.file}.previous`);
      }
      appendFileSync(this.file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not end the instance because of its log.
    }
  }
}

function parseLine(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

const colour = (level: string) =>
  level === 'error' ? red : level === 'warn' ? yellow : (text: string) => text;
