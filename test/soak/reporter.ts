import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import type { Result } from './soak-state';

/** Writes a line for every story as soon as it has ended, so that a run can be interrupted at any time. */
export default class SoakReporter implements Reporter {
  readonly #file = process.env.TESSERA_SOAK_RESULTS as string;
  readonly #round = Number(process.env.TESSERA_SOAK_ROUND);

  onTestEnd(test: TestCase, { status, duration, error }: TestResult): void {
    // Stopped from outside: the story is repeated.
    if (status === 'interrupted') return;
    const result: Result = {
      round: this.#round,
      file: path.relative(process.cwd(), test.location.file),
      title: test.title,
      isPassed: status === 'passed',
      ms: duration,
      ...(status !== 'passed' && { problem: plain(error?.message ?? status) }),
    };
    appendFileSync(this.#file, `${JSON.stringify(result)}\n`);
  }

  printsToStdio(): boolean {
    return false;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal.
const plain = (text: string) => (text.replace(/\u001b\[[\d;]*m/g, '').split('\n')[0] ?? '').slice(0, 300);
