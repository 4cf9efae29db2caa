import { and, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { type Db, tables } from '@/db';
import { invalid, notFound } from '@/lib/core/errors';
import { CHANNELS, type Picture, type Region } from '@/lib/core/robustness/picture';
import { createRng, rngKey } from '@/lib/core/robustness/random';
import { computeSaliency } from '@/lib/core/robustness/saliency/compute-saliency';
import { type Cell, type ModelRunner, type Reason, reasons, type Variant } from '@/lib/core/robustness/types';
import {
  type EvaluationImage,
  loadEvaluationImage,
  type RenderContext,
  sharedPictureCache,
} from './load-evaluation-image';
import { openModelRunner } from './open-model-runner';
import { sampleKey } from './sample-pool';
import { usesLabels, variantKey } from './stored-rows';
import { createVariantContext } from './variant-context';

const { evaluationRows } = tables;

/** Maximum number of displayed pictures per variant. */
const MAX_CELLS = 16;
/** Maximum number of model runs to regenerate the pictures of a variant; takes a few seconds. */
const MAX_RUNS = 2500;
const TIMEOUT_MS = 30_000;

/** One cell of a variant with its prediction. */
export interface VariantCell {
  /** Index of the cell. */
  at: number;
  level: number | string;
  /** Reason of the skip. */
  reason: string | null;
  predicted: string | null;
  isRight: boolean;
  pTrue: number | null;
}

export interface VariantResult {
  id: string;
  description: string;
  cells: VariantCell[];
  /** Why the pictures cannot be regenerated. */
  refusal: string | null;
}

type ImageAddress = { projectId: string; evaluationId: string; imageId: string };

/** The first trial of each level; further trials differ in random numbers only. */
function selectCells(cells: readonly Cell[]): { cell: Cell; at: number }[] {
  const seen = new Set<Cell['level']>();
  return cells
    .flatMap((cell, at) => {
      if (seen.has(cell.level)) return [];
      seen.add(cell.level);
      return [{ cell, at }];
    })
    .slice(0, MAX_CELLS);
}

function whyNotRendered({ needs, runs, cells }: Variant): string | null {
  if (needs.includes('oracle')) return 'Variants with an oracle cannot be regenerated here.';
  if (runs * selectCells(cells).length > MAX_RUNS)
    return `Regenerating these pictures needs more than ${MAX_RUNS} model runs.`;
  return null;
}

/** Reads the stored results of a variant for an image. */
export async function readVariantResult(
  context: RenderContext,
  { variant: id, ...address }: ImageAddress & { variant: string },
): Promise<VariantResult> {
  const at = await loadEvaluationImage(context, address);
  const variant = findVariant(at, id);
  const stored = await loadStoredCellsOf(context.db, at, variant, address.projectId);
  return {
    id,
    description: variant.description,
    refusal: whyNotRendered(variant),
    cells: selectCells(variant.cells).map(({ cell: { level }, at: place }) => {
      const [reason, predicted, pTrue] = stored?.[place] ?? [null, -1, null];
      return {
        at: place,
        level,
        reason: reason === null ? null : reasons[reason],
        predicted: reason === null ? (at.classes[predicted] ?? null) : null,
        isRight: reason === null && predicted === at.sample.classIndex,
        pTrue: reason === null ? pTrue : null,
      };
    }),
  };
}

/** Kinds of rendered pictures. */
export const pictureKinds = ['picture', 'object', 'saliency'] as const;
type PictureKind = (typeof pictureKinds)[number];

/** Renders a PNG: a variant, the outline of the object, or the saliency map. */
export async function renderPicture(
  context: RenderContext,
  { kind, variant, at, ...address }: ImageAddress & { kind: PictureKind; variant: string; at: number },
): Promise<Buffer> {
  const name = [address.evaluationId, address.imageId, kind, kind === 'picture' ? variant : ''].join(' ');
  const made = await sharedPictureCache().get(name, async () => {
    // Not the signal of the request, because other requests can share the rendering.
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const evaluationImage = await loadEvaluationImage(context, address);
    if (kind === 'object') return evaluationImage.sample.object ? [await renderOutline(evaluationImage)] : [];
    if (kind === 'saliency') return [await renderSaliency({ ...context, signal }, evaluationImage)];
    return renderCells({ ...context, signal }, evaluationImage, findVariant(evaluationImage, variant));
  });
  const picture = made[kind === 'picture' ? at : 0];
  if (!picture || picture.length === 0) throw notFound('picture');
  return picture;
}

const findVariant = ({ variants }: EvaluationImage, id: string): Variant => {
  const variant = variants.find((each) => each.id === id);
  if (!variant) throw notFound('variant');
  return variant;
};

const renderOutline = ({ sample: { object, picture } }: EvaluationImage) =>
  outlineToPng(object ?? new Uint8Array(), picture.width);

async function renderSaliency(context: RenderContext, { model, sample }: EvaluationImage): Promise<Buffer> {
  await using runner = await openModelRunner(context, model);
  const { map } = await computeSaliency(runner, sample.picture);
  return mapToPng(map, sample.picture.width);
}

/** Pictures by cell index; empty for skipped or undisplayed cells. */
async function renderCells(
  context: RenderContext,
  evaluationImage: EvaluationImage,
  variant: Variant,
): Promise<Buffer[]> {
  const refusal = whyNotRendered(variant);
  if (refusal) throw invalid(refusal);
  const { sample, pool, model, evaluation } = evaluationImage;
  const asks = variant.runs > 1 || variant.needs.some((need) => !labelNeeds.has(need));
  await using runner = asks ? await openModelRunner(context, model) : null;
  const variantContext = createVariantContext(runner ?? refusingModel, pool, null);
  const made: Buffer[] = variant.cells.map(() => Buffer.alloc(0));
  for (const { cell, at } of selectCells(variant.cells)) {
    context.signal.throwIfAborted();
    const { level, trial } = cell;
    const { seed } = evaluation.options;
    const streams = variant.rngName ?? variant.id;
    const rng = createRng(rngKey({ seed, sample: sample.id, variant: streams, level, trial }));
    const outcome = await variant.apply(sample, cell, rng, variantContext);
    if ('picture' in outcome) made[at] = await pictureToPng(outcome.picture);
  }
  return made;
}

const labelNeeds = new Set(['object mask', 'part masks', 'attributes', 'attribute masks', 'donors']);

/** Placeholder for variants without model queries. */
const refusingModel: ModelRunner = {
  classes: [],
  ...{ width: 0, height: 0, kind: 'logits', features: null, map: null },
  ...{ head: null, tail: null, gradient: null },
  hasMapGradient: false,
  logits: () => Promise.reject(new Error('The variant declares no model queries.')),
  async [Symbol.asyncDispose]() {},
};

/** Stored cells in the order of the variant; null if the labels changed since. */
async function loadStoredCellsOf(
  db: Db,
  { modelKey: model, poolKey: pool, evaluation, sample }: EvaluationImage,
  variant: Variant,
  projectId: string,
): Promise<[Reason | null, number, number][] | null> {
  if (variant.needs.includes('oracle')) return null;
  const { seed } = evaluation.options;
  const [row] = await db
    .select({ cells: evaluationRows.cells })
    .from(evaluationRows)
    .where(
      and(
        eq(evaluationRows.projectId, projectId),
        eq(evaluationRows.model, model),
        eq(evaluationRows.variant, variantKey(variant, { seed, pool, oracle: '' })),
        eq(evaluationRows.sample, sampleKey(sample, usesLabels(variant))),
      ),
    );
  return row ? (row.cells as [Reason | null, number, number][]) : null;
}

const png = (bytes: Uint8Array, width: number, height: number, channels: 3 | 4): Promise<Buffer> =>
  sharp(bytes, { raw: { width, height, channels } }).png().toBuffer();

/** Model input, before it is normalised. */
export function pictureToPng({ width, height, data }: Picture): Promise<Buffer> {
  const area = width * height;
  const bytes = new Uint8Array(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++)
      bytes[CHANNELS * i + c] = Math.round(255 * Math.min(1, Math.max(0, data[c * area + i] as number)));
  return png(bytes, width, height, 3);
}

/** Maximum opacity of the overlay. */
const STRONGEST = 0.75;

/** Renders a saliency map as overlay: transparent at 0, red at 1. */
function mapToPng(map: ArrayLike<number>, width: number): Promise<Buffer> {
  const bytes = new Uint8Array(4 * map.length);
  for (let i = 0; i < map.length; i++) {
    const value = Math.min(1, Math.max(0, map[i] as number));
    // From yellow to red, so that intermediate values are distinguishable.
    bytes.set([230, Math.round(190 * (1 - value)), 30, Math.round(255 * STRONGEST * value)], 4 * i);
  }
  return png(bytes, width, map.length / width, 4);
}

/** Renders the outline of a region. */
function outlineToPng(region: Region, width: number): Promise<Buffer> {
  const height = region.length / width;
  const inside = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && region[y * width + x] !== 0;
  const bytes = new Uint8Array(4 * region.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (inside(x, y) && !(inside(x - 1, y) && inside(x + 1, y) && inside(x, y - 1) && inside(x, y + 1)))
        bytes.set([0, 160, 255, 255], 4 * (y * width + x));
  return png(bytes, width, height, 4);
}
