import { createReadStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Database, newId } from '@/db';
import { modelKinds } from '@/db/schema';
import type { CheckLine } from '@/lib/core/robustness/onnx/inspect-model';
import { requireModelSize } from '@/lib/core/robustness/onnx/read-model';
import { authorise } from '@/lib/services/access';
import { type AddedModel, addModel } from '@/lib/services/evaluations/uploads/add-model';
import {
  type FileKind,
  ModelUpload,
  NewModel,
  storeModelFile,
} from '@/lib/services/evaluations/uploads/model-upload';
import { storage } from '@/lib/services/storage';
import { defineCommand, json, type Options, UsageError, type Values } from '../command';
import { commandLine, localOrRemote } from '../database/enter';
import { type Remote, remoteOptions, waitForJob } from '../remote';
import { noProgress, print, red, terminalProgress, yellow } from '../terminal';

/** Of colours from 0 to 1, as most networks for photographs were trained. */
const IMAGENET = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] };

/** What a file does not tell of itself; all but the classes has a default, or stands in the file. */
const contractOptions = {
  contract: {
    type: 'string',
    value: 'file.json',
    description: 'The whole contract, as the docs or a model.json have it; other options go before it.',
  },
  classes: { type: 'string', value: 'file|a,b,c', description: 'Its classes, in the order of the outputs.' },
  size: { type: 'string', value: 'pixels', description: 'Side of the pictures, where the file takes any.' },
  mean: {
    type: 'string',
    value: 'r,g,b|imagenet',
    description: 'Taken from each colour, 0 to 1 (default 0,0,0).',
  },
  std: {
    type: 'string',
    value: 'r,g,b|imagenet',
    description: 'Each colour is divided by it (default 1,1,1).',
  },
  layout: {
    type: 'string',
    value: 'layout',
    description: 'Tensor layout, NCHW or NHWC (default: as the file says).',
  },
  colours: { type: 'string', value: 'order', description: 'Colour order, RGB or BGR (default RGB).' },
  view: {
    type: 'string',
    value: 'view',
    description: 'What it looks at: whole (default) or center of a picture.',
  },
  input: {
    type: 'string',
    value: 'name',
    description: 'Which input is the picture, where there are several.',
  },
  output: { type: 'string', value: 'name', description: 'Which output is meant, where there are several.' },
  range: {
    type: 'string',
    value: 'from,to',
    description: 'Of a decoder: its values for black and white (default 0,1).',
  },
  step: { type: 'string', value: 'number', description: 'Of a decoder: length of a step (default 0.1).' },
  margin: {
    type: 'string',
    value: 'number',
    description: 'Of an oracle: cannot tell below this lead (default 0).',
  },
} as const satisfies Options;

