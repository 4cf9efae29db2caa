import type { Stripped } from './jpeg-segments';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** What the pixels need, and small print with nothing personal in it. */
const kept = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'IDAT',
  'IEND',
  'pHYs',
  'gAMA',
  'cHRM',
  'sRGB',
  'bKGD',
  'sBIT',
  'hIST',
]);
/** Further frames: told by `framesOfPng`, not as metadata. */
const frames = new Set(['acTL', 'fcTL', 'fdAT']);
const tells: Record<string, string> = {
  eXIf: 'EXIF',
  tEXt: 'text',
  zTXt: 'text',
  iTXt: 'text',
  iCCP: 'colour profile',
  tIME: 'time',
};
/** The same picture without metadata and without anything after its end; null when the file is malformed. */
export function stripPng(source: Buffer): Stripped | null {
  if (!source.subarray(0, 8).equals(signature)) return null;
  const parts: Buffer[] = [signature];
  const removed = new Set<string>();
  let dropped = false;
  let at = 8;
  while (at + 12 <= source.length) {
    const end = at + 12 + source.readUInt32BE(at);
    if (end > source.length) return null;
    const type = source.toString('latin1', at + 4, at + 8);
    if (kept.has(type)) parts.push(source.subarray(at, end));
    else {
      dropped = true;
      if (!frames.has(type)) removed.add(tells[type] ?? 'application data');
    }
    at = end;
    if (type !== 'IEND') continue;
    if (at < source.length) removed.add('data after the end of the picture');
    const unchanged = !dropped && at === source.length;
    return { bytes: unchanged ? source : Buffer.concat(parts), removed: [...removed] };
  }
  return null;
}

/** Frames of an animated PNG, which decoders show the first of; 1 for a still one. */
export function framesOfPng(source: Buffer): number {
  for (let at = 8; at + 12 <= source.length; at += 12 + source.readUInt32BE(at)) {
    const type = source.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return source.readUInt32BE(at + 8);
    if (type === 'IDAT' || type === 'IEND') break;
  }
  return 1;
}
