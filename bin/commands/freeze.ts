import { readFileSync } from 'node:fs';
import { TesseraError } from '@/lib/core/errors';
import { authorise } from '@/lib/services/access';
import { storeSplitTable } from '@/lib/services/datasets/freeze/assign-splits';
import { type Frozen, freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest, SplitSpec } from '@/lib/services/datasets/freeze/request';
import { storage } from '@/lib/services/storage';
import { defineCommand, json, UsageError } from '../command';
import { commandLine, localOrRemote } from '../database/enter';
import { remoteOptions, waitForJob } from '../remote';
import { noProgress, print, terminalProgress } from '../terminal';

const splitSays =
  'stratified (default), group:<class|wnid|group|column>, folds:<k>, column:<name>, file:<table.csv>, none.';

export const command = defineCommand({
  options: {
    project: { type: 'string', value: 'slug', description: 'The project.' },
    split: { type: 'string', value: 'kind', description: `How images are dealt: ${splitSays}` },
    shares: {
      type: 'string',
      value: 'train=0.8,…',
      description: 'What each split gets (default 0.8, 0.1, 0.1).',
    },
    seed: { type: 'string', value: 'text', description: 'Random seed (default 0).' },
    class: { type: 'strings', value: 'class', description: 'Only images of this class; can be repeated.' },
    labelled: { type: 'boolean', description: 'Only images with a label.' },
    licence: { type: 'string', value: 'text', description: 'Under which terms the version may be used.' },
    description: { type: 'string', value: 'text', description: 'What the version is.' },
    'allow-leaks': {
      type: 'boolean',
      description: 'Freeze although images that belong together are in different splits.',
    },
    ...remoteOptions,
    json,
  },
  async run(values) {
    const { project } = values;
    if (!project) throw new UsageError('Pass --project <slug>.');
    const split = readSplit(values.split, values);
    const table = 'table' in split ? readTable(split.table) : null;
    const requestWith = (spec: SplitSpec) =>
      FreezeRequest.parse({
        filter: {
          ...(values.class && { classes: values.class }),
          ...(values.labelled && { labels: 'some' }),
        },
        split: spec,
        licence: values.licence,
        description: values.description,
        allowLeaks: values['allow-leaks'],
      });
    const specOf = async (keep: (table: Buffer) => Promise<{ sha256: string }>): Promise<SplitSpec> =>
      table ? { kind: 'file', sha256: (await keep(table)).sha256 } : (split as { spec: SplitSpec }).spec;
    const step = (values.json ? noProgress : terminalProgress()).begin('Freezing');
    const at = encodeURIComponent(project);
    const frozen = await localOrRemote<Frozen>(
      values,
      async (db) => {
        const access = await authorise(db, commandLine, 'data.freeze', { project });
        const spec = await specOf((bytes) => storeSplitTable(db, storage(), one(bytes)));
        const context = {
          db,
          storage: storage(),
          signal: new AbortController().signal,
          progress: async (done: number, total: number | null, text?: string) =>
            step.update(total ? `${text ?? ''} ${done}/${total}` : (text ?? '')),
        };
        return freezeVersion(context, commandLine, {
          projectId: access.project.id,
          request: requestWith(spec),
        });
      },
      async (remote) => {
        const spec = await specOf((bytes) =>
          remote.ask(`/projects/${at}/split-tables`, {
            method: 'POST',
            body: new Blob([new Uint8Array(bytes)]).stream(),
            headers: { 'content-type': 'text/csv' },
          }),
        );
        const { jobId } = await remote.ask<{ jobId: string }>(`/projects/${at}/versions`, {
          method: 'POST',
          json: requestWith(spec),
        });
        const job = await waitForJob(remote, jobId, (text) => step.update(text));
        return job.result as unknown as Frozen;
      },
    ).catch((error) => {
      step.failed();
      throw error;
    });
    step.done(frozen.isNew ? `Froze version ${frozen.number}` : 'Nothing has changed');
    print(values.json, frozen, () =>
      frozen.isNew
        ? `version ${frozen.number}  ${frozen.hash}`
        : `version ${frozen.number} holds exactly this already  ${frozen.hash}`,
    );
    return 0;
  },
});

function readTable(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new TesseraError('invalid', `The table "${file}" cannot be read.`);
  }
}

async function* one(bytes: Buffer) {
  yield bytes;
}

/** What `--split` can say. A table is read by the caller. */
function readSplit(
  text = 'stratified',
  options: { seed?: string; shares?: string },
): { spec: SplitSpec } | { table: string } {
  const [kind = '', ...rest] = text.split(':');
  const value = rest.join(':');
  if (kind === 'file') return { table: value };
  const given = {
    kind,
    ...(kind === 'group' && { by: value }),
    ...(kind === 'folds' && { folds: Number(value) }),
    ...(kind === 'column' && { column: value }),
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(options.shares !== undefined && { shares: readShares(options.shares) }),
  };
  const parsed = SplitSpec.safeParse(given);
  if (parsed.success) return { spec: parsed.data };
  throw new UsageError(`--split "${text}" is not understood. It is one of: ${splitSays}`);
}

/** `train=0.8,val=0.1,test=0.1`. */
function readShares(text: string): Record<string, number> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name = '', share = ''] = part.split('=');
      return [name.trim(), Number(share)];
    }),
  );
}
