import { components } from '@/lib/core/mask';
import { encodeLabelPng } from '../codecs/label-png';
import { type PaintLayer, paintMap } from '../codecs/paint';
import { encodePng } from '../codecs/png';
import type { Dataset, DatasetImage, ObjectLabel } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { excludeUndrawn } from '../shared/check-part-layout';
import { objectMask, splitLabelMap } from '../shared/part-layers';
import { cityOf, coreName } from '../shared/street';
import { drawRegions, type StreetDrawing, type VisibleRegion } from './polygons';
import { streetLabel, streetLabels } from './read';

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  for await (const image of excludeUndrawn(dataset).dataset.images()) {
    const core = coreName(image);
    const folder = `${image.split}/${cityOf(core)}/${core}`;
    const { width, height } = image;
    yield {
      path: `leftImg8bit/${folder}_leftImg8bit.png`,
      bytes: () => pictures.encode(image, { format: 'png' }),
    };
    // Three files need the same drawing; the next image has another.
    let kept: StreetScene | undefined;
    const scene = () => (kept ??= drawScene(image, options));
    const labels = () => scene().layers.map(({ mask, value }) => ({ mask, value: labelAt(value) }));
    const file = (suffix: string, bytes: () => Uint8Array) => ({
      path: `gtFine/${folder}_gtFine_${suffix}`,
      bytes,
    });
    yield file('instanceIds.png', () => encodeLabelPng(scene().layers, width, height, 'grey-16'));
    yield file('labelIds.png', () => encodeLabelPng(labels(), width, height, 'grey-8'));
    yield file('color.png', () => colours(image, labels()));
    yield file('polygons.json', () => polygonFile(image, scene().drawing));
  }
}

const labelAt = (value: number) => (value >= 1000 ? Math.floor(value / 1000) : value);

interface StreetScene {
  /** The id of a label, or id · 1000 and a number where instances are counted. */
  layers: PaintLayer[];
  drawing: StreetDrawing;
}

interface StreetRegion extends VisibleRegion {
  object: ObjectLabel;
}

/** Draws an image. Readers number instances by the order of their polygons, so the map of instances follows it. */
export function drawScene(image: DatasetImage, options: Options): StreetScene {
  const { width, height } = image;
  const regions = visibleRegions(image);
  const drawn = options.polygons === 'pieces' ? regions.flatMap(splitPieces) : regions;
  const drawing = drawRegions(drawn, width, height);
  const ordered = options.polygons === 'pieces' ? regions : (drawing.order as StreetRegion[]);
  const values = new Map<StreetRegion, number>();
  const counts = new Map<string, number>();
  for (const region of ordered) {
    const label = streetLabel(region.object.className ?? '');
    if (!label?.hasInstances || isGroup(region.object)) continue;
    const count = counts.get(label.name) ?? 0;
    counts.set(label.name, count + 1);
    values.set(
      region,
      label.id * 1000 + (options.instances === 'per-image' ? region.object.instance : count),
    );
  }
  const layers = regions.map((region) => ({
    mask: region.mask,
    value: values.get(region) ?? streetLabel(region.object.className ?? '')?.id ?? 0,
  }));
  return { layers, drawing };
}

const isGroup = ({ outline }: ObjectLabel): boolean => outline?.flags?.includes('crowd') ?? false;

/** What is visible of each object. The first object is in front. */
function visibleRegions(image: DatasetImage): StreetRegion[] {
  const { width, height, objects } = image;
  const known = objects.flatMap((object) => {
    const label = streetLabel(object.className ?? '');
    const mask = objectMask(object);
    return label && mask ? [{ object, label, mask }] : [];
  });
  const map = paintMap(
    known.map(({ mask }, index) => ({ mask, value: index + 1 })).reverse(),
    width,
    height,
    32,
  );
  return [...splitLabelMap(map, width, height)].flatMap(([value, mask]) => {
    const entry = known[value - 1];
    if (!entry) return [];
    const { object, label } = entry;
    // Readers take a label that ends in "group" as a crowd region.
    const name = isGroup(object) && label.hasInstances ? `${label.name}group` : label.name;
    return [{ label: name, mask, isCounted: label.hasInstances, object }];
  });
}

/** One region for each piece, which readers count as objects of their own. */
const splitPieces = (region: StreetRegion): StreetRegion[] =>
  components(region.mask, 4).map((mask) => ({ ...region, mask }));

/** Opaque colours of the classes, to look at. */
function colours({ width, height }: DatasetImage, labels: readonly PaintLayer[]): Uint8Array {
  const pixels = new Uint8Array(4 * width * height);
  paintMap(labels, width, height, 8).forEach((id, i) => {
    const [red, green, blue] = streetLabels[id]?.colour ?? [0, 0, 0];
    pixels[4 * i] = red;
    pixels[4 * i + 1] = green;
    pixels[4 * i + 2] = blue;
    pixels[4 * i + 3] = 255;
  });
  return encodePng({ width, height, channels: 4, depth: 8, pixels });
}

function polygonFile({ width, height }: DatasetImage, { polygons }: StreetDrawing): Uint8Array {
  const document = { imgHeight: height, imgWidth: width, objects: polygons };
  return new TextEncoder().encode(`${JSON.stringify(document)}\n`);
}
