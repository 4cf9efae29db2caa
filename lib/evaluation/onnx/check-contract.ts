import { invalid } from '@/lib/errors';
import type { ModelContract } from './contract';
import { fedInputs, type OnnxModel, type OnnxValue } from './read-model';

const FLOAT32 = 1;

/**
 * Holds a contract against its file before anything runs: names, types and sizes as far as the file tells them. What
 * only a run can tell (numbers that are none, the kind of output) is seen when the model is opened.
 */
export function checkContract(model: OnnxModel, contract: ModelContract): void {
  if (model.isExternal)
    throw invalid(
      'The ONNX file keeps its weights in another file. Export it again as one file (save_as_external_data off).',
    );
  const { input, outputs, classes } = contract;
  const fed = fedInputs(model);
  const taken = fed.find(({ name }) => name === input.name);
  if (!taken)
    throw invalid(`The file has no input "${input.name}". It has ${listed(fed)}: name one in the contract.`);
  const further = fed.filter(({ name }) => name !== input.name);
  if (further.length > 0)
    throw invalid(`The file also wants ${listed(further)}. A classifier takes pictures and nothing else.`);
  if (taken.type !== null && taken.type !== FLOAT32)
    throw invalid(`The input "${input.name}" does not take float32. Export the model with float32 inputs.`);
  const planes = 3;
  const wanted =
    input.layout === 'NCHW'
      ? [null, planes, input.height, input.width]
      : [null, input.height, input.width, planes];
  if (taken.shape && !fits(taken.shape, wanted))
    throw invalid(
      `The input "${input.name}" is ${size(taken.shape)}, and the contract says ${size(wanted)} (${input.layout}). Correct the contract, or export the model again.`,
    );
  const logits = model.outputs.find(({ name }) => name === outputs.logits);
  if (!logits)
    throw invalid(
      `The file has no output "${outputs.logits}". It has ${listed(model.outputs)}: name one in the contract.`,
    );
  const { shape } = logits;
  if (shape && (shape.length !== 2 || !fits(shape, [null, classes.length])))
    throw invalid(
      `The output "${logits.name}" is ${size(shape)}, and the contract names ${classes.length} classes. Name as many classes as there are outputs, in their order.`,
    );
  const { featureTensor } = contract;
  const isKnown = (tensor: string) => model.nodes.some((node) => node.outputs.includes(tensor));
  if (featureTensor && !isKnown(featureTensor))
    throw invalid(
      `The file has no tensor "${featureTensor}". Correct featureTensor in the contract, or leave it out.`,
    );
}

/** How many pictures the file takes at once; null for any number. */
export function fixedBatch(model: OnnxModel, contract: ModelContract): number | null {
  return fedInputs(model).find(({ name }) => name === contract.input.name)?.shape?.[0] ?? null;
}

const fits = (shape: readonly (number | null)[], wanted: readonly (number | null)[]): boolean =>
  shape.length === wanted.length &&
  shape.every((side, i) => side === null || wanted[i] === null || side === wanted[i]);

const size = (shape: readonly (number | null)[]): string => shape.map((side) => side ?? 'any').join(' × ');

const listed = (values: readonly OnnxValue[]): string =>
  values.length === 0 ? 'none' : values.map(({ name }) => `"${name}"`).join(', ');
