import { packNumbers, packShares, regionIou, thresholdAtHalfMax } from '../metrics/nodes';
import type { Region } from '../picture';
import { resizeBilinear } from '../pixels/resample';
import type { Rng } from '../random';
import { nodeMap } from '../saliency/maps';
import type { Sample, Variant, VariantContext } from '../types';
import { findAttribute, SINGLE_CELL, WHOLE_OBJECT_SHARE } from './samples';

/** Other images of the class whose masks serve as position baseline. */
const OTHERS = 3;
/** Maximum number of draws. */
const DRAWS = 8;

/**
 * Activations of all channels of the last feature map, and their IoU with each attribute mask of the image and of other
 * images of its class. Whole-object attributes are excluded.
 */
export const nodeMaps = (attributes: readonly string[]): Variant => ({
  id: 'nodes',
  version: 1,
  description: 'Activations and maps of the nodes of the last feature map.',
  paradigm: 'evaluation set',
  needs: ['attributes', 'attribute masks', 'object mask', 'donors', 'feature map'],
  parameters: { attributes: attributes.join(' '), others: OTHERS, draws: DRAWS, whole: WHOLE_OBJECT_SHARE },
  cells: SINGLE_CELL,
  runs: 2,
  async apply(sample, _cell, rng, context) {
    if (!context.features) return { invalid: 'not-finite' };
    const { picture } = sample;
    const features = await context.features(picture);
    const { channels, width, height, data } = features;
    const area = width * height;
    const activations = Float32Array.from({ length: channels }, (_, node) => {
      let sum = 0;
      for (let i = 0; i < area; i++) sum += data[node * area + i] as number;
      return sum / area;
    });
    if (activations.some((value) => !Number.isFinite(value))) return { invalid: 'not-finite' };
    const targets = await targetsOf(sample, attributes, rng, context);
    const overlaps = targets.map(({ others }) => ({
      own: new Float32Array(channels),
      others: others.length > 0 ? new Float32Array(channels) : null,
    }));
    for (let node = 0; node < channels && targets.length > 0; node++) {
      const seen = thresholdAtHalfMax(
        resizeBilinear(nodeMap(features, node), width, height, picture.width, picture.height),
      );
      targets.forEach(({ region, others }, at) => {
        const found = overlaps[at] as (typeof overlaps)[number];
        found.own[node] = regionIou(seen, region);
        if (found.others)
          found.others[node] = others.reduce((sum, other) => sum + regionIou(seen, other), 0) / others.length;
      });
    }
    const extra: Record<string, string> = { activations: packNumbers(activations) };
    targets.forEach(({ attribute }, at) => {
      const { own, others } = overlaps[at] as (typeof overlaps)[number];
      extra[`own ${attribute}`] = packShares(own);
      if (others) extra[`others ${attribute}`] = packShares(others);
    });
    return { picture, extra };
  },
});

/** Attribute masks of the image and of other images of its class. */
async function targetsOf(
  sample: Sample,
  attributes: readonly string[],
  rng: Rng,
  context: Pick<VariantContext, 'donor'>,
): Promise<{ attribute: string; region: Region; others: Region[] }[]> {
  const drawn = attributes.flatMap((attribute) => {
    const found = findAttribute(sample, attribute);
    return 'invalid' in found ? [] : [{ attribute, region: found.region, others: [] as Region[] }];
  });
  const seen = new Set<string>();
  for (let draw = 0; draw < DRAWS && drawn.some(({ others }) => others.length < OTHERS); draw++) {
    const other = await context.donor(sample, rng, 'same class');
    if (!other) break;
    if (seen.has(other.id) || other.picture.width !== sample.picture.width) continue;
    seen.add(other.id);
    for (const { attribute, others } of drawn) {
      const found = findAttribute(other, attribute);
      if (!('invalid' in found) && others.length < OTHERS) others.push(found.region);
    }
  }
  return drawn;
}
