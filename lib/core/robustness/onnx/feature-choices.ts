import type { OnnxModel } from './read-model';

const MAPS = new Set([
  'Conv',
  'Relu',
  'LeakyRelu',
  'Clip',
  'Add',
  'Concat',
  'BatchNormalization',
  'HardSwish',
  'Mul',
  'MaxPool',
  'AveragePool',
  'Resize',
]);

/**
 * Tensors that may be the map of features, those nearest to the output first: for people to choose from where it is not
 * found by itself.
 */
export function featureChoices({ nodes }: OnnxModel, output: string, most = 20): string[] {
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const seen = new Set<string>([output]);
  const found: string[] = [];
  // Breadth first: a name is nearer the fewer steps lie between.
  for (const name of seen) {
    const node = makers.get(name);
    if (!node) continue;
    const feedsOnMaps = MAPS.has(node.op) && behindConvolution(name, makers);
    if (feedsOnMaps) found.push(name);
    if (found.length === most) break;
    for (const input of node.inputs) seen.add(input);
  }
  return found;
}

/** A sum of vectors is no map: what was made by a convolution has height and width. */
function behindConvolution(
  name: string,
  makers: ReadonlyMap<string, { op: string; inputs: readonly string[] }>,
): boolean {
  for (let node = makers.get(name); node && MAPS.has(node.op); node = makers.get(node.inputs[0] ?? ''))
    if (node.op === 'Conv') return true;
  return false;
}
