import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Database, newId } from '@/db';
import { modelKinds } from '@/db/schema';
import type { CheckLine } from '@/lib/core/robustness/onnx/inspect-model';
import { requireModelSize } from '@/lib/core/robustness/onnx/read-model';
import { authorise } from '@/lib/services/access/authorise';
import { type AddedModel, addModel } from '@/lib/services/evaluations/uploads/add-model';
import {
  type FileKind,
  ModelUpload,
  NewModel,
  storeModelFile,
} from '@/lib/services/evaluations/uploads/model-upload';
import { storage } from '@/lib/services/storage';
import { commandLine } from '../../actor';
import { defineCommand, json, UsageError } from '../../command';
import { type Remote, remoteOptions } from '../../remote/client';
import { either } from '../../remote/either';
import { waitForJob } from '../../remote/wait-for-job';
import { print } from '../../terminal/print';
import { noProgress, terminalProgress } from '../../terminal/progress';
import { red, yellow } from '../../terminal/text';
import { contractOptions, readContractOptions } from './contract-options';

type Files = Partial<Record<FileKind, string>>;
type Asked = Omit<NewModel, 'files'>;

export const command = defineCommand({
  usage: '<file.onnx>',
  options: {
    project: { type: 'string', value: 'slug', says: 'The project.' },
    name: { type: 'string', value: 'name', says: 'What it is called (default: the name of the file).' },
    kind: { type: 'string', value: 'kind', says: `One of ${modelKinds.join(', ')} (default classifier).` },
    ...contractOptions,
    gradient: { type: 'string', value: 'file', says: 'The graph with its gradient, for attacks.' },
    words: {
      type: 'string',
      value: 'file.npy|file.json',
      says: 'Of an oracle: an embedding of each class, in their order.',
    },
    encoder: { type: 'string', value: 'file', says: 'Of a decoder: what finds the place of a picture.' },
    'other-classes': {
      type: 'boolean',
      says: 'The model has other classes than the schema: only images of common ones are asked about.',
    },
    check: { type: 'boolean', says: 'Only say what is found; enter nothing.' },
    ...remoteOptions,
    json,
  },
  async run(values, [file]) {
    const { project } = values;
    if (!file) throw new UsageError('Say which file: tessera model add <file.onnx>.');
    if (!project) throw new UsageError('Say --project <slug>.');
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
    const found = await either<AddedModel>(
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
