import { CHANNELS, type Picture, type Region } from '@/lib/core/robustness/picture';
import { type Stream, stream, streamKey } from '@/lib/core/robustness/random';
import type { FeatureMap } from '@/lib/core/robustness/saliency/maps';
import type { Cell, Outcome, Sample, Surroundings, Variant } from '@/lib/core/robustness/types';
import { throughJpeg } from '@/lib/services/evaluations/variant-context';

export const ATTRIBUTES = ['ears', 'tail', 'furry'] as const;

/** Any values: nothing in a variant may depend on pictures being natural. */
export const anyPicture = (width: number, height: number, chance: Stream): Picture => ({
  width,
  height,
  data: Float32Array.from({ length: CHANNELS * width * height }, () => chance.unit()),
});

/** Smooth, with a few blobs: what blurs and edges do shows here. */
export const smoothPicture = (width: number, height: number, phase: number): Picture => ({
  width,
  height,
  data: Float32Array.from({ length: CHANNELS * width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width) % height];
    const channel = Math.floor(i / (width * height));
    return 0.5 + 0.4 * Math.sin(x / 5 + phase + channel) * Math.cos(y / 7 - phase);
  }),
});

export const anyRegion = (area: number, share: number, chance: Stream): Region =>
  Uint8Array.from({ length: area }, () => (chance.unit() < share ? 1 : 0));

/** An ellipse in the middle of the picture, clear of its edges. */
export const ellipse = (width: number, height: number, share = 0.3): Region =>
  Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [((i % width) + 0.5) / width - 0.5, (Math.floor(i / width) + 0.5) / height - 0.5];
    return x * x + y * y <= share * share ? 1 : 0;
  });

export function sampleOf(
  id: string,
  picture: Picture,
  object: Region | null,
  rest: Partial<Sample> = {},
): Sample {
  return {
    id,
    name: id,
    className: 'cat',
    classIndex: 0,
    split: 'test',
    picture,
    object,
    parts: {},
    attributes: null,
    attributeRegions: {},
    confidence: 1,
    ...rest,
  };
}

const meansOf = ({ width, height, data }: Picture): Float32Array =>
  Float32Array.from({ length: CHANNELS }, (_, channel) => {
    const plane = data.subarray(channel * width * height, (channel + 1) * width * height);
    return plane.reduce((sum, value) => sum + value, 0) / plane.length;
  });

/** Three nodes of a map of half the size: what is red, green and blue above the middle. */
function nodesOf({ width, height, data }: Picture): FeatureMap {
  const [half, tall] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  return {
    ...{ channels: CHANNELS, width: half, height: tall },
    data: Float32Array.from({ length: CHANNELS * half * tall }, (_, i) => {
      const [x, y] = [2 * (i % half), 2 * (Math.floor(i / half) % tall)];
      return (data[Math.floor(i / (half * tall)) * width * height + y * width + x] as number) - 0.5;
    }),
  };
}

/** What a variant may ask, with donors out of a list and real JPEGs; the model sees colours only. */
export function surroundingsOf(donors: readonly Sample[]): Surroundings {
  return {
    async donor(sample, chance, which) {
      const fits = donors.filter((donor) => {
        if (donor.id === sample.id) return false;
        if (which === 'same class') return donor.classIndex === sample.classIndex;
        if (which === 'other class') return donor.classIndex !== sample.classIndex;
        if (which === 'next class') return donor.classIndex === sample.classIndex + 1;
        return donor.classIndex !== sample.classIndex && !donor.attributes?.includes(which.without);
      });
      return fits[chance.below(fits.length)] ?? null;
    },
    typicalClass: () => 0,
    // The mean of each channel: three classes.
    query: async (pictures) => pictures.map(meansOf),
    gradient: null,
    features: async (picture) => nodesOf(picture),
    throughJpeg,
    oracle: null,
  };
}

/** As the runner does it: the stream belongs to the sample, the variant's name for it, and the cell. */
export async function applied(
  variant: Variant,
  sample: Sample,
  around: Surroundings,
  cell: Cell = variant.cells[0] as Cell,
  seed = 0,
): Promise<Outcome> {
  const key = { seed, sample: sample.id, variant: variant.streams ?? variant.id, ...cell };
  return variant.apply(sample, cell, stream(streamKey(key)), around);
}

/** The picture, where the variant must give one. */
export async function pictureOf(...given: Parameters<typeof applied>): Promise<Picture> {
  const outcome = await applied(...given);
  if ('invalid' in outcome) throw new Error(`${given[0].id} gave no picture: ${outcome.invalid}`);
  return outcome.picture;
}
