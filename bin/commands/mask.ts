import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  area,
  boundingBox,
  decodeCounts,
  encodeCounts,
  fromCounts,
  iou,
  type Mask,
  MaskError,
  merge,
  rasterizePolygons,
  toRegions,
} from '@/lib/core/mask';

type Json = Record<string, unknown>;

/** One line in, one line out. */
const OPERATIONS: Record<string, (line: Json) => Json> = {
  rasterize: ({ size, polygons }) => {
    const [height, width] = readSize(size, 'size');
    return described(rasterizePolygons(readPolygons(polygons), height, width));
  },
  iou: ({ a, b }) => ({ iou: iou(readMask(a, 'a'), readMask(b, 'b')) }),
  merge: ({ masks }) => described(merge(readMasks(masks))),
  contours: (line) => ({ regions: toRegions(readMask(line)) }),
  area: (line) => {
    const mask = readMask(line);
    return { area: area(mask), bbox: boundingBox(mask) };
  },
};

const USAGE = `Usage: tessera mask <op>

Reads JSON lines on standard input and writes one JSON line for each, in the same order.

  rasterize   {"size":[h,w],"polygons":[[x,y,...],...]}        → {"size","counts","area","bbox"}
  iou         {"a":{"size","counts"},"b":{"size","counts"}}    → {"iou"}
  merge       {"masks":[{"size","counts"},...]}                → {"size","counts","area","bbox"}
  contours    {"size","counts"}                                → {"regions":[{"outer","holes","parent"},...]}
  area        {"size","counts"}                                → {"area","bbox"}

counts is COCO's compressed string or its list of runs. A bad line gives {"error"} and the others go on.
Exit code: 0 all lines done, 1 some failed, 2 wrong use.
`;

/** `tessera mask <op>`: returns the exit code. */
export async function mask(args: string[]): Promise<number> {
  const [name] = args;
  if (name === '--help' || name === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  const operation = name !== undefined && Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (!operation || args.length !== 1) {
    process.stderr.write(USAGE);
    return 2;
  }
  const failed = await transformLines(operation, process.stdin, process.stdout);
  return failed > 0 ? 1 : 0;
}

/** Answers every line of `input` on `output`, as fast as that is read. Returns how many lines failed. */
async function transformLines(
  operation: (line: Json) => Json,
  input: Readable,
  output: Writable,
): Promise<number> {
  let failed = 0;
  async function* answers(): AsyncGenerator<string> {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === '') continue;
      const answer = answerTo(operation, line);
      if ('error' in answer) failed++;
      yield `${JSON.stringify(answer)}\n`;
    }
  }
  try {
    await pipeline(answers, output, { end: false });
  } catch (error) {
    // A reader that has seen enough, such as `head`, is no failure.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    input.destroy();
  }
  return failed;
}

function answerTo(operation: (line: Json) => Json, line: string): Json {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return { error: 'line: a JSON object is needed' };
    return operation(value);
  } catch (error) {
    if (error instanceof MaskError) return { error: error.message, code: error.code, where: error.where };
    if (error instanceof SyntaxError) return { error: `line: ${error.message}` };
    throw error;
  }
}

function described(result: Mask): Json {
  return {
    size: [result.height, result.width],
    counts: encodeCounts(result),
    area: area(result),
    bbox: boundingBox(result),
  };
}

function readMasks(value: unknown): Mask[] {
  if (!Array.isArray(value)) throw new MaskError('bad-argument', 'masks', 'a list of masks is needed');
  return value.map((one, i) => readMask(one, `masks[${i}]`));
}

/** `where` is empty for a mask that is the line itself. */
function readMask(value: unknown, where = ''): Mask {
  const path = (field: string) => (where === '' ? field : `${where}.${field}`);
  if (!isObject(value))
    throw new MaskError('bad-argument', where, 'an object with size and counts is needed');
  const [height, width] = readSize(value.size, path('size'));
  try {
    if (typeof value.counts === 'string') return decodeCounts(value.counts, height, width);
    if (Array.isArray(value.counts)) return fromCounts(value.counts, height, width);
  } catch (error) {
    throw error instanceof MaskError && where !== '' ? error.inside(where) : error;
  }
  throw new MaskError('bad-counts', path('counts'), 'a compressed string or a list of runs is needed');
}

function readSize(value: unknown, where: string): [height: number, width: number] {
  if (!Array.isArray(value) || value.length !== 2)
    throw new MaskError('bad-size', where, '[height, width] is needed');
  return [value[0], value[1]];
}

function readPolygons(value: unknown): number[][] {
  if (!Array.isArray(value) || !value.every(Array.isArray))
    throw new MaskError('bad-argument', 'polygons', 'a list of [x, y, x, y, ...] lists is needed');
  return value;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
