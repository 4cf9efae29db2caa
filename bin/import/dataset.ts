import { setTimeout as sleep } from 'node:timers/promises';
import { TesseraError } from '@/lib/core/errors';
import type { SourceTree } from '@/lib/core/formats/format';
import type { Mapping } from '@/lib/core/formats/mapping';
import type { DatasetSchema } from '@/lib/core/schema';
import type { ImportCounts } from '@/lib/services/datasets/import/import-counts';
import { importDataset } from '@/lib/services/datasets/import/import-dataset';
import { canImportLabels } from '@/lib/services/datasets/import/import-upload';
import {
  detectFormat,
  type FormatGuess,
  fileTree,
  findBrokenLabels,
  zipTree,
} from '@/lib/services/datasets/import/source-trees';
import { createProject } from '@/lib/services/projects';
import { storage } from '@/lib/services/storage';
import { commandLine, enterDatabase } from '../database/enter';
import type { Remote } from '../remote';
import { columns, dim, type Progress, yellow } from '../terminal';
import { type LocalFile, sendAll } from './files';
import { categoriesText } from './plan';

/** Opens the given folder or zip for the format readers. */
export const treeHere = (files: readonly LocalFile[]): Promise<SourceTree> =>
  files.length === 1 && /\.zip$/i.test(files[0]?.name ?? '')
    ? zipTree(files[0]?.file ?? '')
    : Promise.resolve(fileTree(files));

/** Lists damaged label files, with one sentence each. */
export const brokenHere = (tree: SourceTree): Promise<string[]> => findBrokenLabels(tree);

export const guessesHere = (tree: SourceTree): Promise<FormatGuess[]> => detectFormat(tree);

export interface DatasetHere {
  project: string;
  tree: SourceTree;
  format: string;
  mapping?: Mapping;
  className?: string;
  /** Name of the given folder or file. */
  name: string;
  /** The project to create. `project` is its address, made from the name if it is empty. */
  create?: { name: string; schema: DatasetSchema };
  progress: Progress;
}

/** Imports into the local database, in this process. Ctrl-C stops the import; the next one continues it. */
export async function importHere(dataset: DatasetHere): Promise<ImportCounts & { project: string }> {
  const { tree, format, mapping, className, name, create, progress } = dataset;
  await using entered = await enterDatabase();
  const project = create
    ? (await createProject(entered.db, commandLine, { ...create, slug: dataset.project || undefined })).slug
    : dataset.project;
  const access = await canImportLabels(entered.db, commandLine, project);
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new TesseraError('unavailable', 'The import was stopped.'));
  process.once('SIGINT', onInterrupt);
  const step = progress.begin('Importing');
  try {
    const counts = await importDataset(
      {
        db: entered.db,
        storage: storage(),
        signal: stop.signal,
        progress: async (done, _total, text) => step.update(`${done} ${text ?? ''}`),
        log: async () => undefined,
      },
      {
        projectId: access.project.id,
        author: commandLine,
        mayAdopt: true,
        tree,
        format,
        mapping,
        className,
        name,
      },
    );
    step.done(`Read ${counts.images.total} ${counts.images.total === 1 ? 'image' : 'images'}`);
    return { ...counts, project };
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

interface RemoteJob {
  state: string;
  error: string | null;
  done: number;
  text: string;
  result: ImportCounts | null;
}

const lookEveryMs = 500;

/** Imports through the API of a remote instance. The files are sent unchanged, and its worker reads them. */
export async function importElsewhere(
  remote: Remote,
  input: {
    project: string;
    files: readonly LocalFile[];
    format: string;
    mapping?: Mapping;
    className?: string;
    progress: Progress;
  },
): Promise<ImportCounts> {
  const uploads = `/projects/${encodeURIComponent(input.project)}/uploads`;
  const { id } = await remote.ask<{ id: string }>(uploads, { method: 'POST', json: {} });
  await sendAll(remote, `${uploads}/${id}`, input.files, input.progress);
  const { jobId } = await remote.ask<{ jobId: string }>(`${uploads}/${id}/import`, {
    method: 'POST',
    json: { format: input.format, mapping: input.mapping, className: input.className },
  });
  const step = input.progress.begin('Importing');
  for (;;) {
    const { job } = await remote.ask<{ job: RemoteJob }>(`/jobs/${jobId}`);
    step.update(`${job.done} ${job.text}`);
    if (job.state === 'done' && job.result) {
      step.done(`Read ${job.result.images.total} images`);
      return job.result;
    }
    if (job.state === 'failed' || job.state === 'cancelled')
      throw new TesseraError('unavailable', `The import was ${job.state}. ${job.error ?? ''}`.trim());
    await sleep(lookEveryMs);
  }
}

/** Creates a project with the schema of a dataset, and returns its address. */
export async function createElsewhere(
  remote: Remote,
  project: { name: string; slug?: string; schema: DatasetSchema },
): Promise<string> {
  return (await remote.ask<{ slug: string }>('/projects', { method: 'POST', json: project })).slug;
}

/** Describes the detected format with the reason, and the alternatives. */
export function guessText([best, ...others]: readonly FormatGuess[]): string {
  if (!best) return 'No label files of a known format were found. Importing pictures only.';
  const also = others.map(({ format }) => `--format ${format}`).join(', ');
  return `${best.name}: ${best.because}.${also === '' ? '' : dim(` Alternatives: ${also}.`)}`;
}

export function countsText(counts: ImportCounts): string {
  const { images, labels, annotations, categories, reasons, notes, isNewSchema } = counts;
  const list = reasons.map(({ reason, count, first }) => [
    `  ${count} ×`,
    `${yellow(reason)} ${dim(`(first: ${first})`)}`,
  ]);
  return [
    ...(isNewSchema ? ['The project has adopted the schema of the dataset.'] : []),
    `Images: ${images.total} = ${images.accepted} accepted + ${images.duplicate} already imported + ${images.refused} refused${images.before > 0 ? ` + ${images.before} from an earlier attempt` : ''}`,
    `Annotations: ${annotations.total} = ${annotations.written} written + ${annotations.merged} merged + ${annotations.known} already imported + ${annotations.skipped} skipped`,
    `Labels in the project: ${labels.total} = ${labels.written} written + ${labels.known} already imported + ${labels.leftOut} left out`,
    ...(list.length > 0 ? [columns(list)] : []),
    ...notes.map((note) => `  ${yellow(note)}`),
    ...(categories.length > 0 ? ['', categoriesText(categories, annotations)] : []),
  ].join('\n');
}
