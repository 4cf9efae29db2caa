import { area, isEmpty, type Mask, outlinePath } from '@/lib/core/mask';
import { partColour } from '@/lib/core/schema';
import type { DatasetSchema, LabelFlag } from '@/lib/core/schema/types';
import { toBase64 } from './codecs/bytes';
import { type Dataset, type DatasetImage, instanceMasks } from './dataset';
import type { Format, FormatFile, Options, Pictures } from './format';
import { checkDataset, toCheck } from './shared/check';
import { objectMask, partLayers, zOrdersOf } from './shared/part-layers';
import { mediaTypeOf, stemOf } from './shared/write-files';

export const format: Format = {
  id: 'overlays',
  name: 'Rendered overlays',
  summary:
    'The pictures with coloured parts, outlines and a legend, as SVG for papers and checks. Export only.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'ignore', 'occluded', 'truncated'],
  holdsClasses: false,
  options: [
    {
      name: 'opacity',
      kind: 'number',
      description: 'Opacity of the colours.',
      min: 0,
      max: 1,
      defaultValue: 0.45,
    },
    {
      name: 'outlines',
      kind: 'flag',
      description: 'Draw the borders of parts and objects.',
      defaultValue: true,
    },
    {
      name: 'legend',
      kind: 'flag',
      description: 'Add a legend with the names of the parts.',
      defaultValue: true,
    },
    {
      name: 'width',
      kind: 'number',
      description:
        'Width of the pictures in pixels; smaller ones keep theirs. The drawings are vectors of full precision.',
      min: 64,
      max: 8192,
      isWhole: true,
      defaultValue: 1024,
    },
  ],
  async check(dataset) {
    return toCheck(await checkDataset(dataset), [
      'Overlays are for viewing: they cannot be imported.',
      'Pictures are scaled and compressed as JPEG.',
    ]);
  },
  write,
  reader: null,
};

async function* write(dataset: Dataset, options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const colours = coloursOf(dataset.schema);
  const zOrders = zOrdersOf(dataset.schema);
  for await (const image of dataset.images())
    yield {
      path: `${image.split}/${stemOf(image.name)}.svg`,
      bytes: () => render(image, { options, pictures, colours, zOrders }),
    };
}

interface Colour {
  name: string;
  colour: string;
}

/** Colours of parts are those of the workspace. Classes and attributes have none there. */
function coloursOf({ classes, parts, attributes }: DatasetSchema): ReadonlyMap<string, Colour> {
  return new Map([
    ...classes.map(
      ({ id, name }, i) => [`class ${id}`, { name, colour: partColour(parts.length + i) }] as const,
    ),
    ...parts.map(({ id, name, colour }) => [`part ${id}`, { name, colour }] as const),
    ...attributes.map(({ id, name }, i) => [`attribute ${id}`, { name, colour: partColour(i) }] as const),
  ]);
}

interface Rendering {
  options: Options;
  pictures: Pictures;
  colours: ReadonlyMap<string, Colour>;
  zOrders: ReadonlyMap<string, number>;
}

interface Shape {
  key: string;
  /** Id of the class, part or attribute; regions to ignore are void. */
  id: string;
  flags: readonly LabelFlag[];
  mask: Mask;
  /** Objects have a border and no area, unless nothing else was drawn of them. */
  isFilled: boolean;
}

/** From back to front: objects, parts, attributes. */
function shapesOf(image: DatasetImage, zOrders: ReadonlyMap<string, number>): Shape[] {
  if (!image.hasMasks) return [];
  const objects = [...image.objects].reverse().flatMap((object): Shape[] => {
    const mask = object.outline?.mask ?? objectMask(object);
    if (!mask || isEmpty(mask)) return [];
    return [
      {
        key: `class ${object.className ?? ''}`,
        id: object.className ?? 'void',
        flags: object.outline?.flags ?? [],
        mask,
        isFilled: object.parts.length === 0,
      },
    ];
  });
  const parts = partLayers(image, zOrders).flatMap(({ part }) =>
    instanceMasks(part).map((mask) => ({
      key: `part ${part.id}`,
      id: part.id,
      flags: part.flags ?? [],
      mask,
      isFilled: true,
    })),
  );
  const attributes = image.attributeMasks.flatMap((label) =>
    instanceMasks(label).map((mask) => ({
      key: `attribute ${label.id}`,
      id: label.id,
      flags: [],
      mask,
      isFilled: true,
    })),
  );
  return [...objects, ...parts, ...attributes].filter(({ mask }) => !isEmpty(mask));
}

