import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { crc32, fromBase64, toBase64 } from '@/lib/core/formats/codecs/bytes';
import { readCsv } from '@/lib/core/formats/codecs/csv';
import { decodeMat, encodeMat, type MatValue } from '@/lib/core/formats/codecs/mat5';
import { decodeNpy, encodeNpy } from '@/lib/core/formats/codecs/npy';
import { paintMap } from '@/lib/core/formats/codecs/paint';
import { decodePickle, encodePickle } from '@/lib/core/formats/codecs/pickle';
import { decodeTiff, encodeTiff } from '@/lib/core/formats/codecs/tiff';
import { escapeXml, readXml } from '@/lib/core/formats/codecs/xml';
import { readYaml } from '@/lib/core/formats/codecs/yaml';
import { fromBitmap, toLabelMap } from '@/lib/core/mask';

const sides = { width: fc.integer({ min: 1, max: 60 }), height: fc.integer({ min: 1, max: 60 }) };

describe('TIFF', () => {
  const image = fc
    .record({ ...sides, seed: fc.nat(10_000), step: fc.integer({ min: 1, max: 50 }), isWide: fc.boolean() })
    .map(({ width, height, seed, step, isWide }) => {
      const values = Array.from({ length: width * height }, (_, i) => Math.floor(i / step) * seed);
      const pixels = isWide
        ? Int32Array.from(values, (value) => (value % 9_999_999) - 1)
        : Uint8Array.from(values);
      return { width, height, pixels };
    });

  it('comes back as it was written, plain, LZW and PackBits, and libtiff sees the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        image,
        fc.constantFrom('none' as const, 'lzw' as const, 'packbits' as const),
        async (given, compression) => {
          const bytes = encodeTiff({ ...given, compression });
          expect(await decodeTiff(bytes)).toEqual(given);
          if (given.pixels instanceof Int32Array) return;
          const seen = await sharp(bytes).extractChannel(0).raw().toBuffer();
          expect(Buffer.compare(seen, given.pixels)).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('fills the LZW table over and over', async () => {
    let state = 1;
    const pixels = Uint8Array.from({ length: 300 * 200 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state >> 8;
    });
    const bytes = encodeTiff({ width: 300, height: 200, pixels, compression: 'lzw' });
    expect((await decodeTiff(bytes)).pixels).toEqual(pixels);
    expect(Buffer.compare(await sharp(bytes).extractChannel(0).raw().toBuffer(), pixels)).toBe(0);
  });

  it('is little-endian, black is zero, 32 bits are signed', () => {
    const bytes = encodeTiff({ width: 2, height: 1, pixels: Int32Array.of(-1, 2_400_102) });
    const view = new DataView(bytes.buffer);
    expect([...bytes.subarray(0, 4)]).toEqual([0x49, 0x49, 42, 0]);
    const directory = view.getUint32(4, true);
    const tags = new Map(
      Array.from({ length: view.getUint16(directory, true) }, (_, i) => [
        view.getUint16(directory + 2 + 12 * i, true),
        view.getUint16(directory + 10 + 12 * i, true),
      ]),
    );
    expect(tags.get(262)).toBe(1);
    expect(tags.get(258)).toBe(32);
    expect(tags.get(339)).toBe(2);
    expect(tags.has(274)).toBe(false);
  });

  it.each(['lzw', 'deflate', 'packbits', 'none'] as const)(
    'is read as libtiff writes it: %s',
    async (compression) => {
      const width = 70;
      const height = 50;
      const pixels = Uint8Array.from({ length: width * height }, (_, i) => ((i >> 4) * 7) % 200);
      for (const [predictor, tile] of [
        ['none', false],
        ['horizontal', true],
      ] as const) {
        const bytes = await sharp(pixels, { raw: { width, height, channels: 1 } })
          .toColourspace('b-w')
          .tiff({ compression, predictor, tile, tileWidth: 32, tileHeight: 16 })
          .toBuffer();
        expect((await decodeTiff(bytes)).pixels).toEqual(pixels);
      }
    },
  );

  it('answers broken files with an error, whatever is broken', async () => {
    const good = encodeTiff({ width: 9, height: 9, pixels: new Int32Array(81).fill(5), compression: 'lzw' });
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), async (at, byte) => {
        const broken = good.slice();
        broken[at] = byte;
        await decodeTiff(broken, 1e6).catch((error: unknown) => {
          expect((error as Error).message).toMatch(/TIFF|LZW|pixels|label map|tag|compressed/);
        });
      }),
      { numRuns: 400 },
    );
  });
});

