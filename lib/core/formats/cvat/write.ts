import { boundingBox, isEmpty } from '@/lib/core/mask';
import type { LabelFlag } from '@/lib/core/schema/types';
import { Utf8Writer } from '../codecs/bytes';
import { escapeXml } from '../codecs/xml';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { listAnnotations } from '../shared/annotations';
import { toFacts } from '../shared/image-record';
import { createLabelTable, type LabelTable, schemaFile } from '../shared/vocabulary';
import { fileNameOf, pictureFile } from '../shared/write-files';
import { writeBoxRuns } from './read';

const ANNOTATIONS_PATH = 'annotations.xml';

/** As CVAT lays out a project with subsets. */
const imagePath = (split: string, name: string): string => `images/${split}/${name}`;

/** The label of the tag that carries what has no other place. */
export const FACTS_LABEL = 'tessera';

/** Bytes that are written to the file together. */
const PIECE = 65_536;

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  yield schemaFile(dataset.schema);
  yield { path: ANNOTATIONS_PATH, chunks: () => document(dataset) };
  for await (const image of dataset.images())
    yield pictureFile(imagePath(image.split, fileNameOf(image)), image, pictures);
}

async function* document(dataset: Dataset) {
  const table = createLabelTable(dataset.schema);
  yield '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n  <version>1.1</version>\n';
  yield meta(dataset, table);
  const text = new Utf8Writer(2 * PIECE);
  let id = 0;
  for await (const image of dataset.images()) {
    writeImage(text, image, id++, table);
    if (text.length >= PIECE) yield text.take();
  }
  yield text.text('</annotations>\n').take();
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
    `      <subsets>${dataset.splits.map(escapeXml).join('\n')}</subsets>\n`,
    // CVAT writes the list above; Datumaro requires one element for each subset.
    ...dataset.splits.map((split) => `      <subset>${escapeXml(split)}</subset>\n`),
    '      <labels>\n',
    ...table.labels.map(({ name, colour }) => label(name, colour, 'any', flagAttributes)),
    label(FACTS_LABEL, '#000000', 'tag', facts),
    '      </labels>\n    </project>\n  </meta>\n',
  ].join('');
}

/** Flags that CVAT has no field for. It rejects attributes that a label does not declare. */
const FLAG_ATTRIBUTES = ['crowd', 'truncated'] as const;

const flagAttributes = FLAG_ATTRIBUTES.map(
  (name) =>
    `<attribute><name>${name}</name><mutable>False</mutable><input_type>checkbox</input_type>` +
    '<default_value>false</default_value><values>false</values></attribute>',
).join('');

function writeImage(to: Utf8Writer, image: DatasetImage, id: number, table: LabelTable): void {
  const name = escapeXml(fileNameOf(image));
  const split = escapeXml(image.split);
  to.text(
    `  <image id="${id}" name="${name}" subset="${split}" width="${image.width}" height="${image.height}">\n`,
  );
  const isKnown = table.labels.some((label) => label.kind === 'object' && label.id === image.className);
  if (image.className !== null && isKnown)
    to.text(`    <tag label="${escapeXml(image.className)}" source="manual">\n    </tag>\n`);
  to.text(
    `    <tag label="${FACTS_LABEL}" source="file">\n` +
      `      <attribute name="facts">${escapeXml(JSON.stringify(toFacts(image)))}</attribute>\n    </tag>\n`,
  );
  for (const annotation of listAnnotations(image)) {
    if (isEmpty(annotation.mask)) continue;
    const box = boundingBox(annotation.mask);
    const label = escapeXml(table.labels[table.indexOf(annotation)]?.name ?? '');
    const group = annotation.instance > 0 ? ` group_id="${annotation.instance}"` : '';
    const has = (flag: LabelFlag) => annotation.flags?.includes(flag) ?? false;
    to.text(`    <mask label="${label}" source="manual" occluded="${has('occluded') ? 1 : 0}" rle="`);
    writeBoxRuns(to, annotation.mask, box);
    to.text(`" left="${box[0]}" top="${box[1]}" width="${box[2]}" height="${box[3]}" z_order="0"${group}>\n`);
    for (const flag of FLAG_ATTRIBUTES)
      if (has(flag)) to.text(`      <attribute name="${flag}">true</attribute>\n`);
    to.text('    </mask>\n');
  }
  to.text('  </image>\n');
}
