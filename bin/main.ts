import { TesseraError } from '@/lib/core/errors';
import { type Command, type Listed, parse, UsageError } from './command';
import { commands } from './commands';
import { helpFor, overview, suggestions } from './help';
import { red } from './terminal';

/** Exit codes: 0 done, 1 failed, 2 typed wrongly. */
export async function main(args: string[]): Promise<never> {
  const code = await dispatch(args);
  // Timers of libraries, the line to the starter or interrupted work must not keep a process that is done.
  process.exit(code);
}

const asksForHelp = (word: string | undefined) => word === '--help' || word === '-h';

async function dispatch(args: string[]): Promise<number> {
  if (args.length === 0 || asksForHelp(args[0]) || args[0] === 'help') {
    console.log(overview(commands));
    return 0;
  }
  const listed = find(args);
  if (!listed) return unknown(args);
  let command: Command | undefined;
  try {
    ({ command } = await listed.load());
    const rest = args.slice(listed.name.split(' ').length);
    if (command.readsArguments) return await command.run({}, rest);
    const { values, positionals } = parse(command, rest);
    if (!values.help) return await command.run(values, positionals);
    console.log(helpFor(listed, command));
    return 0;
  } catch (error) {
    return failed(listed, command, error);
  }
}

/** `users invite` before `users`: the longest name wins. */
function find(args: string[]): Listed | undefined {
  const named = (words: number) => commands.find(({ name }) => name === args.slice(0, words).join(' '));
  return named(2) ?? named(1);
}

async function unknown(args: string[]): Promise<number> {
  const group = commands.filter(({ name }) => name.startsWith(`${args[0]} `));
  if (group.length > 0 && (args.length === 1 || asksForHelp(args[1]))) {
    console.log(overview(group));
    return args.length === 1 ? 2 : 0;
  }
  const near = suggestions(
    args,
    commands.map(({ name }) => name),
  );
  const hint = near.length > 0 ? ` Did you mean ${near.map((name) => `\`${name}\``).join(' or ')}?` : '';
  console.error(`${red('There is no command')} \`${args[0]}\`.${hint}\n\`tessera --help\` lists them all.`);
  return 2;
}

function failed(listed: Listed, command: Command | undefined, error: unknown): number {
  if (command && error instanceof UsageError) {
    console.error(`${red(error.message)}\n\n${helpFor(listed, command)}`);
    return 2;
  }
  // A known fault needs its message only; for an unknown one the stack is what helps.
  console.error(error instanceof TesseraError ? `${red('Failed:')} ${error.message}` : error);
  return 1;
}