describe('npy', () => {
  it('comes back as it was written', () => {
    const table = fc
      .record({
        rows: fc.integer({ min: 1, max: 4 }),
        columns: fc.integer({ min: 1, max: 20 }),
        seed: fc.nat(),
      })
      .map(({ rows, columns, seed }) => ({
        shape: [rows, columns],
        values: Array.from({ length: rows * columns }, (_, i) => (i * seed) % 1000),
      }));
    fc.assert(fc.property(table, (array) => void expect(decodeNpy(encodeNpy(array))).toEqual(array)));
  });

  it('begins its numbers at a multiple of 64, as NumPy does', () => {
    const bytes = encodeNpy({ shape: [2, 18], values: Array(36).fill(0) });
    expect(bytes.length).toBe(128 + 36 * 8);
    expect(new TextDecoder().decode(bytes.subarray(10, 70))).toBe(
      "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 18), }",
    );
  });

  it('refuses arrays of objects, which are pickles', () => {
    const text = "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n";
    const bytes = Uint8Array.from([
      0x93,
      ...new TextEncoder().encode('NUMPY'),
      1,
      0,
      text.length,
      0,
      ...new TextEncoder().encode(text),
    ]);
    expect(() => decodeNpy(bytes)).toThrow('not read');
  });
});

describe('pickle', () => {
  it('comes back as it was written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string()), (dict) => {
        expect([...decodePickle(encodePickle(Object.entries(dict)))]).toEqual(Object.entries(dict));
      }),
    );
  });

  it('is read in the protocol of today, with frames and memos', () => {
    // pickle.dumps({'ears': 'aGk='}, protocol=4)
    const bytes = Uint8Array.from([
      0x80, 4, 0x95, 0x13, 0, 0, 0, 0, 0, 0, 0, 0x7d, 0x94, 0x8c, 4, 0x65, 0x61, 0x72, 0x73, 0x94, 0x8c, 4,
      0x61, 0x47, 0x6b, 0x3d, 0x94, 0x73, 0x2e,
    ]);
    expect([...decodePickle(bytes)]).toEqual([['ears', 'aGk=']]);
  });

  it('never runs what a file asks to run', () => {
    const attack = new TextEncoder().encode("cos\nsystem\n(S'echo hello'\ntR.");
    expect(() => decodePickle(attack)).toThrow('not read');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          expect(decodePickle(bytes)).toBeInstanceOf(Map);
        } catch (error) {
          expect((error as Error).message).toMatch(/pickle/);
        }
      }),
    );
  });
});

describe('MATLAB 5', () => {
  const value: MatValue = {
    kind: 'struct',
    rows: 1,
    columns: 2,
    fields: ['class', 'class_ind', 'mask', 'parts'],
    items: ['dog', 'é'].map((name) => ({
      class: { kind: 'text', text: name },
      class_ind: { kind: 'matrix', rows: 1, columns: 1, values: Float64Array.of(12) },
      mask: { kind: 'matrix', rows: 3, columns: 2, values: Uint8Array.of(0, 1, 1, 0, 0, 1), isLogical: true },
      parts: { kind: 'struct', rows: 0, columns: 0, fields: ['part_name', 'mask'], items: [] },
    })),
  };

  it('comes back as it was written, empty structs with their fields', async () => {
    expect((await decodeMat(encodeMat('anno', value))).get('anno')).toEqual(value);
  });

  it('is one compressed element behind a header of 128 bytes', () => {
    const bytes = encodeMat('anno', value);
    const view = new DataView(bytes.buffer);
    expect([...bytes.subarray(124, 128)]).toEqual([0x00, 0x01, 0x49, 0x4d]);
    expect(view.getUint32(128, true)).toBe(15);
    expect(view.getUint32(132, true)).toBe(bytes.length - 136);
    const inner = inflateSync(bytes.subarray(136));
    expect(inner.readUInt32LE(0)).toBe(14);
    expect(inner.readUInt32LE(4)).toBe(inner.length - 8);
    // Field names are as long as the longest and a zero: class_ind, 9 + 1.
    expect(inner.readUInt32LE(48)).toBe((4 << 16) | 5);
    expect(inner.readUInt32LE(52)).toBe(10);
  });

  it('answers broken files with an error, whatever is broken', async () => {
    const good = encodeMat('anno', value);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), async (at, byte) => {
        const broken = good.slice();
        broken[at] = byte;
        await decodeMat(broken).catch((error: unknown) => void expect(error).toBeInstanceOf(Error));
      }),
    );
    await expect(decodeMat(Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'))).rejects.toThrow('-v7');
    const behind = Buffer.concat([
      Buffer.alloc(512, 'MATLAB 7.3 MAT-file '),
      Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'),
    ]);
    await expect(decodeMat(behind)).rejects.toThrow('MATLAB 7.3 file (HDF5)');
  });
});

