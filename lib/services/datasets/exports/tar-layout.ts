import type { ArchiveLayout } from './archive-sink';

const BLOCK = 512;
/** What the octal size field of a header can say: 8 GiB. */
const LARGEST = 0o77777777777;

const roundUp = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

/** POSIX tar (IEEE 1003.1, pax): a path that does not fit a header, and a size over 8 GiB, go into a record before it. */
export const tarLayout: ArchiveLayout = {
  headerSize: (path) => BLOCK + BLOCK + roundUp(Buffer.byteLength(record('path', path)) + SIZE_RECORD),
  header({ path, bytes }) {
    // Always there and always of one size, because the size of a streamed file is known last.
    const text = `${record('path', path)}${record('size', String(bytes).padStart(15, '0'))}`;
    const extended = Buffer.alloc(roundUp(Buffer.byteLength(text)));
    extended.write(text);
    return Buffer.concat([
      block({ path: 'PaxHeaders/entry', bytes: Buffer.byteLength(text), type: 'x' }),
      extended,
      block({ path, bytes: Math.min(bytes, LARGEST), type: path.endsWith('/') ? '5' : '0' }),
    ]);
  },
  padding: (bytes) => roundUp(bytes) - bytes,
  *closing() {
    yield Buffer.alloc(2 * BLOCK);
  },
};

/** "27 path=…\n": its length counts itself. */
function record(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`;
  const own = Buffer.byteLength(rest);
  let length = own + 1;
  while (String(length).length + own !== length) length = String(length).length + own;
  return `${length}${rest}`;
}

const SIZE_RECORD = record('size', '0'.repeat(15)).length;

function block({ path, bytes, type }: { path: string; bytes: number; type: 'x' | '0' | '5' }): Buffer {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0');
  head.write(path, 0, 100);
  head.write(octal(type === '5' ? 0o755 : 0o644, 8), 100);
  head.write(octal(0, 8), 108);
  head.write(octal(0, 8), 116);
  head.write(octal(type === '5' ? 0 : bytes, 12), 124);
  head.write(octal(0, 12), 136);
  head.write('        ', 148);
  head.write(type, 156);
  head.write('ustar\u000000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${octal(sum, 7)}\u0000 `, 148);
  return head;
}
