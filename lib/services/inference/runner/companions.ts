import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { invalid } from '@/lib/core/errors';
import { fixedBatch } from '@/lib/core/robustness/onnx/check-contract';
import {
  checkDecoder,
  checkOracle,
  type DecoderContract,
  readDecoder,
  readOracle,
} from '@/lib/core/robustness/onnx/companion-contracts';
import { fedInputs, type OnnxModel, readModel } from '@/lib/core/robustness/onnx/read-model';
import { CHANNELS, emptyPicture, type Picture } from '@/lib/core/robustness/picture';
import { firstLineOf } from '../serve-child';
import { BATCH, readModelFile, requireFiniteNumbers, trialPictures } from './open-model';
import { inputDims, openSession, PictureSession, readPicture, writePicture } from './picture-session';

/** An opened decoder with its encoder. */
export interface Autoencoder {
  width: number;
  height: number;
  /** Latent code of each picture. */
  encode(pictures: readonly Picture[]): Promise<Float32Array[]>;
  decode(places: readonly Float32Array[]): Promise<Picture[]>;
}

/** Maximum length of a latent code. */
const MAX_LATENT_SIZE = 4_000_000;

/** Opens encoder and decoder in this process and runs a test reconstruction. One picture at a time. */
export async function openAutoencoder({
  file,
  encoderFile,
  contract: written,
}: {
  file: string;
  encoderFile: string;
  contract: unknown;
}) {
  const contract = readDecoder(written);
  const [decoder, encoder] = [
    readModel(await readModelFile(file)),
    readModel(await readModelFile(encoderFile)),
  ];
  checkDecoder(decoder, encoder, contract);
  for (const model of [decoder, encoder]) requireSinglePictures(model);
  const { input, outputs, latent } = contract;
  const sessions = { encoder: await openSession(encoder.bytes), decoder: await openSession(decoder.bytes) };
  let sides: readonly number[] = [];
  const encodeOne = async (picture: Picture): Promise<Float32Array> => {
    const data = new Float32Array(CHANNELS * input.width * input.height);
    writePicture(picture, input, data);
    const fed = { [input.name]: new Tensor('float32', data, inputDims(input, 1)) };
    const found = await run(sessions.encoder, fed, outputs.latent);
    if (found.dims[0] !== 1 || found.data.length > MAX_LATENT_SIZE)
      throw invalid(
        `The encoder gives ${found.dims.join(' × ')} for one picture. Export an encoder with one latent code per picture.`,
      );
    sides = found.dims;
    return found.data;
  };
  const decodeOne = async (place: Float32Array): Promise<Picture> => {
    const found = await run(
      sessions.decoder,
      { [latent]: new Tensor('float32', place, sides) },
      outputs.picture,
    );
    const wanted = inputDims(input, 1);
    if (found.dims.join() !== wanted.join())
      throw invalid(
        `The decoder gives ${found.dims.join(' × ')}, not ${wanted.join(' × ')}: pictures of the encoder's size.`,
      );
    return seen(found.data, contract);
  };
  // Also determines the shape of the latent code.
  const places: Float32Array[] = [];
  for (const picture of trialPictures(input)) places.push(await encodeOne(picture));
  requireFiniteNumbers(places);
  const rebuilt: Picture[] = [];
  for (const place of places) rebuilt.push(await decodeOne(place));
  requireFiniteNumbers(rebuilt.map(({ data }) => data));
  return {
    width: input.width,
    height: input.height,
    encode: (pictures) => inTurn(pictures, encodeOne),
    decode: (codes) => inTurn(codes, decodeOne),
  } satisfies Autoencoder;
}

async function inTurn<T, R>(payload: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const each of payload) done.push(await work(each));
  return done;
}

async function run(session: InferenceSession, fed: Record<string, Tensor>, output: string) {
  const found = await session.run(fed, [output]).catch((error: unknown) => {
    throw invalid(`The network failed on a test picture: ${firstLineOf(error)}`);
  });
  const tensor = found[output];
  if (tensor?.type !== 'float32')
    throw invalid(`The output "${output}" is not float32. Export the model with float32 outputs.`);
  // Copied, because the runtime can reuse its memory.
  return { dims: tensor.dims, data: (tensor.data as Float32Array).slice() };
}

function requireSinglePictures(model: OnnxModel): void {
  const fixed = fedInputs(model)[0]?.shape?.[0] ?? 1;
  if (fixed !== 1) throw invalid(`The file takes ${fixed} at a time. Export it for one, or for any number.`);
}

/** Converts the output of the decoder to a picture. */
function seen(values: Float32Array, { input, range: [black, white] }: DecoderContract): Picture {
  const picture = emptyPicture({ width: input.width, height: input.height, data: new Float32Array() });
  readPicture(values, input, picture.data);
  picture.data.forEach((value, i) => {
    const share = (value - black) / (white - black);
    picture.data[i] = Number.isNaN(share) ? share : Math.min(Math.max(share, 0), 1);
  });
  return picture;
}

/** An opened image encoder. */
export interface Embedder {
  width: number;
  height: number;
  embed(pictures: readonly Picture[]): Promise<Float32Array[]>;
}

/** Opens an image encoder in this process and runs test pictures. */
export async function openEmbedder({ file, contract: written }: { file: string; contract: unknown }) {
  const contract = readOracle(written);
  const model = readModel(await readModelFile(file));
  checkOracle(model, contract);
  const { input, outputs, length } = contract;
  const fixed = fixedBatch(model, contract);
  const session = new PictureSession(
    await openSession(model.bytes),
    { input, output: outputs.embedding, length },
    fixed ?? BATCH,
    fixed !== null,
  );
  const embed = async (pictures: readonly Picture[]) =>
    (await session.run(pictures, null)).map(({ logits }) => logits);
  const tried = await embed(trialPictures(input));
  requireFiniteNumbers(tried);
  if (tried.some((row) => row.every((value) => value === 0)))
    throw invalid('The encoder returns all zeros for a test picture. Check the export of the encoder.');
  return { width: input.width, height: input.height, embed } satisfies Embedder;
}
