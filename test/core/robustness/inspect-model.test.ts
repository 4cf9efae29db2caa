import { describe, expect, it } from 'vitest';
import { encodeNpy } from '@/lib/core/formats/codecs/npy';
import { readWordEmbeddings } from '@/lib/core/robustness/fmr/oracles';
import { WrittenContract } from '@/lib/core/robustness/onnx/contract';
import { type InspectionInput, inspectModel } from '@/lib/core/robustness/onnx/inspect-model';
import { largeDecoder, meanEncoder, smallEncoder } from '@/test/services/evaluations/models';
import { SIDE, tinyClassifier } from '@/test/support/tiny-classifier';
import { tinyOnnx } from '@/test/support/tiny-onnx';

const { onnx, contract } = tinyClassifier();
const schema = contract.classes.map((name) => ({ id: name, name: name.toUpperCase() }));
const { mean, std } = contract.input;

function inspect(written: object, change: Partial<InspectionInput> = {}) {
  const given: InspectionInput = {
    kind: 'classifier',
    written: WrittenContract.parse({ classes: contract.classes, input: { mean, std }, ...written }),
    schema,
    otherClasses: false,
    files: { model: onnx },
    ...change,
  };
  const found = inspectModel(given);
  return { ...found, last: found.lines.at(-1) };
}

const takes = (shape: (number | string)[], outputs: (number | string)[] = ['n', 5]) =>
  tinyOnnx({
    inputs: { image: shape },
    outputs: { logits: outputs },
    nodes: [{ op: 'Identity', inputs: ['image'], outputs: ['logits'] }],
  });

describe('a file from elsewhere is held against what is said about it', () => {
  it('needs to be told little: what the file says by itself is filled in', () => {
    const { lines, contract: complete } = inspect({});
    expect(lines.every(({ state }) => state === 'good')).toBe(true);
    expect(lines.map(({ what }) => what)).toEqual(['File', 'Input', 'Colours', 'Classes', 'Output']);
    expect(complete).toMatchObject({
      input: { name: 'image', layout: 'NCHW', channels: 'RGB', height: SIDE, width: SIDE, mean, std },
      outputs: { logits: 'logits' },
      classes: contract.classes,
      file: { opset: 13, bytes: onnx.length },
    });
    expect(complete?.parameters).toBeGreaterThan(300);
  });

  it('reads the contract that a trainer wrote', () => {
    const written = {
      ...contract,
      outputKind: 'logits',
      torch: '2.1',
      metrics: { tests: [] },
      parameters: 1,
    };
    expect(inspect(written).contract).not.toBeNull();
  });

  it('warns of colours that nobody normalises', () => {
    const { lines } = inspect({ input: {} });
    expect(lines.find(({ what }) => what === 'Colours')).toMatchObject({ state: 'note' });
  });

  it.each<[string, Uint8Array, object, string, RegExp]>([
    ['not ONNX at all', Buffer.from('<!doctype html>'), {}, 'File', /not a valid ONNX model/],
    ['nothing', new Uint8Array(), {}, 'File', /not a valid ONNX model/],
    ['the wrong shape', takes(['n', 1, 28, 28]), {}, 'Input', /any × 1 × 28 × 28.*any × 3 × 28 × 28/],
    ['no pictures', takes(['n', 784]), {}, 'Input', /2 dimensions/],
    ['no square', takes(['n', 3, 32, 48]), {}, 'Input', /48 × 32.*square/],
    [
      'another size than said',
      takes(['n', 3, 32, 32]),
      { input: { height: 64, width: 64 } },
      'Input',
      /any × 3 × 32 × 32/,
    ],
    [
      'any height and width, and nobody says which',
      takes(['n', 3, 'h', 'w']),
      {},
      'Input',
      /height of the file is dynamic.*input\.height/,
    ],
    ['an output that is a map', takes(['n', 3, 16, 16], ['n', 5, 4, 4]), {}, 'Output', /any × 5 × 4 × 4/],
    ['fewer outputs than classes', takes(['n', 3, 16, 16], ['n', 3]), {}, 'Output', /names 5 classes/],
  ])('refuses %s', (_, model, written, what, says) => {
    const { last, contract: complete } = inspect(written, { files: { model } });
    expect(complete).toBeNull();
    expect(last).toMatchObject({ what, state: 'refused' });
    expect(last?.says).toMatch(says);
  });

  it('takes any height and width where somebody says which, and any number of pictures', () => {
    const model = takes(['n', 3, 'h', 'w']);
    const { contract: complete } = inspect(
      { input: { mean, std, height: 64, width: 64 } },
      { files: { model } },
    );
    expect(complete).toMatchObject({ input: { height: 64, width: 64 } });
  });

  it('refuses weights in another file', () => {
    // The last field of a weight becomes the one that says where it lies.
    const bytes = Uint8Array.from(onnx);
    const raw = bytes.findIndex((byte, i) => byte === 0x4a && bytes[i + 1] === 0xb0);
    bytes[raw] = 0x6a;
    const { last } = inspect({}, { files: { model: bytes } });
    expect(last).toMatchObject({ what: 'Weights', state: 'refused' });
    expect(last?.says).toMatch(/another file/);
  });

  it('refuses two inputs, and names them', () => {
    const model = tinyOnnx({
      inputs: { image: ['n', 3, 16, 16], mask: ['n', 1, 16, 16] },
      outputs: { logits: ['n', 5] },
      nodes: [{ op: 'Add', inputs: ['image', 'mask'], outputs: ['logits'] }],
    });
    expect(inspect({}, { files: { model } }).last?.says).toMatch(/"image", "mask".*input\.name/);
    const named = inspect({ input: { name: 'image' } }, { files: { model } });
    expect(named.last?.says).toMatch(/additional inputs: "mask"/);
  });
});

