import { describe, expect, it } from 'vitest';
import { cleanLabel, endingOf, isSystemFile, uniqueLabel } from '@/lib/services/images/ingest/label';
import { jpeg, zip } from './files';
import { addsUp, useIngest } from './story';

const { ingest } = useIngest();

describe('a table', () => {
  const table =
    'file,class,wnid,group,photographer\n1.jpg,Cat,,roll-1,Ada\n2.jpg,,n02084071,,\n3.jpg,zebra,,,\n9.jpg,cat,,,\n';

  it('names class, wnid and group, keeps other columns, and may come last', async () => {
    const files = {
      '1.jpg': await jpeg(1),
      '2.jpg': await jpeg(2),
      '3.jpg': await jpeg(3),
      'list.csv': table,
    };
    const result = await ingest(files);
    const [first] = result.images.filter((image) => image.name === '1.jpg');
    expect(first).toMatchObject({ className: 'cat', groupKey: 'roll-1', columns: { photographer: 'Ada' } });
    expect(result.classes).toEqual({ '1.jpg': 'cat', '2.jpg': 'dog', '3.jpg': null });
    expect(result.images.find((image) => image.name === '3.jpg')?.notes).toEqual([
      '"zebra" is not a class of the schema',
    ]);
    expect(result.fate['list.csv']).toBe('accepted: Table of 4 rows.');
    expect(result.lines).toEqual(['1 row of the tables names a file that nobody sent: 9.jpg.']);
  });

  it('with unknown classes: their pictures are refused when that is wanted', async () => {
    const archive = await zip({ 'list.csv': table, 'x/1.jpg': await jpeg(1), 'x/3.jpg': await jpeg(3) });
    const result = await ingest(
      { 'set.zip': archive, 'loose.jpg': await jpeg(7) },
      { unknownClass: 'refuse' },
    );
    expect(result.fate['set.zip/x/1.jpg']).toBe('accepted');
    expect(result.fate['set.zip/x/3.jpg']).toBe('refused: No class: "zebra" is not a class of the schema.');
    expect(result.fate['loose.jpg']).toMatch(/neither a folder nor a table/);
    expect(addsUp(result.counts)).toBe(true);
  });

  it('without a column for the file is refused, and the pictures come in all the same', async () => {
    const result = await ingest({ 'list.csv': 'colour,class\nred,cat\n', '1.jpg': await jpeg(1) });
    expect(result.fate['list.csv']).toMatch(/refused: The table has no column for the file/);
    expect(result.fate['1.jpg']).toBe('accepted');
  });

  it('from a spreadsheet comes with a byte-order mark, semicolons and commas within cells', async () => {
    const table = '\ufefffile;class;remark\r\n1.jpg;Cat;"small, grey"\r\n2.jpg;Dog;old, brown\r\n';
    const result = await ingest({ 'l.csv': table, '1.jpg': await jpeg(1), '2.jpg': await jpeg(2) });
    expect(result.classes).toEqual({ '1.jpg': 'cat', '2.jpg': 'dog' });
    const remarks = result.images.map((image) => image.columns.remark).sort();
    expect(remarks).toEqual(['old, brown', 'small, grey']);
    expect(addsUp(result.counts)).toBe(true);
  });

  it('with the same row twice means it once, and names of files that nobody sent are told', async () => {
    const rows = Array.from({ length: 25 }, (_, n) => `gone-${n}.jpg,cat`);
    const table = ['name,class', '1.jpg,cat', '1.jpg,cat', ...rows].join('\n');
    const result = await ingest({ 'l.csv': table, '1.jpg': await jpeg(1) });
    expect(result.fate['1.jpg']).toBe('accepted');
    expect(result.lines[0]).toMatch(
      /^25 rows of the tables name files that nobody sent: gone-0.jpg, .* and 5 more\.$/,
    );
  });

  it('with two rows for one file that differ leaves that file out', async () => {
    const result = await ingest({ 'l.csv': 'name,class\n1.jpg,cat\n1.jpg,dog\n', '1.jpg': await jpeg(1) });
    expect(result.fate['1.jpg']).toBe('refused: The table has several rows for this file.');
  });
});

describe('a label', () => {
  it.each([
    ['cats/1.jpg', 'cats/1.jpg'],
    ['../../etc/passwd', 'etc/passwd'],
    ['/absolute/path.png', 'absolute/path.png'],
    ['C:\\Users\\me\\cat.jpg', 'Users/me/cat.jpg'],
    ['..\\..\\evil.jpg', 'evil.jpg'],
    ['a//b/./c.jpg', 'a/b/c.jpg'],
    ['null\0byte.jpg', 'nullbyte.jpg'],
    ['gpj.\u202etac.jpg', 'gpj.tac.jpg'],
    ['half \ud800 a character.jpg', 'half  a character.jpg'],
    ['', 'unnamed'],
    ['../..', 'unnamed'],
    ['cafe\u0301.jpg', 'café.jpg'],
  ])('of %j is %j', (name, label) => {
    expect(cleanLabel(name)).toBe(label);
  });

  it('is never longer than a page can show, and keeps its ending', () => {
    const label = cleanLabel(`${'x'.repeat(5000)}.jpeg`);
    expect(label.length).toBeLessThanOrEqual(120);
    expect(label.endsWith('….jpeg')).toBe(true);
    expect(
      cleanLabel(Array.from({ length: 50 }, () => 'y'.repeat(100)).join('/')).length,
    ).toBeLessThanOrEqual(500);
  });

  it('gets a number where it is taken', () => {
    const taken = new Set(['a/cat.jpg', 'a/cat (2).jpg', 'plain']);
    expect(uniqueLabel('a/cat.jpg', taken)).toBe('a/cat (3).jpg');
    expect(uniqueLabel('plain', taken)).toBe('plain (2)');
    expect(uniqueLabel('free.png', taken)).toBe('free.png');
  });

  it('tells litter from files', () => {
    expect(
      ['.DS_Store', 'a/.DS_Store', '__MACOSX/a/b.jpg', 'a/._b.jpg', 'Thumbs.db'].every(isSystemFile),
    ).toBe(true);
    expect(['a.jpg', 'DS_Store.png', 'MACOSX/a.jpg'].some(isSystemFile)).toBe(false);
    expect([endingOf('A.ZIP'), endingOf('a.b/c'), endingOf('none')]).toEqual(['zip', '', '']);
  });
});
