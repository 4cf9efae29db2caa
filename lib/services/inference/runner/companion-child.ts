import { readFile, stat } from 'node:fs/promises';
import { invalid } from '@/lib/core/errors';
import { MAX_EMBEDDING_BYTES } from '@/lib/core/robustness/fmr/oracles';
import {
  type Inspection,
  type InspectionInput,
  inspectModel,
} from '@/lib/core/robustness/onnx/inspect-model';
import type { Picture } from '@/lib/core/robustness/picture';
import { runBesideFile, serveRequests } from '../serve-child';
import { type Autoencoder, type Embedder, openAutoencoder, openEmbedder } from './companions';
import { readModelFile } from './open-model';

/** Request to inspect an uploaded model; files by role, as paths. */
export type InspectRequest = Omit<InspectionInput, 'files'> & {
  files: Readonly<Record<string, string | null>>;
};

/** Files and contract of an oracle or a generator. */
export interface CompanionSource {
  file: string;
  encoderFile?: string | null;
  contract: unknown;
}

/** Input size of an opened companion. */
export interface CompanionSize {
  width: number;
  height: number;
}

let embedder: Embedder | undefined;
let autoencoder: Autoencoder | undefined;

serveRequests(async (call, payload) => {
  switch (call) {
    case 'inspect':
      return inspect(payload as InspectRequest);
    case 'open oracle': {
      const source = payload as CompanionSource;
      embedder = await runBesideFile(source.file, () => openEmbedder(source));
      return sizeOf(embedder);
    }
    case 'open decoder': {
      const { encoderFile, ...source } = payload as CompanionSource;
      if (!encoderFile) throw invalid('The decoder has no encoder. Upload it again with its encoder.');
      autoencoder = await runBesideFile(source.file, () => openAutoencoder({ ...source, encoderFile }));
      return sizeOf(autoencoder);
    }
    case 'embed':
      return embedder?.embed(payload as Picture[]);
    case 'encode':
      return autoencoder?.encode(payload as Picture[]);
    case 'decode':
      return autoencoder?.decode(payload as Float32Array[]);
    default:
      throw new Error(`There is no call ${call}.`);
  }
});

const sizeOf = ({ width, height }: CompanionSize): CompanionSize => ({ width, height });

async function inspect({ files, ...request }: InspectRequest): Promise<Inspection> {
  const read: Record<string, Uint8Array> = {};
  for (const [name, file] of Object.entries(files)) {
    if (!file) continue;
    if (name === 'words' && (await stat(file)).size > MAX_EMBEDDING_BYTES)
      throw invalid(`The embeddings have more than ${MAX_EMBEDDING_BYTES / 2 ** 20} MB.`);
    read[name] = name === 'words' ? await readFile(file) : await readModelFile(file);
  }
  return inspectModel({ ...request, files: read });
}
