import { invalid } from '@/lib/core/errors';
import { listed } from './check-contract';
import { PictureInput } from './contract';
import { fedInputs, type OnnxModel } from './read-model';
import { LEAST_SIDE, type WrittenContract } from './written-contract';

/** Fills in what the file says by itself: the name of its only input, its layout, and sides that are fixed. */
export function completeInput(model: OnnxModel, written: WrittenContract['input']): PictureInput {
  const fed = fedInputs(model);
  const name = written.name ?? (fed.length === 1 ? fed[0]?.name : undefined);
  if (!name) throw invalid(`The file takes ${listed(fed)}: say which of them is the picture (input.name).`);
  const shape = fed.find((input) => input.name === name)?.shape ?? null;
  if (shape && shape.length !== 4)
    throw invalid(
      `The input "${name}" has ${shape.length} sides, and a batch of pictures has four (number, colours, height, width). Export the model with pictures as input.`,
    );
  const layout = written.layout ?? (shape?.[1] !== 3 && shape?.[3] === 3 ? 'NHWC' : 'NCHW');
  const [down, across] = layout === 'NCHW' ? [2, 3] : [1, 2];
  const height = written.height ?? shape?.[down] ?? null;
  const width = written.width ?? shape?.[across] ?? null;
  if (height === null || width === null)
    throw invalid(
      `The file takes pictures of any ${height === null ? 'height' : 'width'}: say for which size it was trained (input.height and input.width).`,
    );
  if (height !== width)
    throw invalid(
      `The model looks at ${width} × ${height} pixels. Only models that look at a square can be used: export it for one.`,
    );
  if (height < LEAST_SIDE)
    throw invalid(`The model looks at ${height} × ${height} pixels; at least ${LEAST_SIDE} are needed.`);
  return PictureInput.parse({ ...written, name, layout, height, width });
}

/** The output that was named, or the only one, or the one that goes by the usual name. */
export function completeOutput({ outputs }: OnnxModel, usual: string, written: string | undefined): string {
  const found =
    written ?? (outputs.length === 1 ? outputs[0]?.name : outputs.find(({ name }) => name === usual)?.name);
  if (!found)
    throw invalid(`The file gives ${listed(outputs)}: say which of them is meant (outputs.${usual}).`);
  return found;
}
