import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Options, UsageError, type Values } from '../../command';

/** Of colours from 0 to 1, as most networks for photographs were trained. */
const IMAGENET = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] };

/** What a file does not tell of itself; all but the classes has a default, or stands in the file. */
export const contractOptions = {
  contract: {
    type: 'string',
    value: 'file.json',
    says: 'The whole contract, as the docs or a model.json have it; other options go before it.',
  },
  classes: { type: 'string', value: 'file|a,b,c', says: 'Its classes, in the order of the outputs.' },
  size: { type: 'string', value: 'pixels', says: 'Side of the pictures, where the file takes any.' },
  mean: { type: 'string', value: 'r,g,b|imagenet', says: 'Taken from each colour, 0 to 1 (default 0,0,0).' },
  std: { type: 'string', value: 'r,g,b|imagenet', says: 'Each colour is divided by it (default 1,1,1).' },
  layout: {
    type: 'string',
    value: 'layout',
    says: 'Tensor layout, NCHW or NHWC (default: as the file says).',
  },
  colours: { type: 'string', value: 'order', says: 'Colour order, RGB or BGR (default RGB).' },
  view: { type: 'string', value: 'view', says: 'What it looks at: whole (default) or center of a picture.' },
  input: { type: 'string', value: 'name', says: 'Which input is the picture, where there are several.' },
  output: { type: 'string', value: 'name', says: 'Which output is meant, where there are several.' },
  range: {
    type: 'string',
    value: 'from,to',
    says: 'Of a decoder: its values for black and white (default 0,1).',
  },
  step: { type: 'string', value: 'number', says: 'Of a decoder: length of a step (default 0.1).' },
  margin: { type: 'string', value: 'number', says: 'Of an oracle: cannot tell below this lead (default 0).' },
} as const satisfies Options;

export async function readContractOptions(
  values: Values<typeof contractOptions> & { kind?: string },
): Promise<Record<string, unknown>> {
  const { size, layout, colours, view, input, output, classes } = values;
  const written = values.contract ? await readJson(values.contract) : {};
  const side = size === undefined ? {} : { height: count('size', size), width: count('size', size) };
  const said = {
    ...side,
    ...(values.mean && { mean: colour('mean', values.mean) }),
    ...(values.std && { std: colour('std', values.std) }),
    ...(layout && { layout }),
    ...(colours && { channels: colours }),
    ...(view && { view }),
    ...(input && { name: input }),
  };
  const outputs = { classifier: 'logits', oracle: 'embedding', decoder: 'picture' };
  const named = outputs[(values.kind ?? 'classifier') as keyof typeof outputs] ?? 'logits';
  return {
    ...written,
    input: { ...(written.input as object | undefined), ...said },
    outputs: { ...(written.outputs as object | undefined), ...(output && { [named]: output }) },
    ...(classes && { classes: await readClasses(classes) }),
    ...(values.range && { range: numbers('range', values.range, 2) }),
    ...(values.step && { step: numbers('step', values.step, 1)[0] }),
    ...(values.margin && { margin: numbers('margin', values.margin, 1)[0] }),
  };
}

/** A JSON list, a line for each, or the names themselves with commas. */
async function readClasses(given: string): Promise<string[]> {
  if (!existsSync(given)) {
    if (!given.includes(','))
      throw new UsageError(`--classes takes a file or a,b,c; there is no file "${given}".`);
    return given.split(',').map((name) => name.trim());
  }
  const text = await readFile(given, 'utf8');
  if (text.trimStart().startsWith('[')) return JSON.parse(text) as string[];
  return text.split(/\r?\n/).flatMap((line) => (line.trim() ? [line.trim()] : []));
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  if (!existsSync(file)) throw new UsageError(`There is no file "${file}".`);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  } catch {
    throw new UsageError(`"${file}" is no JSON.`);
  }
}

const colour = (name: 'mean' | 'std', text: string): number[] =>
  text === 'imagenet' ? IMAGENET[name] : numbers(name, text, 3);

function numbers(name: string, text: string, length: number): number[] {
  const found = text.split(',').map(Number);
  if (found.length !== length || !found.every(Number.isFinite))
    throw new UsageError(
      `--${name} takes ${length === 1 ? 'a number' : `${length} numbers with commas`}, not "${text}".`,
    );
  return found;
}

function count(name: string, text: string): number {
  const [value = 0] = numbers(name, text, 1);
  if (!Number.isInteger(value) || value < 1) throw new UsageError(`--${name} takes a whole number from 1.`);
  return value;
}
