import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { stripJpeg } from '@/lib/services/images/ingest/picture-metadata';
import { createPicturePool } from '@/lib/services/images/ingest/picture-pool';
import { readPicture } from '@/lib/services/images/ingest/read-picture';
import { floatTiff, hugePng, jpeg, png, pngChunk, scene } from './files';

const pixelAt = async (bytes: Buffer, left: number, top: number) => [
  ...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
];
const rawOf = (bytes: Buffer) => sharp(bytes).raw().toBuffer();

describe('a clean file', () => {
  it.each([
    ['JPEG', jpeg],
    ['PNG', png],
  ])('%s is kept byte for byte', async (_, make) => {
    const source = await make();
    const picture = await readPicture(source);
    expect(picture.bytes.equals(source)).toBe(true);
    expect(picture).toMatchObject({ width: 64, height: 48, notes: [], working: null });
  });

  it('gets a thumbnail and a hash that a copy of it in another size shares', async () => {
    const large = await readPicture(await scene(900, 700).png().toBuffer());
    const small = await readPicture(await scene(900, 700).resize(450).jpeg().toBuffer());
    expect(large.thumbnail).toMatchObject({ width: 320, height: 249, mediaType: 'image/webp' });
    const differing = BigInt.asUintN(64, large.perceptualHash ^ small.perceptualHash);
    expect(differing.toString(2).replaceAll('0', '').length).toBeLessThanOrEqual(3);
  });

  it('gets a working copy when it is larger than 4096 pixels', async () => {
    const picture = await readPicture(await scene(5000, 1000).png().toBuffer());
    expect(picture.working).toMatchObject({ width: 4096, height: 819, mediaType: 'image/jpeg' });
    expect(picture).toMatchObject({ width: 5000, height: 1000 });
  });
});

describe('metadata', () => {
  it('goes, while the coded pixels of a JPEG stay as they are', async () => {
    const gps = { IFD0: { Make: 'Secret' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } };
    const source = await scene().withExif(gps).jpeg().toBuffer();
    const picture = await readPicture(source);
    expect(picture.notes).toEqual(['metadata removed (EXIF)']);
    expect((await sharp(picture.bytes).metadata()).exif).toBeUndefined();
    expect((await rawOf(picture.bytes)).equals(await rawOf(source))).toBe(true);
  });

  it('goes from a PNG as well, text and trailing bytes included', async () => {
    const plain = await png();
    const withText = Buffer.concat([
      plain.subarray(0, 33),
      pngChunk('tEXt', Buffer.from('Author\0somebody')),
      plain.subarray(33),
      Buffer.from('<script>hidden</script>'),
    ]);
    const picture = await readPicture(withText);
    expect(picture.bytes.equals(plain)).toBe(true);
    expect(picture.notes).toEqual(['metadata removed (text, data after the end of the picture)']);
  });

  it('goes from a progressive JPEG with a comment', async () => {
    const source = await scene().jpeg({ progressive: true }).toBuffer();
    const comment = Buffer.from([0xff, 0xfe, 0x00, 0x06, 0x6f, 0x6f, 0x70, 0x73]);
    const stripped = stripJpeg(Buffer.concat([source.subarray(0, 2), comment, source.subarray(2)]));
    expect(stripped?.removed).toEqual(['comment']);
    expect(stripped?.bytes.equals(source)).toBe(true);
  });
});

describe('an odd file is brought into shape', () => {
  it('rotated by EXIF: turned upright', async () => {
    const picture = await readPicture(await scene().withMetadata({ orientation: 6 }).jpeg().toBuffer());
    expect(picture).toMatchObject({ width: 48, height: 64, notes: ['turned upright'] });
    // The dark quarter was upper left; a quarter turn clockwise brings it to the upper right.
    const [left] = await pixelAt(picture.bytes, 5, 5);
    const [right] = await pixelAt(picture.bytes, 42, 5);
    expect(left).toBeGreaterThan(150);
    expect(right).toBeLessThan(60);
    expect((await sharp(picture.bytes).metadata()).orientation).toBeUndefined();
  });

  it('CMYK: converted', async () => {
    const picture = await readPicture(await scene().toColourspace('cmyk').jpeg().toBuffer());
    expect(picture.notes).toEqual(['converted from CMYK']);
    expect((await sharp(picture.bytes).metadata()).space).toBe('srgb');
  });

  it.each([
    ['PNG', () => scene().toColourspace('rgb16').png().toBuffer()],
    ['TIFF', () => scene().toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer()],
  ])('16-bit %s: reduced to 8 bits', async (_, make) => {
    const source = await make();
    expect((await sharp(source).metadata()).depth).toBe('ushort');
    const picture = await readPicture(source);
    expect(picture.notes).toContain('reduced from 16 to 8 bits');
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ depth: 'uchar', format: 'png' });
    expect(await pixelAt(picture.bytes, 5, 5)).toEqual([20, 30, 40]);
  });

  it.each(['gif', 'webp'] as const)('animated %s: its first frame', async (format) => {
    const frames = await Promise.all([scene(), scene(64, 48, 3)].map((frame) => frame.raw().toBuffer()));
    const source = await sharp(Buffer.concat(frames), {
      raw: { width: 64, height: 96, channels: 3, pageHeight: 48 },
    })
      .toFormat(format)
      .toBuffer();
    const picture = await readPicture(source);
    expect(picture).toMatchObject({ width: 64, height: 48, mediaType: 'image/png' });
    expect(picture.notes).toContain('first frame of 2');
  });

  it('transparent: filled with white', async () => {
    const clear = sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } },
    });
    const picture = await readPicture(await clear.png().toBuffer());
    expect(picture.notes).toEqual(['transparency filled with white']);
    expect(await pixelAt(picture.bytes, 4, 4)).toEqual([255, 255, 255]);
    expect((await sharp(picture.bytes).metadata()).hasAlpha).toBe(false);
  });

  it('of another format: converted without loss', async () => {
    const source = await scene().avif({ lossless: true }).toBuffer();
    const picture = await readPicture(source);
    expect(picture).toMatchObject({ mediaType: 'image/png', notes: ['converted from AVIF'] });
  });
});

