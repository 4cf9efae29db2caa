import { describe, expect, it } from 'vitest';
import {
  claimSizes,
  jpeg,
  manyEntries,
  markEncrypted,
  quotingZip,
  renameInZip,
  shareBytes,
  zip,
} from './files';
import { addsUp, useIngest } from './story';

const { ingest } = useIngest();

describe('an archive', () => {
  it('unfolds into classes by folder, without litter and without paths', async () => {
    const archive = renameInZip(
      await zip({
        'train/cat/1.jpg': await jpeg(1),
        'train/n02084071/2.jpg': await jpeg(2),
        'up1/up2/up3/evil.jpg': await jpeg(3),
        'train/Dog/3.jpg': await jpeg(4),
        'n02123045_77.jpg': await jpeg(5),
        '__MACOSX/train/._1.jpg': 'litter',
        'train/.DS_Store': 'litter',
        'readme.txt': 'words',
      }),
      'up1/up2/up3/evil.jpg',
      '../../../../evil.jpg',
    );
    const result = await ingest({ 'pets.zip': archive });
    expect(result.classes).toEqual({
      'pets.zip/train/cat/1.jpg': 'cat',
      'pets.zip/train/n02084071/2.jpg': 'dog',
      'pets.zip/evil.jpg': null,
      'pets.zip/train/Dog/3.jpg': 'dog',
      'pets.zip/n02123045_77.jpg': 'cat',
    });
    expect(result.fate['pets.zip']).toBe('accepted: Archive of 6 files, 2 system files passed over.');
    expect(result.counts).toMatchObject({ files: 7, accepted: 5, refused: 1, opened: 1 });
    expect(addsUp(result.counts)).toBe(true);
  });

  it('that is a bomb does not go off, and its sound pictures still come in', async () => {
    const result = await ingest({
      'bomb.zip': await zip({ 'zeros.png': Buffer.alloc(50_000_000), 'cat/ok.jpg': await jpeg(1) }),
    });
    expect(result.fate['bomb.zip/zeros.png']).toMatch(/more than 200 times its packed size/);
    expect(result.fate['bomb.zip/cat/ok.jpg']).toBe('accepted');
    expect(addsUp(result.counts)).toBe(true);
  });

  it('that would fill the disk, has too many entries or overlapping ones is refused as a whole', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}.png`, 'x'.repeat(40)]));
    const result = await ingest({
      'terabytes.zip': claimSizes(await zip(many), { unpacked: 0xfffffff0 }),
      'overlapping.zip': claimSizes(await zip(many), { packed: 5000 }),
      'entries.zip': manyEntries(5_000_000),
      'fine.jpg': await jpeg(1),
    });
    expect(result.fate['terabytes.zip']).toBe('refused: The archive unpacks to more than 200 GB.');
    expect(result.fate['overlapping.zip']).toBe('refused: Entries of the archive overlap each other.');
    expect(result.fate['entries.zip']).toBe('refused: The archive has 5000000 entries; 200000 are allowed.');
    expect(result.fate['fine.jpg']).toBe('accepted');
    expect(addsUp(result.counts)).toBe(true);
  });

  it('whose entries share bytes was unpacked, unless their sizes together exceeded the file', async () => {
    const [one, two] = [await jpeg(1), await jpeg(2)];
    const result = await ingest({
      'same-bytes.zip': shareBytes(await zip({ 'a.jpg': one, 'b.jpg': one, 'c.jpg': one })),
      'quoting.zip': quotingZip(two),
      'side-by-side.zip': await zip({
        'cat/a.jpg': one,
        'dog/b.jpg': two,
        'empty.txt': '',
        'also-empty.txt': '',
      }),
    });
    const refused = 'refused: Entries of the archive overlap each other.';
    expect(result.fate['same-bytes.zip']).toBe(refused);
    expect(result.fate['quoting.zip']).toBe(refused);
    expect(result.fate['side-by-side.zip/cat/a.jpg']).toBe('accepted');
    expect(result.fate['side-by-side.zip/dog/b.jpg']).toBe('accepted');
    expect(addsUp(result.counts)).toBe(true);
  });

  it('that lies about the size of an entry loses that entry only', async () => {
    const files = { 'lie.png': Buffer.alloc(100_000, 7), 'cat/ok.jpg': await jpeg(1) };
    const archive = claimSizes(await zip(files), { unpacked: 1000 }, 'lie.png');
    const result = await ingest({ 'liar.zip': archive });
    expect(result.fate['liar.zip/lie.png']).toMatch(/^refused: /);
    expect(result.fate['liar.zip/cat/ok.jpg']).toBe('accepted');
    expect(addsUp(result.counts)).toBe(true);
  });

  it('that is encrypted, or holds another archive, is told so', async () => {
    const inner = await zip({ 'a.jpg': await jpeg(1) });
    const result = await ingest({
      'locked.zip': markEncrypted(inner),
      'nested.zip': await zip({ 'inner.zip': inner }),
    });
    expect(result.fate['locked.zip/a.jpg']).toBe('refused: The entry is encrypted.');
    expect(result.fate['nested.zip/inner.zip']).toMatch(/archive within an archive/);
    expect(addsUp(result.counts)).toBe(true);
  });

  it('may name two entries alike', async () => {
    const archive = await zip({ 'a.jpg': await jpeg(1), 'b.jpg': await jpeg(2) });
    const result = await ingest({ 'twice.zip': renameInZip(archive, 'b.jpg', 'a.jpg') });
    expect(Object.keys(result.fate).sort()).toEqual(['twice.zip', 'twice.zip/a (2).jpg', 'twice.zip/a.jpg']);
    expect(result.counts).toMatchObject({ accepted: 2 });
  });
});
