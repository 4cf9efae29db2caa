import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { factsOf } from '../general/facts';
import { jsonArray } from '../general/json-stream';
import { type LabelTable, labelTable } from '../general/label-table';
import { pictureFile } from '../general/picture-file';
import { schemaFile } from '../general/sidecar';
import { type Thing, type ThingKind, thingsOf } from '../general/things';
import { escapeXml } from '../markup/xml';
import { fileNameOf } from '../names';
import { encodeBrush } from './brush';
import { CONFIG_PATH, imagePath, TASKS_PATH, urlOf } from './paths';

const encoder = new TextEncoder();

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = labelTable(dataset.schema);
  yield schemaFile(dataset.schema);
  yield { path: CONFIG_PATH, bytes: () => encoder.encode(config(dataset, table)) };
  yield { path: TASKS_PATH, chunks: () => jsonLine(jsonArray(tasks(dataset, table))) };
  for await (const image of dataset.images())
    yield pictureFile(imagePath(image.split, fileNameOf(image)), image, pictures);
}

async function* jsonLine(chunks: AsyncIterable<string>) {
  yield* chunks;
  yield '\n';
}

async function* tasks(dataset: Dataset, table: LabelTable) {
  let id = 0;
  for await (const image of dataset.images()) {
    id += 1;
    yield {
      id,
      data: {
        image: urlOf(imagePath(image.split, fileNameOf(image))),
        split: image.split,
        tessera: factsOf(image),
      },
      annotations: [{ id, result: resultOf(image, table) }],
      predictions: [],
    };
  }
}

const base = ({ width, height }: DatasetImage) => ({
  original_width: width,
  original_height: height,
  image_rotation: 0,
});

function resultOf(image: DatasetImage, table: LabelTable) {
  const choices = (id: string, chosen: readonly string[]) => ({
    id,
    type: 'choices',
    from_name: id,
    to_name: 'image',
    ...base(image),
    value: { choices: chosen },
  });
  const things = thingsOf(image);
  return [
    ...(image.className === null ? [] : [choices('class', [image.className])]),
    ...(image.attributes ? [choices('attributes', image.attributes.present)] : []),
    ...things.map((thing, index) => brush(image, thing, index, things, table)),
  ];
}

function brush(
  image: DatasetImage,
  thing: Thing,
  index: number,
  things: readonly Thing[],
  table: LabelTable,
) {
  const outline = things.findIndex(({ kind, instance }) => kind === 'object' && instance === thing.instance);
  const parent = thing.kind === 'part' && outline >= 0 ? { parentID: `mask-${outline + 1}` } : {};
  return {
    id: `mask-${index + 1}`,
    type: 'brushlabels',
    from_name: thing.kind,
    to_name: 'image',
    ...base(image),
    ...parent,
    instance: thing.instance,
    value: {
      format: 'rle',
      rle: encodeBrush(thing.mask),
      brushlabels: [table.labels[table.indexOf(thing)]?.name],
    },
  };
}

function config({ schema }: Dataset, table: LabelTable): string {
  const brushes = (kind: ThingKind) => {
    const labels = table.labels.filter((label) => label.kind === kind);
    const lines = labels.map(
      ({ name, colour }) => `    <Label value="${escapeXml(name)}" background="${colour}"/>`,
    );
    return lines.length === 0
      ? []
      : [`  <BrushLabels name="${kind}" toName="image">`, ...lines, '  </BrushLabels>'];
  };
  const choices = (name: string, kind: 'single' | 'multiple', ids: readonly string[]) =>
    ids.length === 0
      ? []
      : [
          `  <Choices name="${name}" toName="image" choice="${kind}">`,
          ...ids.map((id) => `    <Choice value="${escapeXml(id)}"/>`),
          '  </Choices>',
        ];
  return [
    '<View>',
    '  <Image name="image" value="$image"/>',
    ...choices(
      'class',
      'single',
      schema.classes.map(({ id }) => id),
    ),
    ...choices(
      'attributes',
      'multiple',
      schema.attributes.map(({ id }) => id),
    ),
    ...brushes('object'),
    ...brushes('part'),
    ...brushes('attribute'),
    '</View>',
    '',
  ].join('\n');
}
