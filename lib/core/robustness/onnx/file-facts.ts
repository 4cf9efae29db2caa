import type { OnnxModel } from './read-model';
import { fields, textOf } from './wire';

export interface FileFacts {
  /** Of the standard operators; null where the file does not say it. */
  opset: number | null;
  /** Numbers in its weights. */
  parameters: number;
  bytes: number;
}

const OPSET_IMPORT = 8;
const DOMAIN = 1;
const VERSION = 2;

/** What a page says about a file. */
export function fileFacts({ bytes, modelFields, initializers }: OnnxModel): FileFacts {
  let opset: number | null = null;
  for (const field of modelFields) {
    if (field.number !== OPSET_IMPORT || !field.hasLength) continue;
    let [domain, version] = ['', null as number | null];
    for (const part of fields(bytes, field.from, field.end)) {
      if (part.number === DOMAIN) domain = textOf(bytes, part);
      else if (part.number === VERSION) version = part.value;
    }
    if (domain === '' || domain === 'ai.onnx') opset = version;
  }
  const parameters = [...initializers.values()].reduce(
    (sum, { dims }) => sum + dims.reduce((product, side) => product * side, 1),
    0,
  );
  return { opset, parameters, bytes: bytes.length };
}
