import type {
  DatasetImage,
  LabelSource,
  MaskLabel,
  ObjectLabel,
  Provenance,
} from '@/lib/core/formats/dataset';
import { encodeCounts, type Mask, storedMask } from '@/lib/core/mask';

/** [source, confidence], and before them what the label is about. */
type Origin = [source: LabelSource, confidence: number];
type MaskEntry = [id: string, counts: string, ...Origin];

/** An image in a manifest, with short keys: there are a hundred thousand of them. The order of the keys is fixed. */
interface Head {
  /** sha256 of the file as it was given: the identity of an image across versions. */
  source: string;
  name: string;
  class: string | null;
  wnid: string | null;
  group: string | null;
  columns: Record<string, string>;
  split: string;
  size: [width: number, height: number];
  picture: [sha256: string, mediaType: string];
}

interface Tail {
  attributes: [present: string[], ...Origin] | null;
  attributeMasks: MaskEntry[];
  objects: {
    class: string | null;
    instance: number;
    outline: [counts: string, ...Origin] | null;
    parts: MaskEntry[];
    absent: string[];
  }[];
}

export interface VersionImage extends DatasetImage {
  source: string;
}

export function writeLine(image: VersionImage): string {
  const line: Head & Tail = {
    source: image.source,
    name: image.name,
    class: image.className,
    wnid: image.wnid,
    group: image.groupKey,
    columns: Object.fromEntries(Object.entries(image.columns).sort(([a], [b]) => (a < b ? -1 : 1))),
    split: image.split,
    size: [image.width, image.height],
    picture: [image.picture.sha256, image.picture.mediaType],
    attributes: image.attributes && [[...image.attributes.present].sort(), ...originOf(image.attributes)],
    attributeMasks: entriesOf(image.attributeMasks),
    objects: image.objects.map(({ className, instance, outline, parts, absent }) => ({
      class: className,
      instance,
      outline: outline && [encodeCounts(outline.mask), ...originOf(outline)],
      parts: entriesOf(parts),
      absent: [...absent].sort(),
    })),
  };
  return JSON.stringify(line);
}

/**
 * Reads a line. What was drawn is most of it and is parsed when it is first asked for: passes that list names, sizes or
 * pictures do without.
 */
export function readLine(text: string): VersionImage {
  const end = endOfHead(text);
  const line = JSON.parse(`${text.slice(0, end)}}`) as Head;
  const [width, height] = line.size;
  let drawn: Drawn | undefined;
  const labels = (): Drawn => {
    drawn ??= drawnOf(JSON.parse(`{${text.slice(end + 1)}`) as Tail, width, height);
    return drawn;
  };
  return {
    source: line.source,
    name: line.name,
    className: line.class,
    wnid: line.wnid,
    groupKey: line.group,
    columns: line.columns,
    split: line.split,
    width,
    height,
    picture: { sha256: line.picture[0], mediaType: line.picture[1] },
    get attributes() {
      return labels().attributes;
    },
    get attributeMasks() {
      return labels().attributeMasks;
    },
    get objects() {
      return labels().objects;
    },
    hasMasks: true,
  };
}

/** Where the picture's entry ends. Quotes inside of texts are escaped and columns are texts, so this is nowhere else. */
function endOfHead(text: string): number {
  const end = text.indexOf('"],"attributes":', text.indexOf('"picture":["'));
  if (end === -1) throw new Error('A line of the manifest has no picture.');
  return end + 2;
}

type Drawn = Pick<VersionImage, 'attributes' | 'attributeMasks' | 'objects'>;

function drawnOf(line: Tail, width: number, height: number): Drawn {
  const maskOf = (counts: string): Mask => storedMask(counts, height, width);
  const labelOf = ([id, counts, source, confidence]: MaskEntry): MaskLabel => ({
    id,
    mask: maskOf(counts),
    source,
    confidence,
  });
  return {
    attributes: line.attributes && {
      present: line.attributes[0],
      source: line.attributes[1],
      confidence: line.attributes[2],
    },
    attributeMasks: line.attributeMasks.map(labelOf),
    objects: line.objects.map(
      (object): ObjectLabel => ({
        className: object.class,
        instance: object.instance,
        outline: object.outline && {
          mask: maskOf(object.outline[0]),
          source: object.outline[1],
          confidence: object.outline[2],
        },
        parts: object.parts.map(labelOf),
        absent: object.absent,
      }),
    ),
  };
}

const entriesOf = (labels: readonly MaskLabel[]): MaskEntry[] =>
  labels
    .map(({ id, mask, ...origin }): MaskEntry => [id, encodeCounts(mask), ...originOf(origin)])
    .sort(byId);

const byId = ([a]: MaskEntry, [b]: MaskEntry) => (a < b ? -1 : a > b ? 1 : 0);

/** Four digits: what a database made of a confidence must not change the hash. */
const originOf = ({ source, confidence }: Provenance): Origin => [source, Math.round(confidence * 1e4) / 1e4];
