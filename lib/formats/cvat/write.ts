import { boundingBox, isEmpty } from '@/lib/mask';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { factsOf } from '../general/facts';
import { type LabelTable, labelTable } from '../general/label-table';
import { pictureFile } from '../general/picture-file';
import { schemaFile } from '../general/sidecar';
import { thingsOf } from '../general/things';
import { escapeXml } from '../markup/xml';
import { fileNameOf } from '../names';
import { ANNOTATIONS_PATH, FACTS_LABEL, imagePath } from './paths';
import { boxRuns } from './runs';

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  yield schemaFile(dataset.schema);
  yield { path: ANNOTATIONS_PATH, chunks: () => document(dataset) };
  for await (const image of dataset.images())
    yield pictureFile(imagePath(image.split, fileNameOf(image)), image, pictures);
}

async function* document(dataset: Dataset) {
  const table = labelTable(dataset.schema);
  yield '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n  <version>1.1</version>\n';
  yield meta(dataset, table);
  let id = 0;
  for await (const image of dataset.images()) yield imageElement(image, id++, table);
  yield '</annotations>\n';
}

function meta(dataset: Dataset, table: LabelTable): string {
  const label = (name: string, colour: string, type: string, attributes = '') =>
    `        <label>\n          <name>${escapeXml(name)}</name>\n          <color>${colour}</color>\n` +
    `          <type>${type}</type>\n          <attributes>${attributes}</attributes>\n        </label>\n`;
  const facts =
    '<attribute><name>facts</name><mutable>False</mutable><input_type>text</input_type>' +
    '<default_value></default_value><values></values></attribute>';
  return [
    `  <meta>\n    <project>\n      <name>${escapeXml(dataset.name)}</name>\n`,
    `      <subsets>${dataset.splits.map(escapeXml).join('\n')}</subsets>\n      <labels>\n`,
    ...table.labels.map(({ name, colour }) => label(name, colour, 'any')),
    label(FACTS_LABEL, '#000000', 'tag', facts),
    '      </labels>\n    </project>\n  </meta>\n',
  ].join('');
}

function imageElement(image: DatasetImage, id: number, table: LabelTable): string {
  const name = escapeXml(fileNameOf(image));
  const split = escapeXml(image.split);
  const lines = [
    `  <image id="${id}" name="${name}" subset="${split}" width="${image.width}" height="${image.height}">`,
  ];
  const isKnown = table.labels.some((label) => label.kind === 'object' && label.id === image.className);
  if (image.className !== null && isKnown)
    lines.push(`    <tag label="${escapeXml(image.className)}" source="manual">`, '    </tag>');
  lines.push(
    `    <tag label="${FACTS_LABEL}" source="file">`,
    `      <attribute name="facts">${escapeXml(JSON.stringify(factsOf(image)))}</attribute>`,
    '    </tag>',
  );
  for (const thing of thingsOf(image)) {
    if (isEmpty(thing.mask)) continue;
    const box = boundingBox(thing.mask);
    const label = escapeXml(table.labels[table.indexOf(thing)]?.name ?? '');
    const group = thing.instance > 0 ? ` group_id="${thing.instance}"` : '';
    lines.push(
      `    <mask label="${label}" source="manual" occluded="0" rle="${boxRuns(thing.mask, box)}"` +
        ` left="${box[0]}" top="${box[1]}" width="${box[2]}" height="${box[3]}" z_order="0"${group}>`,
      '    </mask>',
    );
  }
  return `${lines.join('\n')}\n  </image>\n`;
}
