import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '@/db';
import { invalid, TesseraError } from '@/lib/core/errors';
import type { FormatFile } from '@/lib/core/formats/format';
import type { Storage } from '@/lib/services/storage';
import { canonical } from '../manifest/canonical';
import { type ArchiveLayout, archiveSink } from './archive-sink';
import { explainDiskFault, type Told } from './disk-fault';
import { folderSink } from './folder-sink';
import { type OpenExport, openExport, refusalText, type WantedExport } from './open-export';
import { lockPart } from './part-lock';
import { storedPictures } from './pictures';
import { tarLayout } from './tar-layout';
import { withTightHeap } from './tight-heap';
import { writeExport } from './write-export';
import { zipLayout } from './zip-layout';

export interface Exporting {
  db: Db;
  storage: Storage;
  signal: AbortSignal;
  progress(done: number, total: number | null, text?: string): Promise<void>;
}

export interface Exported {
  bytes: number;
  files: number;
  losses: readonly string[];
  hash: string;
}

/** Writes a version to a folder, or to a file whose name ends in .zip or .tar. */
export const exportTo = (...work: Parameters<typeof exportInto>): Promise<Exported> =>
  withTightHeap(() => exportInto(...work));

async function exportInto(
  { db, storage, signal, progress }: Exporting,
  wanted: WantedExport,
  out: string,
  told?: Told,
): Promise<Exported> {
  const target = path.resolve(out);
  const layout = layoutOf(target);
  await progress(0, null, 'Checking');
  const open = await openExport(db, storage, wanted);
  const { format, dataset, options, version } = open;
  const check = await format.check(dataset, options);
  if (check.refusals.length > 0)
    throw new TesseraError('invalid', `${format.name} cannot hold this version.\n${refusalText(check)}`, {
      refusals: check.refusals,
    });
  const pictures = storedPictures(storage);
  const extras = extrasOf(open, check.losses);
  // Files are made when they are written: counting them costs a pass over the labels and no pixel.
  let total = extras.length;
  for await (const _ of format.write(dataset, options, pictures)) total += 1;
  const what = canonical({ hash: version.hash, format: format.id, options, writer: 2 });
  let unlock = async () => {};
  try {
    await mkdir(path.dirname(target), { recursive: true });
    unlock = await lockPart(`${target}.part.lock`);
    const sink = layout ? await archiveSink(target, what, layout) : await folderSink(target, what);
    const written = await writeExport({
      dataset,
      format,
      options,
      pictures,
      sink,
      extras,
      placeOf: storage.place,
      signal,
      progress: (files) => progress(files, total, 'Writing files'),
    });
    return { ...written, losses: check.losses, hash: version.hash };
  } catch (error) {
    const here = {
      place: `"${target}"`,
      again: 'then start the same export again: it goes on where it stopped.',
    };
    throw explainDiskFault(error, told ?? here);
  } finally {
    await unlock();
  }
}

/** How the name's ending says that it is to be written; null for a folder. */
function layoutOf(target: string): ArchiveLayout | null {
  if (/\.zip$/i.test(target)) return zipLayout;
  if (/\.tar$/i.test(target)) return tarLayout;
  if (/\.(?:gz|tgz|bz2|xz|zst|7z|rar)$/i.test(target))
    throw invalid(`"${path.basename(target)}": exports are folders, .zip or .tar files.`);
  return null;
}

/** What every export holds beside the files of its format. No names of people, no moments: the same bytes every time. */
function extrasOf({ version, format, options, original, dataset }: OpenExport, losses: readonly string[]) {
  const about = {
    version: version.hash,
    format: format.id,
    options,
    losses,
    licence: original.licence,
    card: version.card,
  };
  const extras: FormatFile[] = [
    { path: 'CARD.json', bytes: () => new TextEncoder().encode(`${JSON.stringify(about, null, 2)}\n`) },
  ];
  if (options.names === 'number')
    extras.push({ path: 'names.csv', chunks: () => namesOf(original, dataset) });
  return extras;
}

async function* namesOf(original: OpenExport['original'], dataset: OpenExport['dataset']) {
  yield 'stem,name\n';
  const named = original.images()[Symbol.asyncIterator]();
  for await (const { name } of dataset.images()) {
    const { value } = await named.next();
    yield `${name.replace(/\.\w+$/, '')},"${String(value?.name).replaceAll('"', '""')}"\n`;
  }
}
