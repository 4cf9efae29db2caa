import { type ParseArgsConfig, parseArgs } from 'node:util';

export interface Option {
  /** `strings` may be given several times. */
  type: 'boolean' | 'string' | 'strings';
  description: string;
  /** What stands for the value in the help: `--project <slug>`. */
  value?: string;
}

export type Options = Record<string, Option>;

export type Values<O extends Options> = {
  [Name in keyof O]?: O[Name]['type'] extends 'boolean'
    ? boolean
    : O[Name]['type'] extends 'strings'
      ? string[]
      : string;
};

/** What a command file exports as `command`. */
export interface Command {
  /** What follows the name: `<folder|zip|file> …`. */
  usage?: string;
  options: Options;
  /** Reads its own arguments and prints its own help; `run` gets all that was typed. */
  readsArguments?: true;
  /** The exit code: 0 done, 1 failed. */
  run(values: Values<Options>, positionals: string[]): Promise<number>;
}

/** A line of the registry. The file is loaded only when the command is called: most are never needed. */
export interface Listed {
  /** May have two words: `users invite`. */
  name: string;
  summary: string;
  load(): Promise<{ command: Command }>;
}

interface Definition<O extends Options> {
  usage?: string;
  options?: O;
  run(values: Values<O>, positionals: string[]): Promise<number>;
}

/** Keeps the names and types of the options together with the code that reads them. */
export function defineCommand<const O extends Options = Record<never, never>>(
  definition: Definition<O>,
): Command {
  return {
    ...definition,
    options: definition.options ?? {},
    run: (values, positionals) => definition.run(values as Values<O>, positionals),
  };
}

/** The person typed something that cannot be meant: exit code 2, with the help of the command. */
export class UsageError extends Error {}

export function parse(command: Command, args: string[]) {
  const options: ParseArgsConfig['options'] = { help: { type: 'boolean', short: 'h' } };
  for (const [name, { type }] of Object.entries(command.options))
    options[name] = type === 'strings' ? { type: 'string', multiple: true } : { type };
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length > 0 && !command.usage)
      throw new UsageError(`"${positionals[0]}" is not expected.`);
    return { values: values as Values<Options>, positionals };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code?.startsWith('ERR_PARSE_ARGS')) throw new UsageError(message.split('. To specify')[0]);
    throw error;
  }
}

/** A whole number from 1. */
export function readCount(name: string, text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (!Number.isInteger(value) || value < 1) throw new UsageError(`--${name} takes a whole number from 1.`);
  return value;
}

/** For commands that print a list or an object to a script. */
export const json = { type: 'boolean', description: 'Print JSON for scripts.' } as const;

/** `--set name=value`, as often as wanted. */
export function readSettings(given: string[] = [], option = 'set'): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError(`--${option} takes name=value, not "${text}".`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
