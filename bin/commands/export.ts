import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TesseraError } from '@/lib/core/errors';
import { authorise } from '@/lib/services/access';
import { hashRange } from '@/lib/services/datasets/exports/export-sink';
import { type Exported, exportVersion } from '@/lib/services/datasets/exports/export-version';
import { storage } from '@/lib/services/storage';
import { defineCommand, json, readSettings, UsageError } from '../command';
import { commandLine, localOrRemote } from '../database/enter';
import { type Remote, remoteOptions, waitForJob } from '../remote';
import { noProgress, print, terminalProgress, yellow } from '../terminal';

export const command = defineCommand({
  usage: '<version|latest>',
  options: {
    project: { type: 'string', value: 'slug', description: 'The project.' },
    format: { type: 'string', value: 'id', description: 'The format: see `tessera formats`.' },
    out: { type: 'string', value: 'folder|file.zip|file.tar', description: 'Where to write it.' },
    set: { type: 'strings', value: 'option=value', description: 'An option of the format; can be repeated.' },
    ...remoteOptions,
    json,
  },
  async run(values, [version = 'latest']) {
    const { project, format, out } = values;
    if (!project) throw new UsageError('Pass --project <slug>.');
    if (!format) throw new UsageError('Pass --format <id>; `tessera formats` lists them.');
    if (!out) throw new UsageError('Pass --out <folder|file.zip|file.tar>.');
    const options = readSettings(values.set);
    const step = (values.json ? noProgress : terminalProgress()).begin('Exporting');
    const stopping = new AbortController();
    // What was written stays beside the final name: the same command goes on there.
    process.once('SIGINT', () => stopping.abort(new Error('Stopped. The same command goes on from here.')));
    const written = await localOrRemote<Exported>(
      values,
      async (db) => {
        const access = await authorise(db, commandLine, 'data.export', { project });
        const context = {
          db,
          storage: storage(),
          signal: stopping.signal,
          progress: async (done: number, total: number | null, text?: string) =>
            step.update(total ? `${text ?? ''} ${done}/${total}` : (text ?? '')),
        };
        return exportVersion(context, { projectId: access.project.id, version, format, options }, out);
      },
      (remote) => download(remote, { project, version, format, options, out }, (text) => step.update(text)),
    ).catch((error) => {
      step.failed();
      throw error;
    });
    step.done(`Wrote ${written.files} files to ${out}`);
    print(values.json, { ...written, out }, () =>
      [`${out}  ${written.bytes} bytes`, ...written.losses.map((loss) => yellow(`not kept: ${loss}`))].join(
        '\n',
      ),
    );
    return 0;
  },
});

interface Wanted {
  project: string;
  version: string;
  format: string;
  options: Record<string, string>;
  out: string;
}

/** An instance elsewhere writes a zip and sends it. */
async function download(
  remote: Remote,
  { project, version, format, options, out }: Wanted,
  say: (text: string) => void,
): Promise<Exported> {
  if (!out.endsWith('.zip')) throw new UsageError('From elsewhere comes a zip: --out <file.zip>.');
  if (existsSync(out))
    throw new UsageError(`"${out}" already exists. Choose another file name or remove it.`);
  const { items } = await remote.ask<{ items: { id: string; hash: string }[] }>(
    `/projects/${encodeURIComponent(project)}/versions`,
    { query: { name: version } },
  );
  const [found] = items;
  if (!found) throw new UsageError(`There is no version "${version}".`);
  const { id, jobId } = await remote.ask<{ id: string; jobId: string }>(`/versions/${found.id}/exports`, {
    method: 'POST',
    json: { format, options },
  });
  await waitForJob(remote, jobId, say);
  const { bytes, files, losses, sha256 } = await remote.ask<{
    bytes: number;
    files: number;
    losses: string[];
    sha256: string;
  }>(`/exports/${id}`);
  const part = `${out}.download`;
  try {
    const body = await remote.open(`/exports/${id}/file`);
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(part));
    if ((await hashRange(part, 0, bytes)) !== sha256)
      throw new TesseraError(
        'unavailable',
        'The download is damaged: its hash is not that of the export. Try again.',
      );
    await rename(part, out);
  } finally {
    await rm(part, { force: true });
  }
  return { bytes, files, losses, hash: found.hash };
}
