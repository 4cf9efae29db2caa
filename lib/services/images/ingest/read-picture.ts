import sharp, { type Metadata } from 'sharp';
import { describeJsonError } from '@/lib/core/formats/shared/read-tree';
import { limits } from '@/lib/core/image-limits';
import { countPngFrames, stripJpeg, stripPng } from './picture-metadata';

export interface CodedPicture {
  bytes: Buffer;
  mediaType: string;
  width: number;
  height: number;
}

/** A picture as the platform keeps it: upright, 8 bits, sRGB, opaque, without metadata. */
export interface Picture extends CodedPicture {
  notes: string[];
  perceptualHash: bigint;
  thumbnail: CodedPicture;
  /** Null where the picture itself is small enough to work on. */
  working: CodedPicture | null;
}

/** Why a file cannot become a picture, in a sentence for the person who sent it. */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused';
}

const thumbnailSide = 320;
const workingSide = 4096;

const open = (bytes: Buffer, limitInputPixels: number | false = limits.pixels) =>
  sharp(bytes, { failOn: 'error', limitInputPixels });

/** Decodes a format that sharp cannot read to a PNG. */
type DecodeHeic = (source: Buffer) => Promise<{ png: Buffer; images: number }>;

/** Without `decodeHeic`, HEIC files are refused: only the decoding process has the decoder. */
export async function readPicture(source: Buffer, decodeHeic?: DecodeHeic): Promise<Picture> {
  const sniffed = sniff(source);
  if ('reason' in sniffed) throw new PictureRefused(sniffed.reason);
  if (sniffed.format === 'heic') return readHeic(source, decodeHeic);
  const header = await readHeader(source);
  try {
    const upright = await bake(source, sniffed.format, header);
    return { ...upright, ...(await miniatures(upright)) };
  } catch (error) {
    if (error instanceof PictureRefused) throw error;
    throw new PictureRefused(`The picture is damaged or cut off (${firstLine(error)}).`);
  }
}

async function readHeic(source: Buffer, decodeHeic?: DecodeHeic): Promise<Picture> {
  if (!decodeHeic) throw new PictureRefused('HEIC is not read in this process.');
  const { png, images } = await decodeHeic(source).catch((error) => {
    if (error instanceof PictureRefused) throw error;
    throw new PictureRefused(`The picture is damaged or cut off (${firstLine(error)}).`);
  });
  const picture = await readPicture(png);
  const frames = images > 1 ? [`main picture of ${images}`] : [];
  return { ...picture, notes: ['converted from HEIC', ...frames, ...picture.notes] };
}

/** Reads no pixels: what the header says decides whether any will be. */
async function readHeader(source: Buffer): Promise<Metadata> {
  const header = await open(source, false)
    .metadata()
    .catch((error) => {
      throw new PictureRefused(`The header of the picture cannot be read (${firstLine(error)}).`);
    });
  const { width, height, depth, channels } = header;
  if (width * height > limits.pixels) {
    const megapixels = limits.pixels / 1_000_000;
    throw new PictureRefused(
      `${width} × ${height} pixels are more than the ${megapixels} megapixels allowed.`,
    );
  }
  if (depth !== 'uchar' && depth !== 'ushort')
    throw new PictureRefused(
      `Pixels of type "${depth}" have no one rendering: save as 8 or 16 bits per channel.`,
    );
  if (channels > 5) throw new PictureRefused(`${channels} channels are not a colour picture.`);
  return header;
}

type Baked = CodedPicture & { notes: string[] };

async function bake(source: Buffer, format: PictureFormat, header: Metadata): Promise<Baked> {
  const notes = await changesTo(source, format, header);
  const clean = notes.length === 0 ? withoutMetadata(source, format) : null;
  const frames = format === 'png' ? countPngFrames(source) : 1;
  if (frames > 1) notes.push(`first frame of ${frames}`);
  if (clean) {
    if (clean.removed.length > 0) notes.push(`metadata removed (${clean.removed.join(', ')})`);
    const { width, height } = header;
    return { bytes: clean.bytes, mediaType: `image/${format}`, width, height, notes };
  }
  if (notes.length === 0) notes.push(`converted from ${format.toUpperCase()}`);
  const pipeline = open(source).autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb');
  // A JPEG that must be coded again keeps its full colour resolution; everything else stays lossless.
  const coded =
    format === 'jpeg' ? pipeline.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }) : pipeline.png();
  const { data, info } = await coded.toBuffer({ resolveWithObject: true });
  return { bytes: data, mediaType: `image/${info.format}`, width: info.width, height: info.height, notes };
}

/** What is done to the pixels, in words; nothing for a file whose pixels may stay as they are. */
async function changesTo(source: Buffer, format: PictureFormat, header: Metadata): Promise<string[]> {
  const notes: string[] = [];
  if ((header.orientation ?? 1) > 1) notes.push('turned upright');
  if ((header.pages ?? 1) > 1) notes.push(`first ${format === 'tiff' ? 'page' : 'frame'} of ${header.pages}`);
  if (header.space === 'cmyk') notes.push('converted from CMYK');
  else if (header.icc && !isStandardProfile(header.icc)) notes.push('converted to sRGB');
  if (header.depth === 'ushort') notes.push('reduced from 16 to 8 bits');
  if (header.hasAlpha) {
    const isOpaque = (await open(source).stats()).isOpaque;
    notes.push(isOpaque ? 'empty transparency removed' : 'transparency filled with white');
  }
  return notes;
}

function withoutMetadata(source: Buffer, format: PictureFormat) {
  if (format === 'jpeg') return stripJpeg(source);
  if (format === 'png') return stripPng(source);
  return null;
}

