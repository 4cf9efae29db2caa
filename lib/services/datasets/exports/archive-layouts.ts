import type { ArchiveLayout } from './archive-sink';

const BLOCK = 512;
/** Limit of the octal size field of a header: 8 GiB. */
const MAX_OCTAL_SIZE = 0o77777777777;

const roundUp = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

/** POSIX tar (IEEE 1003.1, pax). Long paths and sizes over 8 GiB go into an extended header. */
export const tarLayout: ArchiveLayout = {
  headerSize: (path) => BLOCK + BLOCK + roundUp(Buffer.byteLength(record('path', path)) + SIZE_RECORD),
  header({ path, bytes }) {
    // Always present and of fixed length, because the size of a streamed file is known last.
    const text = `${record('path', path)}${record('size', String(bytes).padStart(15, '0'))}`;
    const extended = Buffer.alloc(roundUp(Buffer.byteLength(text)));
    extended.write(text);
    return Buffer.concat([
      block({ path: 'PaxHeaders/entry', bytes: Buffer.byteLength(text), type: 'x' }),
      extended,
      block({ path, bytes: Math.min(bytes, MAX_OCTAL_SIZE), type: path.endsWith('/') ? '5' : '0' }),
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

const RECORDS_PER_WRITE = 1000;

const localHeaderSize = (path: string): number => 30 + Buffer.byteLength(path) + 20;

export const zipLayout: ArchiveLayout = {
  headerSize: localHeaderSize,
  header: localHeader,
  padding: () => 0,
  *closing(entries, start) {
    let offset = 0;
    let size = 0;
    let pending: Buffer[] = [];
    for (const { path, crc = 0, bytes, end } of entries) {
      const head = centralHeader({ path, crc, bytes, offset });
      pending.push(head);
      size += head.length;
      offset = end;
      if (pending.length < RECORDS_PER_WRITE) continue;
      yield Buffer.concat(pending);
      pending = [];
    }
    yield Buffer.concat(pending);
    yield endRecords(entries.length, start, size);
  },
};

/**
 * Records of an uncompressed zip file (APPNOTE 4.3 and 4.5). Images are already compressed, and stored bytes are the same
 * on every machine. Sizes over 4 GiB and more than 65,535 files use zip64.
 */
const MAX_UINT32 = 0xffffffff;
/** 1980-01-01, the earliest date in a zip; constant for reproducible bytes. */
const DATE = 0x0021;
/** Names are UTF-8. */
const FLAGS = 0x0800;

interface ZipEntry {
  path: string;
  crc: number;
  bytes: number;
  /** Of its local header. */
  offset: number;
}

/** Always reserves room for 64-bit sizes, because the header of a streamed file is rewritten when its size is known. */
function localHeader({ path, crc, bytes }: Omit<ZipEntry, 'offset'>): Buffer {
  const name = Buffer.from(path);
  const head = Buffer.alloc(30 + name.length + 20);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(45, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(DATE, 12);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(MAX_UINT32, 18);
  head.writeUInt32LE(MAX_UINT32, 22);
  head.writeUInt16LE(name.length, 26);
  head.writeUInt16LE(20, 28);
  name.copy(head, 30);
  const extra = 30 + name.length;
  head.writeUInt16LE(1, extra);
  head.writeUInt16LE(16, extra + 2);
  head.writeBigUInt64LE(BigInt(bytes), extra + 4);
  head.writeBigUInt64LE(BigInt(bytes), extra + 12);
  return head;
}

function centralHeader({ path, crc, bytes, offset }: ZipEntry): Buffer {
  const name = Buffer.from(path);
  const head = Buffer.alloc(46 + name.length + 28);
  head.writeUInt32LE(0x02014b50, 0);
  // Created on Unix, so that the file mode below applies.
  head.writeUInt16LE((3 << 8) | 45, 4);
  head.writeUInt16LE(45, 6);
  head.writeUInt16LE(FLAGS, 8);
  head.writeUInt16LE(DATE, 14);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(MAX_UINT32, 20);
  head.writeUInt32LE(MAX_UINT32, 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(28, 30);
  const isFolder = path.endsWith('/');
  head.writeUInt32LE((((isFolder ? 0o40755 : 0o100644) << 16) | (isFolder ? 0x10 : 0)) >>> 0, 38);
  head.writeUInt32LE(MAX_UINT32, 42);
  name.copy(head, 46);
  const extra = 46 + name.length;
  head.writeUInt16LE(1, extra);
  head.writeUInt16LE(24, extra + 2);
  head.writeBigUInt64LE(BigInt(bytes), extra + 4);
  head.writeBigUInt64LE(BigInt(bytes), extra + 12);
  head.writeBigUInt64LE(BigInt(offset), extra + 20);
  return head;
}

function endRecords(entries: number, start: number, size: number): Buffer {
  const end = Buffer.alloc(56 + 20 + 22);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  end.writeBigUInt64LE(BigInt(entries), 24);
  end.writeBigUInt64LE(BigInt(entries), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + size), 64);
  end.writeUInt32LE(1, 72);
  end.writeUInt32LE(0x06054b50, 76);
  end.writeUInt16LE(Math.min(entries, 0xffff), 84);
  end.writeUInt16LE(Math.min(entries, 0xffff), 86);
  end.writeUInt32LE(Math.min(size, MAX_UINT32), 88);
  end.writeUInt32LE(Math.min(start, MAX_UINT32), 92);
  return end;
}
