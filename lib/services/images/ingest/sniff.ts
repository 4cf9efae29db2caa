export const pictureFormats = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export type Sniffed = { format: PictureFormat } | { reason: string };

const supported = 'Use JPEG, PNG, WebP, TIFF, GIF or AVIF.';
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
  return no('This is not a picture.');
}

/** ISO base media files name what they are compatible with in their first box. */
function sniffBoxed(bytes: Uint8Array, ascii: string): Sniffed {
  const size = Buffer.from(bytes.subarray(0, 4)).readUInt32BE(0);
  const brands = ascii.slice(8, Math.min(size, 128));
  if (brands.includes('avif') || brands.includes('avis')) return { format: 'avif' };
  if (/hei[cxms]|hev[cxms]/.test(brands)) return no('HEIC is not supported.');
  return no('This is a video or another media file.');
}