describe('a hostile or broken file is refused', () => {
  const refusal = (bytes: Buffer) =>
    readPicture(bytes).then(
      () => 'accepted',
      (error: Error) => `${error.name}: ${error.message}`,
    );

  it.each([
    ['a web page', '<!DOCTYPE html><script>alert(1)</script>', /web page/],
    ['an SVG', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', /SVG is not accepted/],
    ['a PDF', '%PDF-1.7', /PDF/],
    ['a text', 'just words', /not a picture/],
    ['nothing', '', /empty/],
    ['a BMP', 'BM6\0\0\0', /BMP/],
    ['an archive', 'PK\x03\x04', /ZIP archive with another ending/],
    ['a JPEG that is only a beginning', '\xff\xd8\xff\xe0', /header|damaged/],
  ])('%s', async (_, content, reason) => {
    expect(await refusal(Buffer.from(content, 'latin1'))).toMatch(reason);
  });

  it('200 megapixels, by the header alone', async () => {
    expect(await refusal(hugePng(20_000, 10_000))).toMatch(/20000 × 10000 pixels .* 100 megapixels/);
  });

  it.each(['jpeg', 'png', 'webp', 'tiff', 'gif'] as const)('a cut off %s', async (format) => {
    const whole = await scene(400, 300, 2).toFormat(format).toBuffer();
    expect(await refusal(whole.subarray(0, Math.floor(whole.length * 0.6)))).toMatch(
      /PictureRefused: The (picture|header)/,
    );
  });

  it('32-bit floating-point pixels', async () => {
    expect(await refusal(floatTiff())).toMatch(/type "float"/);
  });
});

const pool = createPicturePool(1);
afterAll(() => pool.close());

describe('the decoding processes', () => {
  it('read pictures as this process would', async () => {
    const source = await jpeg(1);
    const picture = await pool.read(source);
    expect(picture).toMatchObject({ width: 64, height: 48, notes: [] });
    expect(typeof picture.perceptualHash).toBe('bigint');
    expect(Buffer.from(picture.bytes).equals(source)).toBe(true);
  });

  it('answer each of many who ask at once with their own picture', async () => {
    const sizes = [30, 40, 50, 60, 70];
    const sources = await Promise.all(sizes.map((side) => scene(side, side).png().toBuffer()));
    const pictures = await Promise.all(sources.map((source) => pool.read(source)));
    expect(pictures.map((picture) => picture.width)).toEqual(sizes);
  });

  const heic = (name: string) => readFile(`test/fixtures/heic/${name}.heic`);

  it('read HEIC, which another program made', async () => {
    const picture = await pool.read(await heic('plain'));
    expect(picture).toMatchObject({
      width: 48,
      height: 32,
      mediaType: 'image/png',
      notes: ['converted from HEIC'],
    });
    const corners = [await pixelAt(picture.bytes, 2, 2), await pixelAt(picture.bytes, 45, 29)];
    expect(corners.flat().map((value) => Math.round(value / 10) * 10)).toEqual([220, 200, 60, 20, 30, 60]);
  });

  it('turn HEIC as its rotation says', async () => {
    const picture = await pool.read(await heic('rotated'));
    expect(picture).toMatchObject({ width: 32, height: 48 });
    // The upper right corner became the upper left one.
    const [red = 0, green = 0] = await pixelAt(picture.bytes, 2, 2);
    expect(red).toBeLessThan(40);
    expect(green).toBeGreaterThan(180);
  });

  it('convert the colour profile of HEIC to sRGB', async () => {
    const picture = await pool.read(await heic('display-p3'));
    expect(picture.notes).toEqual(['converted from HEIC', 'converted to sRGB']);
    const [red = 0, green = 0, blue = 0] = await pixelAt(picture.bytes, 2, 2);
    expect(Math.max(Math.abs(red - 220), Math.abs(green - 200), Math.abs(blue - 60))).toBeLessThan(6);
  });

  it('refuse HEIC that is cut off, and HEIC outside of them', async () => {
    const whole = await heic('plain');
    await expect(pool.read(whole.subarray(0, 500))).rejects.toThrow(/PictureRefused|damaged/);
    await expect(pool.read(whole.subarray(0, 300))).rejects.toThrow(/damaged/);
    await expect(readPicture(whole)).rejects.toThrow('not read in this process');
  });

  it('pass a refusal on in its own words', async () => {
    await expect(pool.read(Buffer.from('words'))).rejects.toThrow(/This is not a picture/);
  });

  it('take nothing but the picture at hand with them when they die', async () => {
    const large = pool.read(await scene(3000, 3000).png().toBuffer());
    const next = pool.read(await jpeg(2));
    pool.close();
    await expect(large).rejects.toThrow(/crashed the decoder/);
    expect(await next).toMatchObject({ width: 64 });
  });
});
