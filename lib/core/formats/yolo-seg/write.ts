import { Utf8Writer } from '../codecs/utf8-writer';
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
import { Shares } from './shares';

const encoder = new TextEncoder();

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = labelTable(dataset.schema);
  const shares = new Shares();
  yield schemaFile(dataset.schema);
  yield { path: DATA_PATH, bytes: () => encoder.encode(dataYaml(dataset, table)) };
  for await (const image of dataset.images()) {
    const name = fileNameOf(image);
    yield pictureFile(imagePath(image.split, name), image, pictures);
    yield {
      path: labelPath(image.split, stemOf(name)),
      bytes: () => rowsOf(image, table, shares),
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

function rowsOf(image: DatasetImage, table: LabelTable, shares: Shares): Uint8Array {
  const text = new Utf8Writer();
  const across = shares.of(image.width);
  const down = shares.of(image.height);
  for (const thing of thingsOf(image)) {
    const ring = singleRing(thing.mask);
    if (ring.length < 6) continue;
    text.integer(table.indexOf(thing));
    for (let i = 0; i < ring.length; i += 2) {
      across.write(text, ring[i] as number);
      down.write(text, ring[i + 1] as number);
    }
    text.text('\n');
  }
  return text.take();
}
