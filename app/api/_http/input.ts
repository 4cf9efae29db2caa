import type { z } from 'zod';
import { letPass } from './body-stream';
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
