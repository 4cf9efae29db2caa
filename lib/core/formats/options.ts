import { invalid } from '@/lib/core/errors';
import type { FormatOption, Options, OptionValue } from './format';

/** Options of every export, applied to the dataset before the format sees it (see prepare.ts). */
export const commonOptions: readonly FormatOption[] = [
  {
    name: 'labels',
    kind: 'choice',
    description: 'Which masks are written.',
    values: [
      { value: 'parts', description: 'Parts as they were drawn.' },
      { value: 'boxes', description: 'Every part as its tight filled rectangle.' },
      { value: 'objects', description: 'All parts of an object merged into one.' },
      { value: 'foreground', description: 'One mask for everything that is no background.' },
    ],
    defaultValue: 'parts',
  },
  {
    name: 'fraction',
    kind: 'number',
    description:
      'Share of the training images that keep their masks; nested, class by class. The rest keeps its class only.',
    min: 0,
    max: 1,
    defaultValue: 1,
  },
  {
    name: 'fold',
    kind: 'number',
    description:
      'Of a version split into k folds: the fold that is the test set; the next one validates, the others train. 0 leaves the folds as they are.',
    min: 0,
    max: 100,
    isWhole: true,
    defaultValue: 0,
  },
  {
    name: 'names',
    kind: 'choice',
    description: 'What files are called.',
    values: [
      { value: 'keep', description: 'As the images are; names that the format cannot hold are refused.' },
      { value: 'number', description: 'By number, 000001 and on; names.csv says which is which.' },
    ],
    defaultValue: 'keep',
  },
];

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
  if (given === undefined || given === '') return option.defaultValue;
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
