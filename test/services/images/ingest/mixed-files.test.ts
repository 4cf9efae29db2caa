import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { hugePng, jpeg, png, scene } from './support/files';
import { addsUp, useIngest } from './support/story';

const { db, ingest } = useIngest();

describe('a mixed bag of files', () => {
  let result: Awaited<ReturnType<typeof ingest>>;

  beforeAll(async () => {
    result = await ingest({
      'good.jpg': await jpeg(1),
      'page.jpg': '<!DOCTYPE html><script>alert(1)</script>',
      'cut.jpg': (await scene(400, 300).jpeg().toBuffer()).subarray(0, 3000),
      'huge.png': hugePng(20_000, 10_000),
      'empty.png': '',
      'cmyk.jpg': await scene(64, 48, 2).toColourspace('cmyk').jpeg().toBuffer(),
      'deep.png': await scene(64, 48, 3).toColourspace('rgb16').png().toBuffer(),
      'turned.jpg': await scene(64, 48, 4).withMetadata({ orientation: 3 }).jpeg().toBuffer(),
      '../../../etc/cron.d/evil.png': await png(5),
      '.DS_Store': 'litter',
      'notes.txt': 'remember the milk',
      'broken.zip': 'PK\x03\x04 not really',
    });
  });

  it('gives every file an end, and the counts add up', () => {
    expect(addsUp(result.counts)).toBe(true);
    expect(result.counts).toMatchObject({ files: 11, accepted: 5, duplicate: 0, refused: 6, opened: 0 });
  });

  it('takes in what is sound and says what was done to it', () => {
    const notes = Object.fromEntries(result.images.map((image) => [image.name, image.notes]));
    expect(notes).toEqual({
      'cmyk.jpg': ['converted from CMYK'],
      'deep.png': ['reduced from 16 to 8 bits'],
      'etc/cron.d/evil.png': [],
      'good.jpg': [],
      'turned.jpg': ['turned upright'],
    });
  });

  it('gives a reason for every file it does not take', () => {
    expect(result.fate['page.jpg']).toMatch(/refused: This is a web page/);
    expect(result.fate['cut.jpg']).toMatch(/refused: The picture is damaged or cut off/);
    expect(result.fate['huge.png']).toMatch(/refused: 20000 × 10000 pixels/);
    expect(result.fate['empty.png']).toBe('refused: The file is empty.');
    expect(result.fate['notes.txt']).toMatch(/refused: This is not a picture/);
    expect(result.fate['broken.zip']).toMatch(/refused: This is not a whole ZIP archive/);
    expect(result.fate).not.toHaveProperty('.DS_Store');
  });

  it('keeps no file as it was sent: only pictures stay referred to', async () => {
    const rows = await db()
      .select()
      .from(tables.uploadFiles)
      .where(eq(tables.uploadFiles.uploadId, result.counts.uploadId));
    expect(rows.filter((row) => row.blob !== null)).toEqual([]);
  });
});