const OTHER: Colour = { name: 'No class', colour: '#808080' };
/** Of a row of the legend, relative to the text. */
const ROW = 1.6;

async function render(image: DatasetImage, rendering: Rendering): Promise<Uint8Array> {
  const { options, pictures, colours, zOrders } = rendering;
  const { width, height } = image;
  const shapes = shapesOf(image, zOrders);
  const scale = Math.min(1, Number(options.width) / width);
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const isStored = scale === 1 && mediaTypeOf(image) === 'image/jpeg' && !image.picture.window;
  const picture = isStored
    ? await pictures.readStored(image)
    : await pictures.encode(image, { format: 'jpeg', quality: 92, ...(scale < 1 && { size }) });
  const unit = Math.max(width, height);
  const text = unit / 40;
  const rows = options.legend === true ? legendRows(shapes, colours) : [];
  const longest = rows.reduce((most, { label }) => Math.max(most, [...label].length), 0);
  const side = rows.length > 0 ? text * (2.6 + 0.62 * longest) : 0;
  const total = Math.max(height, rows.length * ROW * text + text);
  const drawn = shapes.map(({ key, id, flags, mask, isFilled }) => {
    const { name, colour } = colours.get(key) ?? OTHER;
    const fill = isFilled ? `fill="${colour}" fill-opacity="${Number(options.opacity)}"` : 'fill="none"';
    const stroke =
      options.outlines === true
        ? ` stroke="${colour}" stroke-width="${fixed(unit / 500)}" stroke-linejoin="round"`
        : '';
    const marks = flags.length > 0 ? ` data-flags="${flags.join(' ')}"` : '';
    const dashes = flags.includes('crowd') ? ` stroke-dasharray="${fixed(unit / 100)}"` : '';
    // The title is shown when the mouse rests on the shape.
    return `<path data-label="${escapeXml(id)}"${marks} fill-rule="evenodd" ${fill}${stroke}${dashes} d="${outlinePath(mask)}"><title>${escapeXml(name)}</title></path>`;
  });
  const legend = rows.map(({ colour, label }, i) => {
    const y = text * (0.5 + ROW * i);
    return (
      `<rect x="${fixed(width + text * 0.7)}" y="${fixed(y)}" width="${fixed(text)}" height="${fixed(text)}" fill="${colour}"/>` +
      `<text x="${fixed(width + text * 2.1)}" y="${fixed(y + text * 0.85)}" font-family="sans-serif" font-size="${fixed(text)}" fill="#111111">${escapeXml(label)}</text>`
    );
  });
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${fixed(width + side)}" height="${fixed(total)}" viewBox="0 0 ${fixed(width + side)} ${fixed(total)}">`,
    `<title>${escapeXml(image.name)}</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<image width="${width}" height="${height}" href="data:image/jpeg;base64,${toBase64(picture)}"/>`,
    ...drawn,
    ...legend,
    '</svg>',
    '',
  ];
  return new TextEncoder().encode(svg.join('\n'));
}

/** What is in the picture, the largest first, with the number of instances if there are several. */
function legendRows(shapes: readonly Shape[], colours: ReadonlyMap<string, Colour>) {
  const totals = new Map<string, { count: number; area: number }>();
  for (const { key, mask } of shapes) {
    const known = totals.get(key) ?? { count: 0, area: 0 };
    totals.set(key, { count: known.count + 1, area: known.area + area(mask) });
  }
  return [...totals]
    .sort(([, a], [, b]) => b.area - a.area)
    .map(([key, { count }]) => {
      const { name, colour } = colours.get(key) ?? OTHER;
      return { colour, label: count > 1 ? `${name} × ${count}` : name };
    });
}

const fixed = (value: number): string => String(Math.round(value * 100) / 100);

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML has no control characters. */
const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] as string).replace(/\p{Cc}|\p{Surrogate}/gu, '');
