import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tinySam } from '../../support/tiny-sam';

/** Writes the files of the tiny model; gives what the instance under test is told about them. */
export function tinyModels(): { TESSERA_SAM_ENCODER: string; TESSERA_SAM_DECODER: string } {
  const folder = path.resolve('test-results/models');
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: Buffer): string => {
    const file = path.join(folder, name);
    // Another run may be reading it.
    writeFileSync(`${file}.${process.pid}`, content);
    renameSync(`${file}.${process.pid}`, file);
    return file;
  };
  return {
    TESSERA_SAM_ENCODER: write('tiny-encoder.onnx', tinySam.encoder),
    TESSERA_SAM_DECODER: write('tiny-decoder.onnx', tinySam.decoder),
  };
}
