import type { Command, Listed } from './command';
import { bold, columns, dim } from './terminal';

export function overview(commands: readonly Listed[]): string {
  return [
    `${bold('tessera')}: part-annotated datasets that can be trusted.`,
    '',
    'Usage: tessera <command> [options]',
    '',
    columns(commands.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    dim('Run `tessera <command> --help` for details. docs/configuration.md lists the environment variables.'),
  ].join('\n');
}

export function helpFor({ name, summary }: Listed, command: Command): string {
  const options = Object.entries(command.options).map(([option, { type, value, description }]) => [
    `  --${option}${type === 'string' ? ` <${value ?? 'value'}>` : ''}`,
    description,
  ]);
  const usage = [
    name,
    ...(command.usage ? [command.usage] : []),
    ...(options.length > 0 ? ['[options]'] : []),
  ];
  return [
    summary,
    '',
    `Usage: tessera ${usage.join(' ')}`,
    ...(options.length > 0 ? ['', columns(options)] : []),
  ].join('\n');
}

/** Commands that differ from what was typed in at most two letters, or else begin alike. */
export function suggestions(typed: string[], names: string[]): string[] {
  const [word = ''] = typed;
  const near = names.filter((name) =>
    [word, typed.slice(0, 2).join(' ')].some((text) => distance(text.toLowerCase(), name) <= 2),
  );
  return near.length > 0 ? near : names.filter((name) => name.startsWith(word) || word.startsWith(name));
}

/** Levenshtein's distance: single-letter changes from one word to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
