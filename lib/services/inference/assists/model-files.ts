import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { type ModelPackage, salientObject, segmentAnything } from './catalogue';

export interface ModelFile {
  file: string;
  /** What it must be; null for a file of the operator's own. */
  sha256: string | null;
}

/** The models that this instance has, by path. They are opened only by the model process. */
export interface Models {
  segmentAnything: { name: string; encoder: ModelFile; decoder: ModelFile } | null;
  salientObject: { name: string; network: ModelFile } | null;
}

type Places = Pick<Config, 'home' | 'TESSERA_SAM_ENCODER' | 'TESSERA_SAM_DECODER'>;

export const switchOn = 'npx tessera assist install';

export function modelFolder(home: string, { name, version }: ModelPackage): string {
  return path.join(/* turbopackIgnore: true */ home, 'assist', `${name}-${version}`);
}

/** Looks at the disk every time, so that what was just installed works without a restart. */
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
      'TESSERA_SAM_ENCODER and TESSERA_SAM_DECODER belong together: only one of them is set.',
    );
  const gone = [encoder, decoder].find((file) => !existsSync(/* turbopackIgnore: true */ file));
  if (gone) throw new TesseraError('unavailable', `The model file ${gone} is not there.`);
  const name = path.basename(encoder, '.onnx');
  return { name, encoder: { file: encoder, sha256: null }, decoder: { file: decoder, sha256: null } };
}

function installed(home: string, wanted: ModelPackage): ModelFile[] {
  return wanted.files
    .map(({ name, sha256 }) => ({ file: path.join(modelFolder(home, wanted), name), sha256 }))
    .filter(({ file }) => existsSync(/* turbopackIgnore: true */ file));
}

const nameOf = ({ name, version }: ModelPackage) => `${name}@${version}`;
