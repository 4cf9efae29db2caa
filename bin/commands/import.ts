import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceTree } from '@/lib/core/formats/format';
import type { FormatGuess } from '@/lib/services/datasets/import/source-trees';
import { defineCommand, json, UsageError } from '../command';
import {
  type Destination,
  filesOf,
  type LocalFile,
  remoteDestination,
  type UploadState,
} from '../import/files';
import { type Remote, readRemote, remoteOptions } from '../remote';
import { columns, noProgress, type Progress, print, terminalProgress, yellow } from '../terminal';

const lookEveryMs = 500;

export const command = defineCommand({
  usage: '<folder|zip|file> …',
  options: {
    project: { type: 'string', value: 'slug', description: 'The project that gets them.' },
    class: {
      type: 'string',
      value: 'class',
      description: 'The class of all, where no folder or table says it.',
    },
    'refuse-unknown': { type: 'boolean', description: 'Refuse pictures without a known class.' },
    format: {
      type: 'string',
      value: 'id',
      description:
        'The format of a dataset whose labels come in too; found out when it is left out. "pictures": no labels.',
    },
    ...remoteOptions,
    json,
  },
  async run(values, given) {
    if (!values.project) throw new UsageError('Pass --project <slug>.');
    const files = filesOf(given);
    if (files.length === 0) throw new UsageError('Pass which folder, zip or files.');
    const remote = readRemote(values);
    const dataset = await datasetIn(given, files, values.format);
    if (dataset && (values.class !== undefined || values['refuse-unknown']))
      throw new UsageError(
        '--class and --refuse-unknown are for pictures, and this is a dataset that says its classes itself. Leave them out, or say --format pictures.',
      );
    if (dataset) return importLabels(dataset, values.project, remote, values.json);
    await using destination = remote
      ? remoteDestination(remote, values.project)
      : await destinationHere(values.project);
    const progress = values.json ? noProgress : terminalProgress();

    await destination.begin({
      className: values.class,
      unknownClass: values['refuse-unknown'] ? 'refuse' : 'accept',
    });
    const sending = progress.begin('Sending');
    for (const [index, file] of files.entries()) {
      sending.update(`${index + 1}/${files.length} ${file.name}`);
      await destination.send(file);
    }
    sending.done(`Sent ${files.length} ${files.length === 1 ? 'file' : 'files'}`);
    await destination.finish();
    const { counts } = await settled(destination, progress);
    const refused = await destination.refusals();
    print(values.json, { ...counts, refusals: refused }, () =>
      [
        `${counts.accepted} accepted, ${counts.duplicate} duplicates, ${counts.refused} refused`,
        ...(refused.length > 0
          ? [columns(refused.map(({ name, reason }) => [`  ${name}`, yellow(reason)]))]
          : []),
      ].join('\n'),
    );
    return counts.accepted + counts.duplicate > 0 ? 0 : 1;
  },
});

interface Found {
  files: LocalFile[];
  tree: SourceTree;
  format: string;
  guesses: FormatGuess[];
}

/** A dataset is one folder or one zip; whatever else is given are pictures. */
async function datasetIn(given: string[], files: LocalFile[], format?: string): Promise<Found | null> {
  if (format === 'pictures') return null;
  if (given.length !== 1) {
    if (format) throw new UsageError('A dataset is one folder or one zip.');
    return null;
  }
  const { guessesHere, treeHere } = await import('../import/dataset');
  const tree = await treeHere(files);
  const guesses = format ? [] : await guessesHere(tree);
  const chosen = format ?? guesses[0]?.format;
  return chosen ? { files, tree, format: chosen, guesses } : null;
}

async function importLabels(
  { files, tree, format, guesses }: Found,
  project: string,
  remote: Remote | undefined,
  asJson: boolean | undefined,
): Promise<number> {
  process.env.TESSERA_LOG_LEVEL ||= 'warn';
  const { importElsewhere, importHere } = await import('../import/dataset');
  const { countsText, guessText } = await import('../import/dataset');
  if (!asJson && guesses.length > 0) console.log(guessText(guesses));
  const progress = asJson ? noProgress : terminalProgress();
  const found = remote
    ? await importElsewhere(remote, { project, files, format, progress })
    : await importHere({ project, tree, format, progress });
  const counts = { ...found, because: guesses[0]?.because ?? found.because };
  print(asJson, counts, () => countsText(counts));
  return counts.images.total > counts.images.refused ? 0 : 1;
}

async function destinationHere(project: string): Promise<Destination> {
  // Where no instance runs, a worker runs in this process: its news are not for the person who imports.
  process.env.TESSERA_LOG_LEVEL ||= 'warn';
  const { localDestination } = await import('../import/local');
  return localDestination(project);
}

async function settled(destination: Destination, progress: Progress): Promise<UploadState> {
  const step = progress.begin('Reading');
  for (;;) {
    const state = await destination.state();
    const { files, waiting, opened } = state.counts;
    step.update(`${files - waiting - opened}/${files - opened}`);
    if (state.isDone) {
      step.done('Read all pictures');
      return state;
    }
    await sleep(lookEveryMs);
  }
}
