import { z } from 'zod';
import type {
  DatasetImage,
  LabelSource,
  MaskLabel,
  ObjectLabel,
  Provenance,
} from '@/lib/core/formats/dataset';
import { encodeCounts, type Mask, storedMask } from '@/lib/core/mask';
import { DatasetSchemaShape, type LabelFlag, labelFlags } from '@/lib/core/schema';
import { SplitSpec } from './freeze/request';

export const manifestFormat = 'tessera-version/1';

/**
 * The first line of a manifest. It contains no names of people and no times, so that the same content has the same hash
 * in any project and at any time.
 */
export const ManifestHeader = z.strictObject({
  format: z.literal(manifestFormat),
  schema: DatasetSchemaShape,
  /** The policy under which labels were collected. */
  policy: z.record(z.string(), z.unknown()),
  split: SplitSpec,
  splits: z.array(z.string()).min(1),
  licence: z.string(),
  /** Number of the consent text that workers agreed to; null if there were no workers. */
  consent: z.number().int().nullable(),
  images: z.number().int(),
});

export type ManifestHeader = z.infer<typeof ManifestHeader>;

/** [source, confidence], after the id of the label. */
type Origin = [source: LabelSource, confidence: number];
/** Left out where a label has neither, so that older versions keep their hash. */
type Extra = [extra?: { instances?: string[]; flags?: LabelFlag[] }];
type MaskEntry = [id: string, counts: string, ...Origin, ...Extra];

/** An image in a manifest. Keys are short, because there can be hundreds of thousands, and their order is fixed. */
interface Head {
  /** SHA-256 of the uploaded file: the identity of an image across versions. */
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
    outline: [counts: string, ...Origin, ...Extra] | null;
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
      outline: outline && [encodeCounts(outline.mask), ...originOf(outline), ...extraOf(outline)],
      parts: entriesOf(parts),
      absent: [...absent].sort(),
    })),
  };
  return JSON.stringify(line);
}

/**
 * Parses a line. Masks are most of its size and are parsed on first access, so listing names or sizes is cheap.
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

/** Finds the end of the head. Quotes in strings are escaped, so the marker cannot occur earlier. */
function endOfHead(text: string): number {
  const end = text.indexOf('"],"attributes":', text.indexOf('"picture":["'));
  if (end === -1) throw new Error('A line of the manifest has no picture.');
  return end + 2;
}

type Drawn = Pick<VersionImage, 'attributes' | 'attributeMasks' | 'objects'>;

function drawnOf(line: Tail, width: number, height: number): Drawn {
  const maskOf = (counts: string): Mask => storedMask(counts, height, width);
  const labelOf = ([id, counts, source, confidence, extra]: MaskEntry): MaskLabel => ({
    id,
    mask: maskOf(counts),
    ...(extra?.instances && { instances: extra.instances.map(maskOf) }),
    ...(extra?.flags && { flags: extra.flags }),
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
          ...(object.outline[3]?.flags && { flags: object.outline[3].flags }),
        },
        parts: object.parts.map(labelOf),
        absent: object.absent,
      }),
    ),
  };
}

const entriesOf = (labels: readonly MaskLabel[]): MaskEntry[] =>
  labels
    .map((label): MaskEntry => [label.id, encodeCounts(label.mask), ...originOf(label), ...extraOf(label)])
    .sort(byId);

const byId = ([a]: MaskEntry, [b]: MaskEntry) => (a < b ? -1 : a > b ? 1 : 0);

function extraOf({ instances, flags = [] }: Pick<MaskLabel, 'instances' | 'flags'>): Extra {
  const extra = {
    ...(instances && { instances: instances.map(encodeCounts) }),
    ...(flags.length > 0 && { flags: labelFlags.filter((flag) => flags.includes(flag)) }),
  };
  return Object.keys(extra).length > 0 ? [extra] : [];
}

/** Rounds a confidence to four digits, so that database rounding does not change the hash. */
const originOf = ({ source, confidence }: Provenance): Origin => [source, Math.round(confidence * 1e4) / 1e4];

/** Lines can have several megabytes (large masks), but not this many. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Yields the lines of a UTF-8 stream with their offset and length in bytes. */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ text: string; start: number; bytes: number }> {
  let start = 0;
  let pending: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(10, from); end !== -1; end = chunk.indexOf(10, from)) {
      pending.push(chunk.subarray(from, end));
      const line = joined(pending);
      yield { text: line.toString('utf8'), start, bytes: line.length };
      start += line.length + 1;
      pending = [];
      held = 0;
      from = end + 1;
    }
    pending.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > MAX_LINE_BYTES) throw new Error('A line of the manifest is too long to be one.');
  }
  const rest = joined(pending);
  if (rest.length > 0) yield { text: rest.toString('utf8'), start, bytes: rest.length };
}

/** Avoids a copy for lines within a single chunk. */
function joined(pieces: readonly Uint8Array[]): Buffer {
  const [only] = pieces;
  return pieces.length === 1 && only
    ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
    : Buffer.concat(pieces);
}

/** Serializes JSON with sorted keys, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