async function readContractOptions(
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

type Files = Partial<Record<FileKind, string>>;
type Asked = Omit<NewModel, 'files'>;

export const command = defineCommand({
  usage: '<file.onnx>',
  options: {
    project: { type: 'string', value: 'slug', description: 'The project.' },
    name: {
      type: 'string',
      value: 'name',
      description: 'What it is called (default: the name of the file).',
    },
    kind: {
      type: 'string',
      value: 'kind',
      description: `One of ${modelKinds.join(', ')} (default classifier).`,
    },
    ...contractOptions,
    gradient: { type: 'string', value: 'file', description: 'The graph with its gradient, for attacks.' },
    words: {
      type: 'string',
      value: 'file.npy|file.json',
      description: 'Of an oracle: an embedding of each class, in their order.',
    },
    encoder: {
      type: 'string',
      value: 'file',
      description: 'Of a decoder: what finds the place of a picture.',
    },
    'other-classes': {
      type: 'boolean',
      description: 'The model has other classes than the schema: only images of common ones are asked about.',
    },
    check: { type: 'boolean', description: 'Only check the file; add nothing.' },
    ...remoteOptions,
    json,
  },
  async run(values, [file]) {
    const { project } = values;
    if (!file) throw new UsageError('Pass which file: tessera model add <file.onnx>.');
    if (!project) throw new UsageError('Pass --project <slug>.');
    const { gradient, words, encoder } = values;
    const files: Files = { model: file, gradient, words, encoder };
    const asked = readAsked({
      name:
        values.name ??
        file
          .split(/[\\/]/)
          .at(-1)
          ?.replace(/\.onnx$/i, ''),
      kind: values.kind,
      contract: await readContractOptions(values),
      otherClasses: values['other-classes'],
      onlyCheck: values.check,
    });
    for (const each of Object.values(files)) if (each) await sizeOf(each);
    const step = (values.json ? noProgress : terminalProgress()).begin(`Looking at ${file}`);
    const stopping = new AbortController();
    process.once('SIGINT', () => stopping.abort(new Error('Upload cancelled.')));
    const said: CheckLine[] = [];
    const found = await localOrRemote<AddedModel>(
      values,
      (db) => addHere(db, project, files, asked, stopping.signal, said, (text) => step.update(text)),
      (remote) => addElsewhere(remote, project, files, asked, (text) => step.update(text)),
    ).catch((error) => {
      step.failed();
      if (!values.json) for (const line of said) console.error(textOf(line));
      throw error;
    });
    if (found.isGood) step.done(found.modelId ? `Entered ${asked.name}` : 'Nothing speaks against it');
    else step.failed();
    print(values.json, found, () => [...found.lines.map(textOf), found.modelId ?? ''].join('\n').trimEnd());
    return found.isGood ? 0 : 1;
  },
});

function readAsked(given: Record<string, unknown>): Asked {
  const parsed = ModelUpload.omit({ files: true }).safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${issue?.path.join('.')}: ${issue?.message}`);
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new UsageError(`There is no file "${file}".`);
  // Before anything is read or sent.
  requireModelSize(found.size);
  return found.size;
}

async function addHere(
  db: Database,
  project: string,
  given: Files,
  asked: Asked,
  signal: AbortSignal,
  said: CheckLine[],
  say: (text: string) => void,
): Promise<AddedModel> {
  const access = await authorise(db, commandLine, 'models.write', { project });
  const files: Files = {};
  for (const [kind, file] of Object.entries(given) as [FileKind, string | undefined][])
    if (file) files[kind] = (await storeModelFile(db, storage(), createReadStream(file))).sha256;
  const model = NewModel.parse({ ...asked, files });
  return addModel(
    { db, storage: storage(), signal },
    { id: newId(), projectId: access.project.id, author: commandLine, model },
    async (line) => {
      said.push(line);
      say(`${line.what}: ${line.says}`);
    },
  );
}

async function addElsewhere(
  remote: Remote,
  project: string,
  given: Files,
  asked: Asked,
  say: (text: string) => void,
): Promise<AddedModel> {
  const address = `/projects/${encodeURIComponent(project)}`;
  const files: Files = {};
  for (const [kind, file] of Object.entries(given) as [FileKind, string | undefined][]) {
    if (!file) continue;
    say(`Sending ${file}`);
    const { receipt } = await remote.ask<{ receipt: string }>(`${address}/model-files`, {
      method: 'POST',
      body: Readable.toWeb(createReadStream(file)) as ReadableStream,
      headers: { 'content-type': 'application/octet-stream' },
    });
    files[kind] = receipt;
  }
  const { jobId } = await remote.ask<{ jobId: string }>(`${address}/models`, {
    method: 'POST',
    json: { ...asked, files },
  });
  const { result } = await waitForJob(remote, jobId, say);
  return result as AddedModel;
}

function textOf({ what, says, state }: CheckLine): string {
  const line = `${what.padEnd(16)} ${says}`;
  return state === 'good' ? line : state === 'note' ? yellow(line) : red(line);
}
