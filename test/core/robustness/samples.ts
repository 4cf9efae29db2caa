import { CHANNELS, type Picture, type Region } from '@/lib/core/robustness/picture';
import { createRng, type Rng, rngKey } from '@/lib/core/robustness/random';
import type { SuiteReport } from '@/lib/core/robustness/report/report';
import type { Subject } from '@/lib/core/robustness/report/row-table';
import type { FeatureMap } from '@/lib/core/robustness/saliency/maps';
import type { Cell, Outcome, Row, Sample, Variant, VariantContext } from '@/lib/core/robustness/types';
import { compressJpeg } from '@/lib/services/evaluations/variant-context';

export const ATTRIBUTES = ['ears', 'tail', 'furry'] as const;

/** Any values: nothing in a variant may depend on pictures being natural. */
export const anyPicture = (width: number, height: number, rng: Rng): Picture => ({
  width,
  height,
  data: Float32Array.from({ length: CHANNELS * width * height }, () => rng.unit()),
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

export const anyRegion = (area: number, share: number, rng: Rng): Region =>
  Uint8Array.from({ length: area }, () => (rng.unit() < share ? 1 : 0));

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
export function surroundingsOf(donors: readonly Sample[]): VariantContext {
  return {
    async donor(sample, rng, which) {
      const fits = donors.filter((donor) => {
        if (donor.id === sample.id) return false;
        if (which === 'same class') return donor.classIndex === sample.classIndex;
        if (which === 'other class') return donor.classIndex !== sample.classIndex;
        if (which === 'next class') return donor.classIndex === sample.classIndex + 1;
        return donor.classIndex !== sample.classIndex && !donor.attributes?.includes(which.without);
      });
      return fits[rng.below(fits.length)] ?? null;
    },
    typicalClass: () => 0,
    // The mean of each channel: three classes.
    query: async (pictures) => pictures.map(meansOf),
    gradient: null,
    features: async (picture) => nodesOf(picture),
    compressJpeg,
    oracle: null,
  };
}

/** As the runner does it: the stream belongs to the sample, the variant's name for it, and the cell. */
export async function applied(
  variant: Variant,
  sample: Sample,
  context: VariantContext,
  cell: Cell = variant.cells[0] as Cell,
  seed = 0,
): Promise<Outcome> {
  const key = { seed, sample: sample.id, variant: variant.rngName ?? variant.id, ...cell };
  return variant.apply(sample, cell, createRng(rngKey(key)), context);
}

/** The picture, where the variant must give one. */
export async function pictureOf(...given: Parameters<typeof applied>): Promise<Picture> {
  const outcome = await applied(...given);
  if ('invalid' in outcome) throw new Error(`${given[0].id} gave no picture: ${outcome.invalid}`);
  return outcome.picture;
}

export const SIDE = 32;
export const flat = (value: number, side = SIDE): Picture => ({
  width: side,
  height: side,
  data: new Float32Array(3 * side * side).fill(value),
});
export const where = (picture: Picture, is: (value: number) => boolean): Region =>
  Uint8Array.from(picture.data.subarray(0, picture.width * picture.height), (value) => Number(is(value)));
export const region = (rows: readonly (readonly number[])[]): Region => Uint8Array.from(rows.flat());
export const box = (x: number, y: number, width: number, height: number, side = SIDE): Region =>
  Uint8Array.from({ length: side * side }, (_, i) =>
    Number(i % side >= x && i % side < x + width && i >= y * side && i < (y + height) * side),
  );
/** Without donors. */
export const alone = surroundingsOf([]);

/** A black object on light gray: where the object went can be read off. */
export const onGray = (object: Region) => {
  const picture = flat(0.8);
  return sampleOf(
    'edited',
    { ...picture, data: picture.data.map((value, i) => (object[i % object.length] ? 0 : value)) },
    object,
  );
};
export const isObject = (value: number) => value < 0.4;

export const subjectOf = (id: string, classIndex: number, given: Partial<Subject> = {}): Subject => ({
  id,
  className: ['cat', 'dog', 'bird'][classIndex] ?? 'other',
  classIndex,
  split: 'test',
  attributes: null,
  objectShare: 0.2,
  touchesEdge: false,
  confidence: 1,
  ...given,
});

/** A row of a subject, right and unsure where nothing else is said. */
export const rowOf = (
  { id, classIndex }: Subject,
  variant: string,
  given: Partial<Row> & { isRight?: boolean } = {},
): Row => {
  const { isRight = true, ...rest } = given;
  return {
    sample: id,
    variant,
    level: 0,
    trial: 0,
    reason: null,
    predicted: isRight ? classIndex : (classIndex + 1) % 2,
    pTrue: isRight ? 0.8 : 0.3,
    margin: isRight ? 1 : -1,
    extra: {},
    queries: 1,
    ...rest,
  };
};

export const findingIn = (report: SuiteReport, id: string) => {
  const found = report.findings.find((each) => each.id === id);
  if (!found) throw new Error(`There is no finding ${id}.`);
  return found;
};

export const plotIn = (report: SuiteReport, id: string) => {
  const found = report.plots.find((each) => each.id === id);
  if (!found) throw new Error(`There is no plot ${id}.`);
  return found;
};