/** Profiles say what they are in plain or in two-byte text; leaving out sRGB changes no colour. */
function isStandardProfile(profile: Buffer): boolean {
  return profile.includes('sRGB', 0, 'latin1') || profile.includes(Buffer.from('sRGB', 'utf16le').swap16());
}

/** One decoding serves the thumbnail and the hash, and proves that the picture is whole. */
async function miniatures(
  picture: Baked,
): Promise<Pick<Picture, 'perceptualHash' | 'thumbnail' | 'working'>> {
  const small = await open(picture.bytes)
    .resize(thumbnailSide, thumbnailSide, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = small.info;
  const raw = () => sharp(small.data, { raw: { width, height, channels } });
  const grey = await raw().resize(hashWidth, hashHeight, { fit: 'fill' }).greyscale().raw().toBuffer();
  const webp = await raw().webp({ quality: 80 }).toBuffer();
  return {
    perceptualHash: differenceHash(grey),
    thumbnail: { bytes: webp, mediaType: 'image/webp', width, height },
    working: await workingCopy(picture),
  };
}

async function workingCopy(picture: Baked): Promise<CodedPicture | null> {
  if (Math.max(picture.width, picture.height) <= workingSide) return null;
  const { data, info } = await open(picture.bytes)
    .resize(workingSide, workingSide, { fit: 'inside' })
    .jpeg({ quality: 90 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, mediaType: 'image/jpeg', width: info.width, height: info.height };
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.trim() ?? '';

const pictureFormats = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const;
type PictureFormat = (typeof pictureFormats)[number];

type Sniffed = { format: PictureFormat | 'heic' } | { reason: string };

const supported = 'Use JPEG, PNG, WebP, TIFF, GIF, AVIF or HEIC.';
const no = (what: string): Sniffed => ({ reason: `${what} ${supported}` });

/** What a file is, by its first bytes; its name has no say. */
export function sniff(bytes: Uint8Array): Sniffed {
  if (bytes.byteLength === 0) return { reason: 'The file is empty.' };
  const ascii = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  const at = (text: string, offset = 0) => ascii.startsWith(text, offset);

  if (at('\xff\xd8\xff')) return { format: 'jpeg' };
  if (at('\x89PNG\r\n\x1a\n')) return { format: 'png' };
  if (at('RIFF') && at('WEBP', 8)) return { format: 'webp' };
  if (at('GIF87a') || at('GIF89a')) return { format: 'gif' };
  if (at('II*\0') || at('MM\0*') || at('II+\0') || at('MM\0+')) return { format: 'tiff' };
  if (at('ftyp', 4)) return sniffBoxed(bytes, ascii);

  if (at('PK\x03\x04') || at('PK\x05\x06')) return no('This is a ZIP archive with another ending.');
  if (at('%PDF')) return no('PDF documents are not pictures.');
  if (at('BM')) return no('BMP is not supported.');
  if (at('8BPS')) return no('Photoshop files are not supported.');
  const text = ascii
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase();
  if (/^(<\?xml.*)?(<!doctype svg|<svg)/s.test(text)) return no('SVG is not accepted: it can carry scripts.');
  if (/^<(!doctype html|html|head|body|script)/.test(text)) return no('This is a web page, not a picture.');
  return no(describeLabelFile(bytes, ascii, text) ?? 'This is not a picture.');
}

/** Larger files are not parsed for a message. */
const MAX_PARSED_BYTES = 64 * 1024 * 1024;

/** Label files, which belong to a dataset and are none by themselves. */
function describeLabelFile(bytes: Uint8Array, ascii: string, text: string): string | null {
  if (ascii.startsWith('MATLAB 7.3') || ascii.startsWith('\x89HDF'))
    return 'This is a MATLAB 7.3 file (HDF5), not a picture.';
  if (ascii.startsWith('MATLAB 5')) return 'This is a MATLAB file, not a picture.';
  if (text.startsWith('<?xml')) return 'This is an XML file, not a picture.';
  if (!/^[{[]/.test(text) || bytes.byteLength > MAX_PARSED_BYTES) return null;
  const json = new TextDecoder().decode(bytes);
  try {
    JSON.parse(json);
    return 'This is a JSON file of no known dataset format.';
  } catch (error) {
    return `This is ${describeJsonError(json, error)}.`;
  }
}

/** ISO base media files name what they are compatible with in their first box. */
function sniffBoxed(bytes: Uint8Array, ascii: string): Sniffed {
  const size = Buffer.from(bytes.subarray(0, 4)).readUInt32BE(0);
  const brands = ascii.slice(8, Math.min(size, 128));
  if (brands.includes('avif') || brands.includes('avis')) return { format: 'avif' };
  if (/hei[cxms]|hev[cxms]/.test(brands)) return { format: 'heic' };
  return no('This is a video or another media file.');
}

const hashWidth = 9;
const hashHeight = 8;

/**
 * Difference hash: each bit says whether brightness grows from a cell of a 9 × 8 miniature to its right
 * neighbour. As a signed 64-bit integer, which is what PostgreSQL stores.
 */
function differenceHash(grey: Uint8Array): bigint {
  let bits = 0n;
  for (let y = 0; y < hashHeight; y++) {
    for (let x = 0; x < hashWidth - 1; x++) {
      const left = grey[y * hashWidth + x] ?? 0;
      const right = grey[y * hashWidth + x + 1] ?? 0;
      bits = (bits << 1n) | (right > left ? 1n : 0n);
    }
  }
  return BigInt.asIntN(64, bits);
}
