import { gunzipSync } from 'node:zlib';

/** A npm tarball with weights has up to about 200 MB unpacked; what is far larger is no such thing. */
const MOST_BYTES = 1_000_000_000;
const BLOCK = 512;

/** The files of a .tgz as npm makes it: plain files with short names. */
export function* readTarball(tgz: Uint8Array): Generator<{ entry: string; bytes: Buffer }> {
  const tar = gunzipSync(tgz, { maxOutputLength: MOST_BYTES });
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    const entry = text(header, 0, 100);
    if (entry === '') return;
    const size = Number.parseInt(text(header, 124, 12), 8);
    if (!Number.isInteger(size) || size < 0 || at + BLOCK + size > tar.length)
      throw new Error('the tarball is damaged');
    // Links and folders have no content of their own, and are not looked for.
    const isFile = header[156] === 0 || header[156] === 0x30;
    if (isFile) yield { entry, bytes: tar.subarray(at + BLOCK, at + BLOCK + size) };
    at += BLOCK + BLOCK * Math.ceil(size / BLOCK);
  }
}

function text(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end).trim();
}
