import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { limits } from '@/lib/core/image-limits';
import { PictureRefused } from './read-picture';

export interface DecodedHeic {
  /** A PNG of 8 bits per channel, upright, with the colour profile of the file. */
  png: Buffer;
  images: number;
}

/**
 * Decodes the primary image of a HEIC file, turned and mirrored as the file says. Only the decoding process may call
 * it: the decoder is WebAssembly, but it can take long and much memory.
 */
export async function decodeHeic(source: Buffer): Promise<DecodedHeic> {
  // Imported with the first file: compiling it takes a second.
  const { default: libheif } = await import('libheif-js/wasm-bundle.js');
  const images = new libheif.HeifDecoder().decode(source);
  try {
    const image = images.find((each) => each.is_primary()) ?? images[0];
    if (!image) throw new PictureRefused('The picture is damaged or cut off (no image could be decoded).');
    const [width, height] = [image.get_width(), image.get_height()];
    if (width * height > limits.pixels)
      throw new PictureRefused(
        `${width} × ${height} pixels are more than the ${limits.pixels / 1_000_000} megapixels allowed.`,
      );
    const data = await decodePixels(image, width, height);
    const raw = sharp(data, { raw: { width, height, channels: 4 } });
    const png = await (image.has_alpha_channel() ? raw : raw.removeAlpha())
      .png({ compressionLevel: 1 })
      .toBuffer();
    const profile = findColourProfile(source);
    return { png: profile ? attachProfile(png, profile) : png, images: images.length };
  } finally {
    for (const image of images) image.free();
  }
}

type HeifImage = ReturnType<
  InstanceType<typeof import('libheif-js/wasm-bundle.js')['default']['HeifDecoder']>['decode']
>[number];

function decodePixels(image: HeifImage, width: number, height: number): Promise<Uint8ClampedArray> {
  const data = new Uint8ClampedArray(width * height * 4);
  return new Promise((resolve, reject) => {
    image.display({ data, width, height }, (result) => {
      if (result) resolve(result.data);
      else reject(new PictureRefused('The picture is damaged or cut off (its pixels cannot be decoded).'));
    });
  });
}

/** Largest colour profile that is read; those of cameras have some hundred bytes. */
const MAX_PROFILE_BYTES = 1024 * 1024;

/** The ICC profile in the first `colr` box. Without one, the colours are sRGB. */
function findColourProfile(source: Buffer): Buffer | null {
  for (let at = source.indexOf('colr', 8, 'latin1'); at >= 4; at = source.indexOf('colr', at + 4, 'latin1')) {
    const size = source.readUInt32BE(at - 4);
    const kind = source.toString('latin1', at + 4, at + 8);
    const isProfile = kind === 'prof' || kind === 'rICC';
    if (!isProfile || size < 12 + 128 || size > MAX_PROFILE_BYTES || at - 4 + size > source.length) continue;
    return source.subarray(at + 8, at - 4 + size);
  }
  return null;
}

/** Length of the PNG signature and its header chunk, after which the profile belongs. */
const HEADER_BYTES = 8 + 25;

function attachProfile(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]);
  const chunk = Buffer.alloc(12 + content.length);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write('iCCP', 4, 'latin1');
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + content.length)), 8 + content.length);
  return Buffer.concat([png.subarray(0, HEADER_BYTES), chunk, png.subarray(HEADER_BYTES)]);
}
