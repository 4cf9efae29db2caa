const BLOCK = 512;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Header and padding of POSIX ustar; owner, mode and time are always the same, so that bytes are. */
export function* tarMember(name: string, bytes: Uint8Array): Generator<Uint8Array> {
  const raw = encoder.encode(name);
  const isPlain = raw.length <= 100 && raw.length === name.length;
  if (!isPlain) {
    const record = paxRecord('path', raw);
    yield header('PaxHeader', record.length, 'x');
    yield padded(record);
  }
  yield header(isPlain ? name : name.replace(/[^\x20-\x7e]/g, '_').slice(0, 100), bytes.length, '0');
  yield bytes;
  const rest = bytes.length % BLOCK;
  if (rest > 0) yield new Uint8Array(BLOCK - rest);
}

/** Two empty blocks, then up to the usual record of 20 blocks is optional: readers need the two. */
export const tarEnd = (): Uint8Array => new Uint8Array(2 * BLOCK);

/** "<length> path=<name>\n", where the length counts itself. */
function paxRecord(key: string, value: Uint8Array): Uint8Array {
  const body = key.length + value.length + 3;
  let length = body + String(body).length;
  if (String(length).length > String(body).length) length = body + String(length).length;
  const record = new Uint8Array(length);
  const start = encoder.encode(`${length} ${key}=`);
  record.set(start);
  record.set(value, start.length);
  record[length - 1] = 10;
  return record;
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK);
  whole.set(bytes);
  return whole;
}

function header(name: string, size: number, type: '0' | 'x'): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const put = (text: string, at: number) => block.set(encoder.encode(text), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  put(name, 0);
  put(
    `${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0        `,
    100,
  );
  put(`${type}`, 156);
  put('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${octal(sum, 6)}\0 `, 148);
  return block;
}

export interface TarMember {
  name: string;
  bytes: Uint8Array;
}

/** Plain files of a tar that is in memory; what is no file is passed over. Throws where it is cut off or no tar. */
export function* readTar(tar: Uint8Array): Generator<TarMember> {
  let longName: string | null = null;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const block = tar.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) return;
    const size = Number.parseInt(field(block, 124, 12), 8);
    const sum = block.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 32 : byte), 0);
    if (Number.parseInt(field(block, 148, 8), 8) !== sum)
      throw new Error('the tar file has a header that does not add up');
    const start = at + BLOCK;
    if (!(size >= 0) || start + size > tar.length) throw new Error('the tar file is cut off');
    const bytes = tar.subarray(start, start + size);
    const type = String.fromCharCode(block[156] as number);
    const prefix = field(block, 345, 155);
    const plain = field(block, 0, 100);
    if (type === 'x') longName = paxPath(decoder.decode(bytes));
    else if (type === 'L') longName = decoder.decode(bytes).replace(/\0+$/, '');
    else {
      if (type === '0' || type === '\0')
        yield { name: longName ?? (prefix === '' ? plain : `${prefix}/${plain}`), bytes };
      longName = null;
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}

const field = (block: Uint8Array, at: number, length: number): string =>
  decoder
    .decode(block.subarray(at, at + length))
    .split('\0')[0]
    ?.trim() ?? '';

const paxPath = (records: string): string | null => /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1] ?? null;
