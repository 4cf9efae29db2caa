import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { type LabelTable, labelTable } from '../general/label-table';
import { pictureFile } from '../general/picture-file';
import { schemaFile } from '../general/sidecar';
import { thingsOf } from '../general/things';
import { yamlText } from '../markup/yaml';
import { fileNameOf, stemOf } from '../names';
import { DATA_PATH, imagePath, labelPath } from './paths';
import { singleRing } from './ring';

const encoder = new TextEncoder();

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = labelTable(dataset.schema);
  yield schemaFile(dataset.schema);
  yield { path: DATA_PATH, bytes: () => encoder.encode(dataYaml(dataset, table)) };
  for await (const image of dataset.images()) {
    const name = fileNameOf(image);
    yield pictureFile(imagePath(image.split, name), image, pictures);
    yield {
      path: labelPath(image.split, stemOf(name)),
      bytes: () => encoder.encode(rowsOf(image, table)),
    };
  }
}

function dataYaml({ splits }: Dataset, table: LabelTable): string {
  // Without `path` the folders are sought beside this file; "." would be wherever the trainer was started.
  return [
    ...splits.map((split) => `${yamlText(split)}: ${yamlText(`images/${split}`)}`),
    'names:',
    ...table.labels.map(({ name }, index) => `  ${index}: ${yamlText(name)}`),
    '',
  ].join('\n');
}

/** Six digits place a point of the widest picture within a thirtieth of a pixel. */
const share = (value: number, side: number): string => String(Number((value / side).toFixed(6)));

function rowsOf(image: DatasetImage, table: LabelTable): string {
  return thingsOf(image)
    .map((thing) => ({ index: table.indexOf(thing), ring: singleRing(thing.mask) }))
    .filter(({ ring }) => ring.length >= 6)
    .map(({ index, ring }) => {
      const shares = ring.map((value, i) => share(value, i % 2 === 0 ? image.width : image.height));
      return `${index} ${shares.join(' ')}\n`;
    })
    .join('');
}
