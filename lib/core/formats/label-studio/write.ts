import { Utf8Writer } from '../codecs/bytes';
import { escapeXml } from '../codecs/xml';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { type Annotation, type AnnotationKind, listAnnotations } from '../shared/annotations';
import { toFacts } from '../shared/image-record';
import { createLabelTable, type LabelTable, schemaFile } from '../shared/vocabulary';
import { fileNameOf, pictureFile } from '../shared/write-files';
import { encodeBrush } from './brush';

const TASKS_PATH = 'tasks.json';

/** To be pasted into Label Studio's labelling interface. */
const CONFIG_PATH = 'labeling-config.xml';

const imagePath = (split: string, name: string): string => `images/${split}/${name}`;

/** How Label Studio reaches files of its own machine. */
const LOCAL = '/data/local-files/?d=';

const urlOf = (path: string): string => `${LOCAL}${path.split('/').map(encodeURIComponent).join('/')}`;

/** Whether folders in it are those of a server, and not of the files beside the labels. */
export const isElsewhere = (url: string): boolean =>
  !url.startsWith(LOCAL) && (url.startsWith('/') || /^[a-z0-9+.-]+:\/\//i.test(url));

/** The path within an address, whatever storage it is of. */
export function pathOfUrl(url: string): string {
  const path = url.startsWith(LOCAL)
    ? url.slice(LOCAL.length)
    : url.replace(/^[a-z0-9+.-]+:\/\/[^/]*\//i, '').replace(/[?#].*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const encoder = new TextEncoder();
/** Bytes that are written to the file together. */
const PIECE = 65_536;
const COMMA = 44;

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = createLabelTable(dataset.schema);
  yield schemaFile(dataset.schema);
  yield { path: CONFIG_PATH, bytes: () => encoder.encode(config(dataset, table)) };
  yield { path: TASKS_PATH, chunks: () => tasks(dataset, table) };
  for await (const image of dataset.images())
    yield pictureFile(imagePath(image.split, fileNameOf(image)), image, pictures);
}

/** As `JSON.stringify` would write the list, a task on each line; the bytes of brushes never become strings. */
async function* tasks(dataset: Dataset, table: LabelTable) {
  const text = new Utf8Writer(2 * PIECE);
  let id = 0;
  for await (const image of dataset.images()) {
    id += 1;
    text.text(id === 1 ? '[\n' : ',\n');
    writeTask(text, image, id, table);
    if (text.length >= PIECE) yield text.take();
  }
  yield text.text(id === 0 ? '[]\n' : '\n]\n').take();
}

function writeTask(to: Utf8Writer, image: DatasetImage, id: number, table: LabelTable): void {
  const data = {
    image: urlOf(imagePath(image.split, fileNameOf(image))),
    split: image.split,
    tessera: toFacts(image),
  };
  to.text(`{"id":${id},"data":${JSON.stringify(data)},"annotations":[{"id":${id},"result":[`);
  let mark = '';
  for (const choice of choicesOf(image)) {
    to.text(mark + JSON.stringify(choice));
    mark = ',';
  }
  const annotations = listAnnotations(image);
  annotations.forEach((annotation, index) => {
    to.text(mark);
    writeBrush(to, image, annotation, index, annotations, table);
    mark = ',';
  });
  to.text(']}],"predictions":[]}');
}

const base = ({ width, height }: DatasetImage) => ({
  original_width: width,
  original_height: height,
  image_rotation: 0,
});

function choicesOf(image: DatasetImage) {
  const choices = (id: string, chosen: readonly string[]) => ({
    id,
    type: 'choices',
    from_name: id,
    to_name: 'image',
    ...base(image),
    value: { choices: chosen },
  });
  return [
    ...(image.className === null ? [] : [choices('class', [image.className])]),
    ...(image.attributes ? [choices('attributes', image.attributes.present)] : []),
  ];
}

function writeBrush(
  to: Utf8Writer,
  image: DatasetImage,
  annotation: Annotation,
  index: number,
  annotations: readonly Annotation[],
  table: LabelTable,
): void {
  const outline = annotations.findIndex(
    ({ kind, instance }) => kind === 'object' && instance === annotation.instance,
  );
  const parent = annotation.kind === 'part' && outline >= 0 ? { parentID: `mask-${outline + 1}` } : {};
  const head = {
    id: `mask-${index + 1}`,
    type: 'brushlabels',
    from_name: annotation.kind,
    to_name: 'image',
    ...base(image),
    ...parent,
    instance: annotation.instance,
    ...(annotation.flags && { flags: annotation.flags }),
  };
  const labels = [table.labels[table.indexOf(annotation)]?.name];
  // The value goes into the same object, behind the rest.
  to.text(`${JSON.stringify(head).slice(0, -1)},"value":{"format":"rle","rle":[`);
  const brush = encodeBrush(annotation.mask);
  for (let i = 0; i < brush.length; i++) {
    if (i > 0) to.byte(COMMA);
    to.integer(brush[i] as number);
  }
  to.text(`],"brushlabels":${JSON.stringify(labels)}}}`);
}

function config({ schema }: Dataset, table: LabelTable): string {
  const brushes = (kind: AnnotationKind) => {
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
