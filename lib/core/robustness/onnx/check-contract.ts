import { invalid } from '@/lib/core/errors';
import { MIN_SIDE, type ModelContract, PictureInput, type WrittenContract } from './contract';
import { fedInputs, type OnnxModel, type OnnxValue } from './read-model';

const FLOAT32 = 1;

/**
 * Checks a contract against its file before anything runs: names, types and shapes. Checks that need a run (finite values,
 * kind of output) happen when the model is opened.
 */
export function checkContract(model: OnnxModel, contract: ModelContract): void {
  checkWeights(model);
  checkInput(model, contract.input);
  const { outputs, classes, featureTensor } = contract;
  const logits = outputOf(model, outputs.logits);
  const { shape } = logits;
  if (shape && (shape.length !== 2 || !fitsShape(shape, [null, classes.length])))
    throw invalid(
      `The output "${logits.name}" is ${formatShape(shape)}, and the contract names ${classes.length} classes. Name as many classes as there are outputs, in their order.`,
    );
  const isKnown = (tensor: string) => model.nodes.some((node) => node.outputs.includes(tensor));
  if (featureTensor && !isKnown(featureTensor))
    throw invalid(
      `The file has no tensor "${featureTensor}". Correct featureTensor in the contract, or leave it out.`,
    );
}

/** Rejects a model that refers to data outside of its file. */
export function checkWeights({ isExternal }: Pick<OnnxModel, 'isExternal'>): void {
  if (isExternal)
    throw invalid(
      'The ONNX file keeps its weights in another file. Export it again as one file (save_as_external_data off).',
    );
}

/** Checks that the only input is a batch of pictures in the size of the contract. */
export function checkInput(model: OnnxModel, input: PictureInput): void {
  const fed = fedInputs(model);
  const taken = fed.find(({ name }) => name === input.name);
  if (!taken)
    throw invalid(
      `The file has no input "${input.name}". It has ${listNames(fed)}: name one in the contract.`,
    );
  const further = fed.filter(({ name }) => name !== input.name);
  if (further.length > 0)
    throw invalid(
      `The file has additional inputs: ${listNames(further)}. A classifier must have a single image input.`,
    );
  checkFloats(taken);
  const planes = 3;
  const wanted =
    input.layout === 'NCHW'
      ? [null, planes, input.height, input.width]
      : [null, input.height, input.width, planes];
  if (taken.shape && !fitsShape(taken.shape, wanted))
    throw invalid(
      `The input "${input.name}" is ${formatShape(taken.shape)}, and the contract says ${formatShape(wanted)} (${input.layout}). Correct the contract, or export the model again.`,
    );
}

export function checkFloats({ name, type }: OnnxValue): void {
  if (type !== null && type !== FLOAT32)
    throw invalid(`The input "${name}" does not take float32. Export the model with float32 inputs.`);
}

/** Returns an output by name. */
export function outputOf(model: OnnxModel, name: string): OnnxValue {
  const found = model.outputs.find((output) => output.name === name);
  if (!found)
    throw invalid(
      `The file has no output "${name}". It has ${listNames(model.outputs)}: name one in the contract.`,
    );
  return found;
}

/** Fixed batch size of the file; null for a dynamic batch. */
export function fixedBatch(model: OnnxModel, { input }: { input: { name: string } }): number | null {
  return fedInputs(model).find(({ name }) => name === input.name)?.shape?.[0] ?? null;
}

export const fitsShape = (shape: readonly (number | null)[], wanted: readonly (number | null)[]): boolean =>
  shape.length === wanted.length &&
  shape.every((side, i) => side === null || wanted[i] === null || side === wanted[i]);

export const formatShape = (shape: readonly (number | null)[]): string =>
  shape.map((side) => side ?? 'any').join(' × ');

export const listNames = (values: readonly OnnxValue[]): string =>
  values.length === 0 ? 'none' : values.map(({ name }) => `"${name}"`).join(', ');

/** Completes the input from the file: name of the only input, layout and fixed sizes. */
export function completeInput(model: OnnxModel, written: WrittenContract['input']): PictureInput {
  const fed = fedInputs(model);
  const name = written.name ?? (fed.length === 1 ? fed[0]?.name : undefined);
  if (!name) throw invalid(`The file takes ${listNames(fed)}. Set input.name to the image input.`);
  const shape = fed.find((input) => input.name === name)?.shape ?? null;
  if (shape && shape.length !== 4)
    throw invalid(
      `The input "${name}" has ${shape.length} dimensions instead of four (batch, colours, height, width). Export the model with an image input.`,
    );
  const layout = written.layout ?? (shape?.[1] !== 3 && shape?.[3] === 3 ? 'NHWC' : 'NCHW');
  const [down, across] = layout === 'NCHW' ? [2, 3] : [1, 2];
  const height = written.height ?? shape?.[down] ?? null;
  const width = written.width ?? shape?.[across] ?? null;
  if (height === null || width === null)
    throw invalid(
      `The input ${height === null ? 'height' : 'width'} of the file is dynamic. Set input.height and input.width to the training size.`,
    );
  if (height !== width)
    throw invalid(
      `The input size is ${width} × ${height}. Only square inputs are supported. Export the model with a square input.`,
    );
  if (height < MIN_SIDE)
    throw invalid(
      `The input size is ${height} × ${height} pixels. It must be at least ${MIN_SIDE}. Export the model with a larger input.`,
    );
  return PictureInput.parse({ ...written, name, layout, height, width });
}

/** The configured output, else the only one, else the one with the conventional name. */
export function completeOutput({ outputs }: OnnxModel, usual: string, written: string | undefined): string {
  const found =
    written ?? (outputs.length === 1 ? outputs[0]?.name : outputs.find(({ name }) => name === usual)?.name);
  if (!found) throw invalid(`The file gives ${listNames(outputs)}. Set outputs.${usual} to one of them.`);
  return found;
}
