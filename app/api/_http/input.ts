import { Readable } from 'node:stream';
import { z } from 'zod';
import { readConfig } from '@/lib/config';
import { isFromOwnPage } from '@/lib/config/network';
import { keyIn } from '@/lib/services/access/actor-from-request';
import { fieldErrors, Refusal } from './problem';

/** Bytes of a JSON body, unless an endpoint says otherwise. */
export const defaultBodyLimit = 1_000_000;

export async function readJson(request: Request, limit: number): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Refusal(415, 'Send the body as application/json.');
  const text = await readText(request, limit);
  // PostgreSQL has no place for U+0000 in a text.
  if (text.includes('\\u0000')) throw new Refusal(400, 'The body holds the character U+0000.');
  try {
    return JSON.parse(text, /\\ud[89a-f]/i.test(text) ? wholeCharacters : undefined);
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The body is not valid JSON.');
  }
}

/** Nor for half of a pair of UTF-16, which JSON can write and UTF-8 cannot. */
function wholeCharacters(name: string, value: unknown): unknown {
  if (name.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value;
  throw new Refusal(400, 'The body holds half of a character (a lone surrogate).');
}

export const readText = async (request: Request, limit: number): Promise<string> =>
  (await readBytes(request, limit)).toString('utf8');

/** Stops reading at the limit, whatever length the request claims to have. */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    size += next.value.byteLength;
    if (size > limit) {
      if (reader) void letPass(reader);
      throw new Refusal(413, `The body is larger than ${limit} bytes.`);
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks);
}

/** A name given several times becomes a list; the schema decides whether it may. */
export function readQuery(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  const search = new URL(url).searchParams;
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    if (values.some((value) => value.includes('\0')))
      throw new Refusal(400, 'The query holds the character U+0000.');
    query[name] = values.length === 1 ? (values[0] as string) : values;
  }
  return query;
}

export function parseOrRefuse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  const first = errors[0];
  throw new Refusal(400, first ? `${first.path || 'The request'}: ${first.message}` : 'Not valid.', {
    errors,
  });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

const opened = new WeakMap<Request, Readable>();

/** The body for those who read it piece by piece. */
export function bodyStream(request: Request): Readable {
  if (!request.body) return Readable.from([]);
  const reader: Reader = request.body.getReader();
  const stream = new Readable({
    read() {
      reader.read().then(
        ({ done, value }) => stream.push(done ? null : value),
        (error) => stream.destroy(error),
      );
    },
    destroy(error, done) {
      void letPass(reader);
      done(error);
    },
  });
  opened.set(request, stream);
  return stream;
}

/** Called when a request is answered: what was not read of its body will not be any more. */
export const endBody = (request: Request): void => void opened.get(request)?.destroy();

/** Of a body that nobody wants, so much is read; who sends more has to see for themselves. */
const MAX_DRAINED_BYTES = 64_000_000;

/**
 * Reads what nobody wants. A body that was begun and then left alone, or cancelled, stays in the connection, and the next
 * request that is sent over it is never answered.
 */
async function letPass(reader: Reader): Promise<void> {
  try {
    let left = MAX_DRAINED_BYTES;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      left -= piece.value.byteLength;
      if (left < 0) return await reader.cancel();
    }
  } catch {
    // The client has disconnected.
  }
}

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser adds cookies by itself, so a request that changes something must prove that one of our own
 * pages sent it. A key is never sent by itself: a request that shows one needs no such proof.
 */
export function requireOwnOrigin(request: Request): void {
  if (harmless.has(request.method) || keyIn(request.headers) !== null) return;
  const said = {
    origin: request.headers.get('origin'),
    site: request.headers.get('sec-fetch-site'),
  };
  const isOwn = isFromOwnPage(said, readConfig()) ?? !request.headers.has('cookie');
  if (!isOwn) throw new Refusal(403, 'The request comes from another site.');
}

/**
 * A body that is validated after the lookup of what it belongs to. Validating it earlier would answer 400 for somebody
 * else's lease and 404 for a missing one; now both are 404. The documentation shows the schema as for any other body.
 */
export function afterLookup<S extends z.ZodType>(schema: S) {
  const { $schema, ...described } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return {
    body: z.unknown().meta(described),
    parse: (body: unknown): z.output<S> => parseOrRefuse(schema, body),
  };
}
