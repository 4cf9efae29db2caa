interface Stripped {
  bytes: Buffer;
  /** What was left out, in words: "EXIF", "XMP", … */
  removed: string[];
}

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/**
 * The same picture without metadata and without anything after its end. The compressed pixels are copied
 * as they are, so nothing is lost. Null: the file does not follow the format, and must be re-encoded.
 */
export function stripJpeg(source: Buffer): Stripped | null {
  if (source[0] !== 0xff || source[1] !== startOfImage) return null;
  const kept: Buffer[] = [source.subarray(0, 2)];
  const removed = new Set<string>();
  let at = 2;
  while (at + 4 <= source.length) {
    if (source[at] !== 0xff) return null;
    const marker = source[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) break;
    const end = at + 2 + source.readUInt16BE(at + 2);
    if (end > source.length) return null;
    const next = marker === startOfScan ? endOfScan(source, end) : end;
    const name = metadataIn(marker, source.subarray(at + 4, end));
    if (name) removed.add(name);
    else kept.push(source.subarray(at, next));
    at = next;
  }
  if (source[at] !== 0xff || source[at + 1] !== endOfImage) return null;
  kept.push(source.subarray(at, at + 2));
  if (at + 2 < source.length) removed.add('data after the end of the picture');
  return removed.size === 0
    ? { bytes: source, removed: [] }
    : { bytes: Buffer.concat(kept), removed: [...removed] };
}

/** Coded data runs to the next marker; FF 00 is a plain FF, and D0–D7 only restart the decoder. */
function endOfScan(source: Buffer, from: number): number {
  let at = from;
  for (;;) {
    at = source.indexOf(0xff, at);
    if (at < 0 || at + 1 >= source.length) return source.length;
    const marker = source[at + 1] as number;
    if (marker !== 0x00 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return at;
    at += marker === 0xff ? 1 : 2;
  }
}

/** Decoders need APP0 (JFIF) and APP14 (Adobe: how the colours are coded); every other APPn describes. */
function metadataIn(marker: number, content: Buffer): string | null {
  const head = content.subarray(0, 32).toString('latin1');
  if (marker === 0xfe) return 'comment';
  if (marker === 0xe0) return head.startsWith('JFIF\0') ? null : 'preview';
  if (marker === 0xee && head.startsWith('Adobe')) return null;
  if (marker < 0xe0 || marker > 0xef) return null;
  if (head.startsWith('Exif\0')) return 'EXIF';
  if (head.startsWith('http://ns.adobe.com/')) return 'XMP';
  if (head.startsWith('ICC_PROFILE\0')) return 'colour profile';
  if (head.startsWith('Photoshop')) return 'IPTC';
  return 'application data';
}

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
const labelFor: Record<string, string> = {
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
      if (!frames.has(type)) removed.add(labelFor[type] ?? 'application data');
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
export function countPngFrames(source: Buffer): number {
  for (let at = 8; at + 12 <= source.length; at += 12 + source.readUInt32BE(at)) {
    const type = source.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return source.readUInt32BE(at + 8);
    if (type === 'IDAT' || type === 'IEND') break;
  }
  return 1;
}
