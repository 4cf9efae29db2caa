import { crc32, deflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import type { Rng } from '@/lib/core/robustness/random';
import { tinyOnnx } from '../support/tiny-onnx';
import { hostileTexts } from './hostile';

export interface HostileFile {
  name: string;
  bytes: Buffer;
}

interface ZipEntry {
  name: string | Buffer;
  bytes: Buffer;
  /** What the directory says about the size, when it lies. */
  says?: number;
  flags?: number;
  method?: number;
  /** Shares the bytes of the first entry. */
  isSame?: boolean;
}

/** A ZIP as no honest program writes it. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { bytes, says = bytes.length, flags = 0, method = 8, isSame = false } = entry;
    const name = Buffer.from(entry.name as string);
    const packed = method === 8 ? deflateRawSync(bytes, { level: 9 }) : bytes;
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(flags, 6);
    head.writeUInt16LE(method, 8);
    head.writeUInt32LE(crc32(bytes), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(says, 22);
    head.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 4);
    central.writeUInt16LE(20, 6);
    head.copy(central, 8, 6, 30);
    central.writeUInt32LE(isSame ? 0 : at, 42);
    directory.push(central, name);
    if (isSame) continue;
    parts.push(head, name, packed);
    at += head.length + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}

/** A PNG whose header promises far more pixels than it has. */
async function vastPng(width: number, height: number): Promise<Buffer> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

/** A ZIP in a ZIP in a ZIP. */
const nested = (inner: Buffer, depth: number): Buffer =>
  depth === 0 ? inner : nested(zipOf([{ name: 'in.zip', bytes: inner, method: 0 }]), depth - 1);

function npyOf(type: string, shape: string, data: Buffer): Buffer {
  const described = `{'descr': '${type}', 'fortran_order': False, 'shape': ${shape}, }`;
  const head = `${described.padEnd(117)}\n`;
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00\x76\x00', 'latin1'), Buffer.from(head), data]);
}

/** One entry that says what it likes about its size. */
function tarOf(name: string, size: string, bytes: Buffer): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0);
  head.write('0000644\0', 100);
  head.write(`${size}\0`, 124);
  head.write('ustar\x0000', 257);
  head.fill(' ', 148, 156);
  head.write(
    `${head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return Buffer.concat([head, bytes, Buffer.alloc(512 - (bytes.length % 512))]);
}

/** A Parquet file that is nothing but its footer. */
function footerOf(footer: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')]);
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><image href="file:///etc/passwd"/><script>alert(1)</script></svg>';

/** Files that have brought down or taken over importers. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#4080c0' } });
  const [png, jpeg, webp, gif, tiff] = await Promise.all([
    picture.clone().png().toBuffer(),
    picture.clone().jpeg().toBuffer(),
    picture.clone().webp().toBuffer(),
    picture.clone().gif().toBuffer(),
    picture.clone().tiff().toBuffer(),
  ]);
  const zeros = Buffer.alloc(20_000_000);
  const text = (name: string, content: string): HostileFile => ({ name, bytes: Buffer.from(content) });
  const model = tinyOnnx({
    inputs: { image: ['n', 3, 4, 4] },
    outputs: { logits: ['n', 3, 4, 4] },
    nodes: [{ op: 'Identity', inputs: ['image'], outputs: ['logits'] }],
  });
  const traversing = hostileTexts
    .slice(1)
    .map((name) => ({ name: name.slice(0, 60_000), bytes: png, method: 0 }));
  return [
    { name: 'a.png', bytes: png },
    { name: 'a.jpg', bytes: jpeg },
    { name: 'a.webp', bytes: webp },
    { name: 'a.gif', bytes: gif },
    { name: 'a.tiff', bytes: tiff },
    { name: 'cut.png', bytes: png.subarray(0, png.length - 20) },
    { name: 'cut.jpg', bytes: jpeg.subarray(0, jpeg.length >> 1) },
    { name: 'cut.webp', bytes: webp.subarray(0, 30) },
    { name: 'cut.gif', bytes: gif.subarray(0, gif.length >> 1) },
    { name: 'cut.tiff', bytes: tiff.subarray(0, tiff.length >> 1) },
    { name: 'first.tiff', bytes: tiff.subarray(0, 12) },
    // A directory that is its own next one.
    { name: 'loop.tiff', bytes: Buffer.from('49492a0008000000000008000000', 'hex') },
    { name: 'cut.heic', bytes: Buffer.from('000000186674797068656963000000006d696631', 'hex') },
    { name: 'cut.avif', bytes: Buffer.from('0000001c6674797061766966000000006d69663161766966', 'hex') },
    { name: 'vast.png', bytes: await vastPng(60_000, 60_000) },
    { name: 'vaster.png', bytes: await vastPng(2 ** 31 - 1, 2 ** 31 - 1) },
    { name: 'none.png', bytes: await vastPng(0, 0) },
    { name: 'empty.png', bytes: Buffer.alloc(0) },
    text('page.html', '<script>alert(document.domain)</script>'),
    text('drawing.svg', svg),
    text('drawing.png', svg),
    { name: 'gifar.gif', bytes: Buffer.concat([gif, zipOf([{ name: 'a.html', bytes: Buffer.from(svg) }])]) },
    { name: 'polyglot.jpg', bytes: Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]) },
    { name: 'polyglot.png', bytes: Buffer.concat([Buffer.from('%PDF-1.4\n'), png]) },
    { name: 'bomb.zip', bytes: zipOf([{ name: 'a.png', bytes: zeros }]) },
    { name: 'lying.zip', bytes: zipOf([{ name: 'a.png', bytes: zeros, says: 10 }]) },
    {
      name: 'overlapping.zip',
      bytes: zipOf(Array.from({ length: 500 }, (_, n) => ({ name: `${n}.png`, bytes: png, isSame: n > 0 }))),
    },
    {
      name: 'nested.zip',
      bytes: zipOf([{ name: 'in.zip', bytes: zipOf([{ name: 'a.png', bytes: zeros }]) }]),
    },
    { name: 'russian.zip', bytes: nested(zipOf([{ name: 'a.png', bytes: png }]), 30) },
    {
      name: 'sixty-four.zip',
      bytes: Buffer.concat([
        zipOf([{ name: 'a.png', bytes: png }]),
        Buffer.from('PK\x06\x06\xff\xff\xff\xff', 'latin1'),
      ]),
    },
    {
      name: 'links.zip',
      bytes: zipOf([
        { name: 'images/', bytes: Buffer.alloc(0), method: 0 },
        { name: 'images', bytes: Buffer.from('/etc/passwd'), method: 0 },
        { name: 'images/a.png', bytes: png },
      ]),
    },
    { name: 'climbing.zip', bytes: zipOf(traversing) },
    { name: 'encrypted.zip', bytes: zipOf([{ name: 'a.png', bytes: png, flags: 1 }]) },
    { name: 'strange.zip', bytes: zipOf([{ name: 'a.png', bytes: png, method: 99 }]) },
    { name: 'twice.zip', bytes: zipOf([1, 2, 3].map(() => ({ name: 'a.png', bytes: png }))) },
    { name: 'cut.zip', bytes: zipOf([{ name: 'a.png', bytes: png }]).subarray(0, 60) },
    {
      name: 'many.zip',
      bytes: zipOf(Array.from({ length: 3000 }, (_, n) => ({ name: `${n}.txt`, bytes: Buffer.alloc(0) }))),
    },
    text('table.csv', 'file,class\n"a.png","=cmd|calc!A1"\n"unclosed'),
    text('wide.csv', `${'a,'.repeat(50_000)}\n`),
    text('deep.json', '['.repeat(100_000)),
    text('nan.json', '{"images":[{"id":NaN,"width":1e999,"height":-1}],"annotations":[],"categories":[]}'),
    text(
      'instances.json',
      JSON.stringify({
        images: [{ id: 1, file_name: '../../etc/passwd', width: 2 ** 31, height: 2 ** 31 }],
        categories: [{ id: '__proto__', name: 'constructor' }],
        annotations: [
          {
            id: 1,
            image_id: 1,
            category_id: '__proto__',
            segmentation: { counts: '9'.repeat(9999), size: [2 ** 31, 2 ** 31] },
          },
        ],
      }),
    ),
    text('lines.jsonl', '{"image":"a"}\n{"image":\n[]\n"\\ud800"\n'),
    text(
      'annotations.xml',
      `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(1000)}">]><annotation>${'<a>'.repeat(20_000)}`,
    ),
    text(
      'laughs.xml',
      `<!DOCTYPE l [<!ENTITY a0 "ha">${Array.from({ length: 30 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('')}]><annotation><filename>&a30;</filename></annotation>`,
    ),
    text(
      'outside.xml',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><annotation><filename>&x;</filename><size><width>1e9</width><height>-1</height></size></annotation>',
    ),
    text('cut.xml', '<annotation><object><name>dog</name><bndbox><xmin>'),
    text('huge.json', `{"images":[${'{"id":1e400},'.repeat(20_000)}{}],"annotations":[]}`),
    text(
      'laughs.yaml',
      [
        'a0: &a0 [x, x]',
        ...Array.from({ length: 25 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`),
      ].join('\n'),
    ),
    text(
      'gold.jsonl',
      '{"image":"\\ud800","stage":"__proto__","value":{"kind":"mask","shapes":[{"kind":"polygon","outer":[1e308,NaN]}]}}',
    ),
    text('split.csv', 'image,split\n"a.png",train\n"a.png",test\n"\u202egnp.a",__proto__\n,\n'),
    text('data.yaml', `a: &a [${'*a, '.repeat(1000)}]\nnames: {0: x}`),
    { name: 'attr_dict.pkl', bytes: Buffer.from('\x80\x04cos\nsystem\n(S"id"\ntR.', 'latin1') },
    { name: 'model.onnx', bytes: model },
    { name: 'cut.onnx', bytes: model.subarray(0, model.length >> 1) },
    {
      name: 'absurd.onnx',
      bytes: Buffer.concat([Buffer.from([0x08, 0x08, 0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f]), model]),
    },
    { name: 'endless.onnx', bytes: Buffer.alloc(4096, 0xff) },
    {
      name: 'weights.npy',
      bytes: Buffer.from("\x93NUMPY\x01\x00v\x00{'descr': '|O', 'shape': (9999999999,)}", 'latin1'),
    },
    { name: 'masks.tar', bytes: Buffer.alloc(1024, 'x') },
    { name: 'cut.npy', bytes: Buffer.from('\x93NUMPY\x01\x00\xff\xff{', 'latin1') },
    { name: 'nan.npy', bytes: npyOf('<f8', '(2, 2)', Buffer.alloc(32, 0xff)) },
    { name: 'vast.npy', bytes: npyOf('<u1', '(65535, 65535, 65535)', Buffer.alloc(8)) },
    { name: 'minus.npy', bytes: npyOf('<u1', '(-1, 4)', Buffer.alloc(8)) },
    { name: 'climbing.tar', bytes: tarOf('../../../etc/passwd', '77777777777', png) },
    { name: 'endless.tar', bytes: tarOf('a.png', '00000000000', Buffer.alloc(0)) },
    { name: 'minus.tar', bytes: tarOf('a.png', '-0000000001', png) },
    // Both end or hang the library that reads Parquet: promised columns that are not there, a number without end.
    {
      name: 'promises.parquet',
      bytes: footerOf(Buffer.from('180701010101010101' + '19fcffffffff07', 'hex')),
    },
    {
      name: 'digits.parquet',
      bytes: footerOf(Buffer.concat([Buffer.from([0x36]), Buffer.alloc(300_000, 0xff), Buffer.from([1, 0])])),
    },
    { name: 'rows.parquet', bytes: Buffer.from(`PAR1${'\xff'.repeat(64)}PAR1`, 'latin1') },
    {
      name: 'part.mat',
      bytes: Buffer.concat([
        Buffer.alloc(124, ' '),
        Buffer.from([0, 1, 0x49, 0x4d, 15, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f]),
      ]),
    },
  ];
}

/** The file as it is, or with some bytes changed, doubled or lost. */
export function mangled(bytes: Buffer, chance: Rng): Buffer {
  if (bytes.length === 0 || chance.below(3) === 0) return bytes;
  const copy = Buffer.from(bytes.subarray(0, 3_000_000));
  const changes = 1 + chance.below(8);
  for (let n = 0; n < changes; n++) {
    const at = chance.below(Math.min(copy.length, n % 2 === 0 ? 256 : copy.length));
    copy[at] = [0, 0xff, 0x7f, chance.below(256)][chance.below(4)] as number;
  }
  return chance.below(4) === 0 ? copy.subarray(0, chance.below(copy.length)) : copy;
}