describe('small codes', () => {
  it('base64 is that of Node, both ways', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect(fromBase64(toBase64(bytes))).toEqual(bytes);
      }),
    );
    expect(() => fromBase64('data:image/png;base64,AA')).toThrow('base64');
  });

  it('crc32 is the one of zip', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });
});

describe('paintMap', () => {
  it('paints what toLabelMap flattens, the last on top', () => {
    const layers = fc.record(sides).chain(({ width, height }) =>
      fc
        .array(fc.uint8Array({ minLength: width * height, maxLength: width * height, max: 1 }), {
          minLength: 1,
          maxLength: 4,
        })
        .map((maps) => maps.map((bytes, i) => ({ mask: fromBitmap(bytes, height, width), value: i + 1 }))),
    );
    fc.assert(
      fc.property(layers, (given) => {
        const { width, height } = (given[0] as (typeof given)[number]).mask;
        const { labels } = toLabelMap(
          given.map(({ mask, value }) => ({ mask, label: value })),
          'last-wins',
        );
        expect(paintMap(given, width, height, 16)).toEqual(labels);
        expect(Array.from(paintMap(given, width, height, 32, -1))).toEqual(
          Array.from(labels, (label) => label || -1),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe('XML', () => {
  it.each([
    ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /DOCTYPE/],
    ['an entity of its own', '<a>&lol;</a>', /no entity/],
    ['a tag that is cut off', '<a b="', /cut off/],
    ['a wrong end', '<a><b></a></b>', /closes nothing/],
    ['no end', '<a><b></b>', /never closed/],
    ['too much within each other', '<a>'.repeat(1000), /more than 64/],
    ['attributes without quotes', '<a b=c></a>', /attributes/],
    ['a character that is none', '<a>&#0;</a>', /no character/],
  ])('with %s is refused', (_, text, why) => {
    expect(() => [...readXml(text)]).toThrow(why);
  });

  it('gives back any text that was escaped', () => {
    for (const text of ['<&>"\'', 'a\n\tb\r', 'ä 犬 🐕', ']]>', '&amp;']) {
      const [open, inside] = [...readXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`)];
      expect(open).toMatchObject({ attributes: { b: text } });
      expect(inside).toMatchObject({ text });
    }
  });
});

it('tables and YAML give back quotes, commas and line ends', () => {
  const csv = 'a,b\r\n"x, ""y""","1\n2"\n\nplain,\n';
  expect([...readCsv(csv)]).toEqual([
    { a: 'x, "y"', b: '1\n2' },
    { a: 'plain', b: '' },
  ]);
  expect(() => [...readCsv('a\n"open')]).toThrow(/Quote Not Closed/);
  const names = { '0': 'a: b', '1': "it's" };
  expect(readYaml("path: . # here\nnames:\n  0: \"a: b\"\n  1: 'it''s'\n")).toMatchObject({
    path: '.',
    names,
  });
  expect(readYaml('names: [dog, "a, b"]\n').names).toEqual(['dog', 'a, b']);
  expect(readYaml('names:\n- dog\n- cat\n').names).toEqual(['dog', 'cat']);
  expect(readYaml('"train": "images/train"\n\'a b\' : c\nno:pair\n')).toEqual({
    train: 'images/train',
    'a b': 'c',
  });
});

it('YAML with a line or a text without end is refused', () => {
  expect(() => readYaml(`a${' '.repeat(300_000)}`)).toThrow(/a line of more than/);
  expect(() => readYaml('a: b\n'.repeat(2_000_000))).toThrow(/larger than 1 MB/);
});
