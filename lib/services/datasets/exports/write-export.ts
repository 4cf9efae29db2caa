import type { Dataset } from '@/lib/core/formats/dataset';
import type { Format, FormatFile, Options, Pictures } from '@/lib/core/formats/format';
import { SerialTasks, type Sink, type WrittenFile } from './export-sink';

/** Number of small files prepared concurrently; images are decoded and encoded on other threads. */
const PREPARE_AHEAD = 8;

export const MANIFEST = 'MANIFEST.sha256';

export interface ExportWork {
  dataset: Dataset;
  format: Format;
  options: Options;
  pictures: Pictures;
  sink: Sink;
  /** Files in addition to those of the format: the card and the list of names. */
  extras: readonly FormatFile[];
  /** The local path of a stored file, if it has one. */
  placeOf?: (sha256: string) => string;
  signal: AbortSignal;
  progress(files: number): Promise<void>;
}

/** Number of streamed files that wait for their turn. Each can keep some of its images in memory. */
const MAX_WAITING = 4;

/**
 * Writes a dataset in a format. Files are prepared a few ahead and written in the order of the format, so that the bytes
 * do not depend on the number of processors. A folder sink writes streamed files while it copies images. Files of an
 * earlier attempt are skipped.
 */
export async function writeExport(work: ExportWork): Promise<{ bytes: number; files: number }> {
  const { sink, progress } = work;
  // The format of sha256sum, in the order of the format.
  const lines: string[] = [];
  const told = ({ sha256 }: WrittenFile, path: string, line: number) => {
    lines[line] = `${sha256}  ${path}\n`;
  };
  const seen = new Set<string>();
  const behind = new SerialTasks(MAX_WAITING);
  const failed = new AbortController();
  const signal = AbortSignal.any([work.signal, failed.signal]);
  try {
    for await (const { file, bytes } of madeAhead(filesOf(work), work)) {
      signal.throwIfAborted();
      const { path, chunks } = file;
      if (seen.has(path)) throw new Error(`The format writes "${path}" twice.`);
      requireInside(path);
      seen.add(path);
      const known = sink.kept.get(path);
      if (path.endsWith('/')) await (known ? undefined : sink.folder(path));
      else {
        const line = lines.push('') - 1;
        if (known) told(known, path, line);
        else if (isCopied(file, work)) told(await copied(file, work), path, line);
        else if (bytes) told(await sink.file(path, bytes, file.sha256), path, line);
        else if (chunks) {
          const stream = async () => told(await sink.stream(path, stoppable(chunks(), signal)), path, line);
          await (sink.acceptsConcurrentWrites ? behind.start(stream) : stream());
        }
      }
      await progress(seen.size);
    }
    await behind.end();
    if (!sink.kept.has(MANIFEST)) await sink.stream(MANIFEST, pieces(lines));
    signal.throwIfAborted();
    return { ...(await sink.finish()), files: seen.size + 1 };
  } catch (error) {
    failed.abort();
    await behind.end().catch(() => {});
    await sink.pause().catch(() => {});
    throw error;
  }
}

async function* filesOf({
  dataset,
  format,
  options,
  pictures,
  extras,
}: ExportWork): AsyncGenerator<FormatFile> {
  yield* format.write(dataset, options, pictures);
  yield* extras;
}

/** Rejects paths that leave the export. Formats check names too; this covers every kind of archive. */
function requireInside(name: string): void {
  const segments = name.replace(/\/$/, '').split('/');
  if (
    name.includes('\\') ||
    segments.some((segment) => segment === '' || segment === '.' || segment === '..')
  )
    throw new Error(`The format writes "${name}", which may lie outside of the export.`);
}

type Made = { file: FormatFile; bytes?: Uint8Array };

/** Whether a stored file can be copied without reading it into memory. */
const isCopied = (file: FormatFile, { sink, placeOf }: ExportWork): boolean =>
  file.sha256 !== undefined && placeOf !== undefined && sink.copy !== undefined;

async function copied(file: FormatFile, { sink, placeOf }: ExportWork): Promise<WrittenFile> {
  if (!sink.copy || !placeOf || !file.sha256) throw new Error('Only what is stored can be copied.');
  return sink.copy(file.path, placeOf(file.sha256), file.sha256);
}

async function* madeAhead(files: AsyncIterable<FormatFile>, work: ExportWork): AsyncGenerator<Made> {
  const queue: Promise<Made>[] = [];
  const make = async (file: FormatFile): Promise<Made> =>
    work.sink.kept.has(file.path) || !file.bytes || isCopied(file, work)
      ? { file }
      : { file, bytes: await file.bytes() };
  for await (const file of files) {
    const made = make(file);
    // Awaited later; until then a rejection must not be reported as unhandled.
    made.catch(() => {});
    queue.push(made);
    if (queue.length >= PREPARE_AHEAD) yield await (queue.shift() as Promise<Made>);
  }
  for (const made of queue) yield await made;
}

async function* stoppable<T>(chunks: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}

async function* pieces(lines: readonly string[]): AsyncGenerator<string> {
  for (let from = 0; from < lines.length; from += 1000) yield lines.slice(from, from + 1000).join('');
}