describe('classes that do not match', () => {
  const swap = (...names: string[]) => ({ classes: [...names, ...contract.classes.slice(names.length)] });

  it('are listed on both sides, and what to do', () => {
    const { last } = inspect(swap('zebra', 'yak'));
    expect(last).toMatchObject({ what: 'Classes', state: 'refused' });
    expect(last?.says).toMatch(/Not in the schema: zebra, yak\. Not in the model: class 0, class 1\./);
  });

  it('are taken where that is meant, with a note', () => {
    const { lines, contract: complete } = inspect(swap('zebra'), { otherClasses: true });
    expect(complete).not.toBeNull();
    expect(lines.filter(({ state }) => state === 'note').map(({ says }) => says)).toEqual([
      'Not in the schema, never right: zebra.',
      'Not in the model, their images are left out: class 0.',
    ]);
  });

  it('are refused where none is common, whatever is meant', () => {
    const classes = ['a', 'b', 'c', 'd', 'e'];
    expect(inspect({ classes }, { otherClasses: true }).last?.says).toMatch(/None of the 5 model classes/);
  });

  it('may be written as the schema shows them', () => {
    const { lines, contract: complete } = inspect(swap('CLASS 0', 'Class_1'));
    expect(complete?.classes).toEqual(contract.classes);
    expect(lines.some(({ says }) => says.includes('CLASS 0 → class 0, Class_1 → class 1'))).toBe(true);
  });

  it('are refused twice, and when nobody says any', () => {
    expect(inspect(swap('class 1')).last?.says).toMatch(/"class 1" twice/);
    expect(inspect({ classes: undefined }).last?.says).toMatch(/classes are missing/);
  });
});

describe('an oracle', () => {
  const classes = ['class 0', 'class 1', 'class 2'];
  const words = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
  const oracle = (given: Uint8Array | undefined, model = meanEncoder()) =>
    inspect({ classes }, { kind: 'oracle', files: { model, words: given } });

  it('comes with an embedding of each class, as JSON or as NumPy writes it', () => {
    const { contract: complete, words: read } = oracle(bytes(words));
    expect(complete).toMatchObject({ outputs: { embedding: 'embedding' }, classes, length: 3, margin: 0 });
    expect(read?.map((row) => [...row])).toEqual(words);
    const byName = Object.fromEntries(classes.map((name, i) => [name, words[i]]).reverse());
    expect(readWordEmbeddings(bytes(byName), classes).map((row) => [...row])).toEqual(words);
    const npy = encodeNpy({ shape: [3, 3], values: words.flat() });
    expect(readWordEmbeddings(npy, classes).map((row) => [...row])).toEqual(words);
  });

  it.each<[string, Uint8Array | undefined, RegExp]>([
    ['no embeddings', undefined, /needs an embedding of each class/],
    ['too few', bytes(words.slice(1)), /2 embeddings and 3 classes/],
    [
      'of another network',
      bytes([
        [1, 0],
        [0, 1],
        [1, 1],
      ]),
      /any × 3.*have 2 numbers/,
    ],
    [
      'of different lengths',
      bytes([
        [1, 0, 0],
        [0, 1],
        [0, 0, 1],
      ]),
      /"class 1" is not usable/,
    ],
    [
      'that are zero',
      bytes([
        [1, 0, 0],
        [0, 0, 0],
        [0, 0, 1],
      ]),
      /"class 1" is not usable/,
    ],
    [
      'that are the same',
      bytes([
        [1, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
      ]),
      /"class 0" and "class 2" have the same/,
    ],
    ['by other names', bytes({ cat: [1, 0, 0] }), /no embedding of "class 0"/],
    ['that are text', Buffer.from('nothing'), /neither a \.npy file nor JSON/],
    ['that are cut off', encodeNpy({ shape: [3, 3], values: words.flat() }).subarray(0, 130), /cut off/],
  ])('is refused with %s', (_, given, says) => {
    const { last, contract: complete } = oracle(given);
    expect(complete).toBeNull();
    expect(last?.says).toMatch(says);
  });
});

describe('a decoder', () => {
  const decoder = (files: InspectionInput['files'], written = {}) =>
    inspect({ classes: undefined, ...written }, { kind: 'decoder', files });

  it('comes with its encoder, and both are of one network', () => {
    const { contract: complete } = decoder(
      { model: largeDecoder(), encoder: smallEncoder() },
      { range: [-1, 1] },
    );
    expect(complete).toMatchObject({
      outputs: { latent: 'latent', picture: 'picture' },
      latent: 'latent',
      range: [-1, 1],
      step: 0.1,
    });
  });

  it.each<[string, InspectionInput['files'], object, RegExp]>([
    ['without an encoder', { model: largeDecoder() }, {}, /needs the encoder/],
    [
      'with the encoder of another',
      { model: largeDecoder(32), encoder: smallEncoder() },
      {},
      /any × 3 × 8 × 8.*any × 3 × 16 × 16/,
    ],
    [
      'that draws another size',
      { model: meanEncoder(), encoder: smallEncoder(32) },
      {},
      /decoder gives any × 3/,
    ],
    [
      'of no range',
      { model: largeDecoder(), encoder: smallEncoder() },
      { range: [1, 0] },
      /from black to white/,
    ],
  ])('is refused %s', (_, files, written, says) => {
    expect(decoder(files, written).last?.says).toMatch(says);
  });
});
