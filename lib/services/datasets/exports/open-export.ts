import type { Db } from '@/db';
import { invalid } from '@/lib/core/errors';
import { formats } from '@/lib/core/formats';
import type { Dataset } from '@/lib/core/formats/dataset';
import type { Check, Format, Options } from '@/lib/core/formats/format';
import { commonOptions, readOptions } from '@/lib/core/formats/options';
import { prepareDataset } from '@/lib/core/formats/prepare';
import type { Storage } from '@/lib/services/storage';
import { canonical } from '../manifest';
import { ResultCache } from '../result-cache';
import { findVersion, openVersion, type VersionRow } from '../versions/open-version';

export interface ExportRequest {
  projectId: string;
  version: string;
  format: string;
  options: Record<string, unknown>;
}

export interface OpenExport {
  version: VersionRow;
  format: Format;
  options: Options;
  /** The dataset with the common options applied. */
  dataset: Dataset;
  /** The dataset as frozen. */
  original: Dataset;
}

export const optionsOf = (format: Format) => [...format.options, ...commonOptions];

/** The options as the API and the command line list them. Their fields keep these names, because scripts use them. */
export const describeOptions = (format: Format) =>
  optionsOf(format).map(({ description, defaultValue, ...option }) => ({
    ...option,
    says: description,
    otherwise: defaultValue,
    values:
      'values' in option ? option.values.map(({ value, description: says }) => ({ value, says })) : undefined,
  }));

export function findFormat(id: string): Format {
  const format = formats.find((each) => each.id === id);
  if (!format)
    throw invalid(`Unknown format "${id}". Use one of: ${formats.map((each) => each.id).join(', ')}.`);
  return format;
}

/** Opens a version with a format and its options, ready to be checked or written. */
export async function openExport(db: Db, storage: Storage, wanted: ExportRequest): Promise<OpenExport> {
  const format = findFormat(wanted.format);
  const options = readOptions(optionsOf(format), wanted.options);
  const version = await findVersion(db, wanted);
  const original = await openVersion(db, storage, version);
  return { version, format, options, original, dataset: await prepareDataset(original, options) };
}

/** Checks of recently viewed versions, formats and options. */
const checks = new ResultCache<Check>(200);

export interface CheckedExport extends Check {
  version: VersionRow;
  format: Format;
  options: Options;
}

/** Checks an export without writing it: losses and refusals. Reads labels but no pixels. Results are cached. */
export async function checkExport(db: Db, storage: Storage, wanted: ExportRequest): Promise<CheckedExport> {
  const format = findFormat(wanted.format);
  const options = readOptions(optionsOf(format), wanted.options);
  const version = await findVersion(db, wanted);
  const key = canonical([version.projectId, version.hash, format.id, options]);
  const check = await checks.get(key, async () => {
    const dataset = await prepareDataset(await openVersion(db, storage, version), options);
    return format.check(dataset, options);
  });
  return { ...check, version, format, options };
}

/** Formats refusals for the command line. */
export const formatRefusals = ({ refusals }: Check): string =>
  refusals
    .map(
      ({ what, count, examples }) =>
        `${what} (${count}): ${examples.slice(0, 5).join(', ')}${count > 5 ? ' …' : ''}`,
    )
    .join('\n');
