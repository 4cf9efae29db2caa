import { invalid } from '@/lib/core/errors';
import type { FormatOption, Options, OptionValue } from './format';

/** What a person or a script gave, as values of the right kind, with the defaults filled in. */
export function readOptions(options: readonly FormatOption[], given: Record<string, unknown>): Options {
  const unknown = Object.keys(given).filter((name) => !options.some((option) => option.name === name));
  if (unknown.length > 0)
    throw invalid(
      `There is no option ${unknown.map((name) => `"${name}"`).join(', ')}. There are: ${options.map(({ name }) => name).join(', ')}.`,
    );
  return Object.fromEntries(options.map((option) => [option.name, readOption(option, given[option.name])]));
}

function readOption(option: FormatOption, given: unknown): OptionValue {
  if (given === undefined || given === '') return option.otherwise;
  const text = String(given);
  if (option.kind === 'flag') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw invalid(`"${option.name}" is true or false, not "${text}".`);
  }
  if (option.kind === 'choice') {
    if (option.values.some(({ value }) => value === text)) return text;
    throw invalid(
      `"${option.name}" is one of ${option.values.map(({ value }) => value).join(', ')}, not "${text}".`,
    );
  }
  const number = Number(text);
  const isFine =
    Number.isFinite(number) &&
    number >= option.min &&
    number <= option.max &&
    (!option.isWhole || Number.isInteger(number));
  if (isFine) return number;
  const kind = option.isWhole ? 'a whole number' : 'a number';
  throw invalid(`"${option.name}" is ${kind} from ${option.min} to ${option.max}, not "${text}".`);
}
