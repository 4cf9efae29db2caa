import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import yazl from 'yazl';
import { readAll } from '@/lib/services/storage';

/** A picture whose upper left quarter is dark: one can see whether it was turned. `seed` makes it another. */
export function scene(width = 64, height = 48, seed = 0): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const dark = x < width / 2 && y < height / 2;
      const wave = 30 * Math.sin((x + seed * 7) / (3 + (seed % 5))) + 20 * Math.cos(y / (2 + (seed % 3)));
      pixels.set([dark ? 20 : 200 + wave / 2, dark ? 30 : 150 + wave, dark ? 40 : 120], (y * width + x) * 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

export const jpeg = (seed = 0) => scene(64, 48, seed).jpeg().toBuffer();
export const png = (seed = 0) => scene(64, 48, seed).png().toBuffer();

/** A PNG that claims a size its few bytes do not have: its header is all that may be read of it. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** 2 × 2 grey pixels as 32-bit floats, which sharp reads but does not write. */
export function floatTiff(): Buffer {
  const tags = [
    [256, 2],
    [257, 2],
    [258, 32],
    [259, 1],
    [262, 1],
    [273, 134],
    [277, 1],
    [278, 2],
    [279, 16],
    [339, 3],
  ] as const;
  const out = Buffer.alloc(134 + 16);
  out.write('II*\0', 'latin1');
  out.writeUInt32LE(8, 4);
  out.writeUInt16LE(tags.length, 8);
  for (const [index, [tag, value]] of tags.entries()) {
    const at = 10 + index * 12;
    out.writeUInt16LE(tag, at);
    out.writeUInt16LE(4, at + 2);
    out.writeUInt32LE(1, at + 4);
    out.writeUInt32LE(value, at + 8);
  }
  for (let pixel = 0; pixel < 4; pixel++) out.writeFloatLE(pixel / 4, 134 + pixel * 4);
  return out;
}

export async function zip(files: Record<string, Buffer | string>): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name);
  archive.end();
  return readAll(archive.outputStream as AsyncIterable<Uint8Array>, 1e9);
}

/** yazl does not write bad names: they are put over good ones of the same length. */
export function renameInZip(archive: Buffer, from: string, to: string): Buffer {
  if (from.length !== to.length) throw new Error('The names must be of one length.');
  const out = Buffer.from(archive);
  for (let at = out.indexOf(from); at >= 0; at = out.indexOf(from, at + 1)) out.write(to, at, 'latin1');
  return out;
}

/** Sets the "encrypted" bit of every entry. */
export function markEncrypted(archive: Buffer): Buffer {
  const out = Buffer.from(archive);
  for (const [signature, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const) {
    for (let at = out.indexOf(signature, 0, 'latin1'); at >= 0; at = out.indexOf(signature, at + 1, 'latin1'))
      out.writeUInt16LE(out.readUInt16LE(at + flags) | 1, at + flags);
  }
  return out;
}

/** Writes other sizes into the directory of an archive, for every entry or for the one of a name. */
export function claimSizes(
  archive: Buffer,
  sizes: { packed?: number; unpacked?: number },
  name?: string,
): Buffer {
  const out = Buffer.from(archive);
  const signature = Buffer.from('PK\x01\x02', 'latin1');
  for (let at = out.indexOf(signature); at >= 0; at = out.indexOf(signature, at + 1)) {
    const length = out.readUInt16LE(at + 28);
    if (name !== undefined && out.toString('latin1', at + 46, at + 46 + length) !== name) continue;
    if (sizes.packed !== undefined) out.writeUInt32LE(sizes.packed, at + 20);
    if (sizes.unpacked !== undefined) out.writeUInt32LE(sizes.unpacked, at + 24);
  }
  return out;
}

/** A ZIP64 archive that is nothing but an end: it claims a number of entries. */
export function manyEntries(count: number): Buffer {
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(0xffff, 8);
  end.writeUInt16LE(0xffff, 10);
  end.writeUInt32LE(0xffffffff, 12);
  end.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([record, locator, end]);
}

/** Lets every entry of the directory begin at the same bytes: those of the first one. */
export function shareBytes(archive: Buffer): Buffer {
  const out = Buffer.from(archive);
  const signature = Buffer.from('PK\x01\x02', 'latin1');
  for (let at = out.indexOf(signature); at >= 0; at = out.indexOf(signature, at + 1))
    out.writeUInt32LE(0, at + 42);
  return out;
}

/**
 * Two stored entries, of which the first one's content is the whole second one, header included: both are valid by
 * themselves. Thousands of them, packed, make a bomb of a few kilobytes.
 */
export function quotingZip(inner: Buffer): Buffer {
  const local = (name: string, content: Buffer) => {
    const head = Buffer.alloc(30);
    head.write('PK\x03\x04', 'latin1');
    head.writeUInt16LE(20, 4);
    head.writeUInt32LE(crc32(content), 14);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt32LE(content.length, 22);
    head.writeUInt16LE(name.length, 26);
    return Buffer.concat([head, Buffer.from(name), content]);
  };
  const directory = (name: string, content: Buffer, offset: number) => {
    const head = Buffer.alloc(46);
    head.write('PK\x01\x02', 'latin1');
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(20, 6);
    head.writeUInt32LE(crc32(content), 16);
    head.writeUInt32LE(content.length, 20);
    head.writeUInt32LE(content.length, 24);
    head.writeUInt16LE(name.length, 28);
    head.writeUInt32LE(offset, 42);
    return Buffer.concat([head, Buffer.from(name)]);
  };
  const second = local('b.jpg', inner);
  const first = local('a.jpg', second);
  // Room, so that the sizes of both together are less than the file's.
  const body = Buffer.concat([first, Buffer.alloc(inner.length + 200)]);
  const listed = Buffer.concat([
    directory('a.jpg', second, 0),
    directory('b.jpg', inner, first.length - second.length),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(2, 8);
  end.writeUInt16LE(2, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, listed, end]);
}
