import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { invalid } from '@/lib/core/errors';
import type { SourceTree } from '@/lib/core/formats/format';
import type { DatasetSchema } from '@/lib/core/schema';
import type { DescribedProject } from '@/lib/services/datasets/import/plan-import';
import type { FormatGuess } from '@/lib/services/datasets/import/source-trees';
import { defineCommand, json, UsageError } from '../command';
import type { importElsewhere } from '../import/dataset';
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
    project: { type: 'string', value: 'slug', description: 'The project to import into.' },
    create: {
      type: 'string',
      value: 'name',
      description:
        'Create a project of this name, with the schema of the dataset. --project sets its address.',
    },
    class: {
      type: 'string',
      value: 'class',
      description:
        'The class of pictures without a class in a folder name or table. For a dataset: the class that all its parts belong to.',
    },
    'refuse-unknown': { type: 'boolean', description: 'Refuse pictures without a known class.' },
    format: {
      type: 'string',
      value: 'id',
      description:
        'The format of the dataset. Detected by default. "pictures" imports pictures without labels.',
    },
    plan: {
      type: 'boolean',
      description:
        'Import nothing. Show what each category of the dataset would become, and write it as a mapping file.',
    },
    save: {
      type: 'string',
      value: 'file',
      description: 'The mapping file of --plan. Default: mapping.yaml.',
    },
    previews: {
      type: 'string',
      value: 'folder',
      description: 'With --plan: write twelve pictures with their labels.',
    },
    map: { type: 'string', value: 'file', description: 'Use an edited mapping file.' },
    report: {
      type: 'string',
      value: 'file.csv',
      description: 'Write the counts of imported and skipped annotations of each category as CSV.',
    },
    ...remoteOptions,
    json,
  },
  async run(values, given) {
    if (!values.project && !values.create && !values.plan)
      throw new UsageError('Pass --project <slug>, or --create <name>.');
    const files = filesOf(given);
    if (files.length === 0) throw new UsageError('Pass a folder, a zip or files.');
    const remote = readRemote(values);
    const dataset = await datasetIn(given, files, values.format);
    if (dataset && values['refuse-unknown'])
      throw new UsageError(
        '--refuse-unknown is for pictures only, and this is a dataset with labels. Remove the option, or pass --format pictures.',
      );
    if (dataset) return importLabels(dataset, values, remote, given[0] ?? '');
    if (values.create ?? values.plan ?? values.map ?? values.report)
      throw new UsageError(
        '--create, --plan, --map and --report are for datasets with labels, and none was found.',
      );
    if (!values.project) throw new UsageError('Pass --project <slug>.');
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

/** Detects a dataset, which must be a single folder or zip. Other arguments are pictures. */
async function datasetIn(given: string[], files: LocalFile[], format?: string): Promise<Found | null> {
  if (format === 'pictures') return null;
  if (given.length !== 1) {
    if (format) throw new UsageError('A dataset must be a single folder or zip.');
    return null;
  }
  const { brokenHere, guessesHere, treeHere } = await import('../import/dataset');
  const tree = await treeHere(files);
  const guesses = format ? [] : await guessesHere(tree);
  const chosen = format ?? guesses[0]?.format;
  const broken = chosen ? [] : await brokenHere(tree);
  if (broken.length > 0)
    throw invalid(`${broken.join(' ')} Repair or remove the file, or pass --format pictures.`);
  return chosen ? { files, tree, format: chosen, guesses } : null;
}

interface DatasetOptions {
  project?: string;
  create?: string;
  class?: string;
  plan?: boolean;
  save?: string;
  previews?: string;
  map?: string;
  report?: string;
  json?: boolean;
}

/** 3: some annotations were skipped. */
const SKIPPED = 3;

async function importLabels(
  { files, tree, format, guesses }: Found,
  options: DatasetOptions,
  remote: Remote | undefined,
  given: string,
): Promise<number> {
  process.env.TESSERA_LOG_LEVEL ||= 'warn';
  const asJson = options.json;
  const { countsText, guessText, importHere } = await import('../import/dataset');
  const { planHere, planText, projectForPlan, readMappingFile, saveMapping, writeReport } = await import(
    '../import/plan'
  );
  const { mapping, className } = {
    mapping: options.map === undefined ? undefined : readMappingFile(options.map),
    className: options.class,
  };
  const name = path.basename(path.resolve(given));
  const plan = (project: DescribedProject | null) =>
    planHere({
      tree,
      format,
      mapping,
      className,
      project,
      names: [...(options.create === undefined ? [] : [options.create]), name],
      previews: options.previews,
    });
  if (options.plan) {
    const isNew = options.project === undefined || options.create !== undefined;
    const because = guesses[0]?.because;
    const project = isNew ? null : await projectForPlan(options.project ?? '', remote);
    const found = await plan(project);
    const planned = { ...found, because: because ?? found.because };
    const file = options.save ?? 'mapping.yaml';
    if (mapping === undefined) saveMapping(file, planned.mapping);
    print(asJson, planned, () =>
      [planText(planned), ...(mapping ? [] : [`Wrote ${file}. Edit it and pass --map ${file}.`])].join('\n'),
    );
    return 0;
  }
  if (!asJson && guesses.length > 0) console.log(guessText(guesses));
  const created = options.create === undefined ? null : await plan(null);
  const progress = asJson ? noProgress : terminalProgress();
  const wanted = { format, mapping: created?.mapping ?? mapping, className, progress };
  const create = created && { name: options.create ?? '', schema: created.schema };
  const found = remote
    ? await importThere(remote, { ...wanted, files, project: options.project, create })
    : await importHere({ ...wanted, tree, name, project: options.project ?? '', ...(create && { create }) });
  const { project } = found;
  const counts = { ...found, because: guesses[0]?.because ?? found.because };
  if (options.report !== undefined) writeReport(options.report, counts.categories, counts.annotations);
  print(asJson, counts, () =>
    [...(created ? [`Created the project ${project}.`] : []), countsText(counts)].join('\n'),
  );
  if (counts.images.total === counts.images.refused) return 1;
  return counts.annotations.skipped > 0 ? SKIPPED : 0;
}

async function importThere(
  remote: Remote,
  input: Omit<Parameters<typeof importElsewhere>[1], 'project'> & {
    project?: string;
    create: { name: string; schema: DatasetSchema } | null;
  },
) {
  const { createElsewhere, importElsewhere } = await import('../import/dataset');
  const { create, project: slug, ...rest } = input;
  const project = create ? await createElsewhere(remote, { ...create, slug }) : (slug ?? '');
  return { ...(await importElsewhere(remote, { ...rest, project })), project };
}

async function destinationHere(project: string): Promise<Destination> {
  // If no instance is running, a worker runs in this process. Its log messages are hidden.
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
