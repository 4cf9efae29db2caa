import { checkSameSize, checkSize, type Mask, MaskError, RunBuilder } from './mask';

/** Labels are 1 … 65,535; 0 is background. */
export const MAX_LABEL = 65_535;

/** Who keeps a pixel that several layers claim: the layer that comes first in the list, or the last. */
export type OverlapRule = 'first-wins' | 'last-wins';

export type Layer = { readonly label: number; readonly mask: Mask };

export type LabelMap = {
  readonly height: number;
  readonly width: number;
  /** Row-major. */
  readonly labels: Uint16Array;
  /** Pixels that each layer claimed and another one got, in the order of the layers. */
  readonly lost: readonly number[];
  /** Sum of `lost`. */
  readonly overwritten: number;
};

/** Flattens layers, given in z-order from the lowest up, into one integer map. */
export function toLabelMap(layers: readonly Layer[], rule: OverlapRule): LabelMap {
  const [first] = layers;
  if (!first) throw new MaskError('no-masks', 'layers', 'a label map needs at least one layer');
  if (rule !== 'first-wins' && rule !== 'last-wins')
    throw new MaskError('bad-argument', 'rule', `unknown overlap rule ${JSON.stringify(rule)}`);
  const { height, width } = first.mask;
  const owners = new Uint32Array(height * width);
  const lost = new Array<number>(layers.length).fill(0);
  layers.forEach((layer, i) => {
    checkLayer(layer, i);
    checkSameSize(first.mask, layer.mask);
    claim(owners, layer.mask, i + 1, rule, lost);
  });
  const labels = new Uint16Array(height * width);
  for (let x = 0, position = 0; x < width; x++)
    for (let y = 0; y < height; y++, position++) {
      const owner = owners[position] as number;
      if (owner > 0) labels[y * width + x] = (layers[owner - 1] as Layer).label;
    }
  return { height, width, labels, lost, overwritten: lost.reduce((sum, n) => sum + n, 0) };
}

/** One mask per label found, in ascending order of label. */
export function fromLabelMap(labels: ArrayLike<number>, height: number, width: number): Layer[] {
  checkSize(height, width);
  if (labels.length !== height * width)
    throw new MaskError(
      'bad-bitmap',
      'labels',
      `${labels.length} labels given for ${height}×${width} pixels`,
    );
  const builders = new Map<number, RunBuilder>();
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; ) {
      const label = labels[y * width + x] as number;
      const top = y++;
      while (y < height && labels[y * width + x] === label) y++;
      if (label === 0) continue;
      let builder = builders.get(label);
      if (!builder) {
        if (!isLabel(label)) throw badLabel(label, `labels[${top * width + x}]`);
        builder = new RunBuilder();
        builders.set(label, builder);
      }
      builder.add(x * height + top, x * height + y);
    }
  return Array.from(builders.entries())
    .sort(([a], [b]) => a - b)
    .map(([label, builder]) => ({ label, mask: builder.build(height, width) }));
}

function claim(owners: Uint32Array, mask: Mask, owner: number, rule: OverlapRule, lost: number[]): void {
  for (let i = 1; i < mask.toggles.length; i += 2)
    for (let position = mask.toggles[i - 1] as number; position < (mask.toggles[i] as number); position++) {
      const before = owners[position] as number;
      if (before === 0 || rule === 'last-wins') owners[position] = owner;
      if (before === 0) continue;
      const loser = (rule === 'last-wins' ? before : owner) - 1;
      lost[loser] = (lost[loser] as number) + 1;
    }
}

function checkLayer(layer: Layer, index: number): void {
  if (!isLabel(layer.label)) throw badLabel(layer.label, `layers[${index}].label`);
}

function isLabel(label: number): boolean {
  return Number.isInteger(label) && label >= 1 && label <= MAX_LABEL;
}

function badLabel(label: number, where: string): MaskError {
  return new MaskError('bad-argument', where, `a label is an integer from 1 to ${MAX_LABEL}, got ${label}`);
}
