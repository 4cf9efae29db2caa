import { invalid } from '@/lib/core/errors';
import type { ModelContract, PictureInput } from './contract';
import { fedInputs, type OnnxModel, type OnnxValue } from './read-model';

const FLOAT32 = 1;

/**
 * Holds a contract against its file before anything runs: names, types and sizes as far as the file tells them. What
 * only a run can tell (numbers that are none, the kind of output) is seen when the model is opened.
 */
export function checkContract(model: OnnxModel, contract: ModelContract): void {
  checkWeights(model);
  checkInput(model, contract.input);
  const { outputs, classes, featureTensor } = contract;
  const logits = outputOf(model, outputs.logits);
  const { shape } = logits;
  if (shape && (shape.length !== 2 || !fits(shape, [null, classes.length])))
    throw invalid(
      `The output "${logits.name}" is ${size(shape)}, and the contract names ${classes.length} classes. Name as many classes as there are outputs, in their order.`,
    );
  const isKnown = (tensor: string) => model.nodes.some((node) => node.outputs.includes(tensor));
  if (featureTensor && !isKnown(featureTensor))
    throw invalid(
      `The file has no tensor "${featureTensor}". Correct featureTensor in the contract, or leave it out.`,
    );
}

/** Refuses a model that refers to data outside of its file. */
export function checkWeights({ isExternal }: Pick<OnnxModel, 'isExternal'>): void {
  if (isExternal)
    throw invalid(
      'The ONNX file keeps its weights in another file. Export it again as one file (save_as_external_data off).',
    );
}

/** Pictures, in the sizes of the contract, and nothing else. */
export function checkInput(model: OnnxModel, input: PictureInput): void {
  const fed = fedInputs(model);
  const taken = fed.find(({ name }) => name === input.name);
  if (!taken)
    throw invalid(`The file has no input "${input.name}". It has ${listed(fed)}: name one in the contract.`);
  const further = fed.filter(({ name }) => name !== input.name);
  if (further.length > 0)
    throw invalid(`The file also wants ${listed(further)}. A classifier takes pictures and nothing else.`);
  checkFloats(taken);
  const planes = 3;
  const wanted =
    input.layout === 'NCHW'
      ? [null, planes, input.height, input.width]
      : [null, input.height, input.width, planes];
  if (taken.shape && !fits(taken.shape, wanted))
    throw invalid(
      `The input "${input.name}" is ${size(taken.shape)}, and the contract says ${size(wanted)} (${input.layout}). Correct the contract, or export the model again.`,
    );
}

export function checkFloats({ name, type }: OnnxValue): void {
  if (type !== null && type !== FLOAT32)
    throw invalid(`The input "${name}" does not take float32. Export the model with float32 inputs.`);
}

/** An output by its name, or what there is instead. */
export function outputOf(model: OnnxModel, name: string): OnnxValue {
  const found = model.outputs.find((output) => output.name === name);
  if (!found)
    throw invalid(
      `The file has no output "${name}". It has ${listed(model.outputs)}: name one in the contract.`,
    );
  return found;
}

/** How many pictures the file takes at once; null for any number. */
export function fixedBatch(model: OnnxModel, { input }: { input: { name: string } }): number | null {
  return fedInputs(model).find(({ name }) => name === input.name)?.shape?.[0] ?? null;
}

export const fits = (shape: readonly (number | null)[], wanted: readonly (number | null)[]): boolean =>
  shape.length === wanted.length &&
  shape.every((side, i) => side === null || wanted[i] === null || side === wanted[i]);

export const size = (shape: readonly (number | null)[]): string =>
  shape.map((side) => side ?? 'any').join(' × ');

export const listed = (values: readonly OnnxValue[]): string =>
  values.length === 0 ? 'none' : values.map(({ name }) => `"${name}"`).join(', ');
