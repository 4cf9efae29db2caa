import { afterAll, describe, expect, it } from 'vitest';
import { createPicturePool } from '@/lib/services/images/ingest/picture-pool';
import { jpeg, scene } from './support/files';

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
