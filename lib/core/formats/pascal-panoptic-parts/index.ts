import { pascalPart } from '@/lib/core/schema/presets';
import { encodeTiff } from '../codecs/tiff';
import type { Dataset } from '../dataset';
import type { Format, FormatFile, Options, Pictures } from '../format';
import { jpegFile } from '../general/picture-file';
import { checked } from '../general/says';
import { stemOf } from '../names';
import { checkOwn } from '../tessera/check';
import { datasetSpec } from '../tessera/dataset-spec';
import { keepDrawn } from '../tessera/is-labelled';
import { zOrdersOf } from '../tessera/layers';
import { lost } from '../tessera/losses';
import { uidLayers, uidMap } from '../tessera/uid-map';
import { numbersOf, pascalCodes } from './codes';
import { detect, read } from './read';

const FOLDERS: Readonly<Record<string, string>> = { train: 'training', val: 'validation' };

const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);

/** The twenty things; the release's 79 kinds of stuff have no objects here. */
const spec = () =>
  datasetSpec(
    'PASCAL Panoptic Parts',
    pascalPart.classes.map(({ id }) => {
      const parts = pascalPart.parts.filter(({ classes }) => classes.includes(id));
      const colour = parts[0]?.colour ?? '#808080';
      const tokenOf = (partId: string) => partId.slice(partId.indexOf(':') + 1);
      return {
        name: id,
        parts: parts.map((part) => tokenOf(part.id)),
        hasInstances: true,
        colour: [channel(colour, 1), channel(colour, 3), channel(colour, 5)] as const,
        counted: Object.fromEntries(
          parts
            .map((part) => [tokenOf(part.id), numbersOf(part.id), part.codes?.pid] as const)
            .filter(([, numbers, pid]) => numbers.length > 1 || numbers[0] !== pid)
            .map(([token, numbers]) => [token, numbers]),
        ),
      };
    }),
  );

async function* write(dataset: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const zOrders = zOrdersOf(dataset.schema);
  yield { path: 'ppp_datasetspec.yaml', bytes: spec };
  for await (const image of keepDrawn(dataset).dataset.images()) {
    const stem = stemOf(image.name);
    const { width, height } = image;
    yield jpegFile(`JPEGImages/${stem}.jpg`, image, pictures);
    yield {
      path: `${FOLDERS[image.split] ?? image.split}/${stem}.tif`,
      bytes: () =>
        encodeTiff({
          width,
          height,
          pixels: uidMap(image, uidLayers(image, pascalCodes, zOrders)),
          compression: 'lzw',
        }),
    };
  }
}

export const format: Format = {
  id: 'pascal-panoptic-parts',
  name: 'PASCAL Panoptic Parts',
  summary: 'Pictures with a compressed map of panoptic-parts numbers per image, in training and validation.',
  kind: 'own layout',
  options: [],
  async check(dataset, options) {
    const drawn = keepDrawn(dataset);
    const problems = await checkOwn(
      drawn.dataset,
      {
        knows: pascalPart,
        readers: 'code that reads PASCAL Panoptic Parts',
        fileName: ({ name }) => `${stemOf(name)}.jpg`,
        needsMasks: true,
        hasInstances: true,
        image(image, found) {
          if (['JPEGImages', 'training', 'validation'].includes(image.split))
            found.add(
              'A split is called like a folder of the layout. Freeze a version with train, val and test.',
              image.split,
            );
        },
      },
      options,
    );
    return checked(problems, [
      ...drawn.losses(),
      'Parts that the release counts, such as several wheels, are one part here and get the first number of their range.',
      'Stuff such as road and sky is left out, also of the specification beside the maps.',
      ...(dataset.splits.includes('test')
        ? ['The release has no test set: it goes to a folder of its own.']
        : []),
      lost.overlap,
      lost.attributes,
      lost.absent,
      lost.provenance,
      lost.columns,
    ]);
  },
  write,
  reader: { detect, read },
};
