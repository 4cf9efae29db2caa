import { InferenceSession, type Tensor } from 'onnxruntime-node';
import { invalid } from '@/lib/core/errors';
import { checkWeights } from '@/lib/core/robustness/onnx/check-contract';
import { hasExternalData } from '@/lib/core/robustness/onnx/find-external';
import { firstLine } from '@/lib/services/inference/process/first-line';

/**
 * One thread each: several models side by side use the cores better than several threads of one, and sums are made in
 * the same order on every machine of a kind.
 */
export async function openSession(bytes: Uint8Array): Promise<InferenceSession> {
  checkWeights({ isExternal: hasExternalData(bytes) });
  try {
    return await InferenceSession.create(bytes, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
    });
  } catch (error) {
    throw invalid(`The model does not open: ${firstLine(error)}. Export it again with a usual opset.`);
  }
}

/** An output of the shape that was promised, row by row. */
export function rowsOf(
  found: Record<string, Tensor>,
  name: string,
  shape: readonly (number | null)[],
): { dims: readonly number[]; rows: Float32Array[] } {
  const tensor = found[name];
  const isRight =
    tensor?.type === 'float32' &&
    tensor.dims.length === shape.length &&
    shape.every((side, i) => side === null || tensor.dims[i] === side);
  if (!tensor || !isRight)
    throw invalid(
      `The output "${name}" is ${tensor ? `${tensor.type} ${tensor.dims.join(' × ')}` : 'missing'}, not float32 ${shape.map((side) => side ?? 'any').join(' × ')}.`,
    );
  // Copied, all at once: the runtime may use its memory again.
  const data = (tensor.data as Float32Array).slice();
  const count = tensor.dims[0] as number;
  const size = data.length / count;
  return {
    dims: tensor.dims,
    rows: Array.from({ length: count }, (_, i) => data.subarray(i * size, (i + 1) * size)),
  };
}
