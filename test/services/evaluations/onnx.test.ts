import { describe, expect, it } from 'vitest';
import { asLogits, isSaturated, outputKind } from '@/lib/core/robustness/logits';
import { checkContract } from '@/lib/core/robustness/onnx/check-contract';
import { readContract } from '@/lib/core/robustness/onnx/contract';
import { cutTail, withOutputs } from '@/lib/core/robustness/onnx/edit-model';
import { featureChoices, findFeatures } from '@/lib/core/robustness/onnx/find-features';
import { fedInputs, readModel } from '@/lib/core/robustness/onnx/read-model';
import { stream } from '@/lib/core/robustness/random';
import { FEATURES, SIDE, tinyClassifier } from '../../support/tiny-classifier';
import { tinyOnnx } from '../../support/tiny-onnx';

const { onnx, probabilities, contract } = tinyClassifier();
const read = readModel(onnx);

describe('an ONNX file is read as it is', () => {
  it('names its inputs, outputs and nodes', () => {
    expect(fedInputs(read).map(({ name, shape, type }) => ({ name, shape, type }))).toEqual([
      { name: 'image', shape: [null, 3, SIDE, SIDE], type: 1 },
    ]);
    expect(read.outputs.map(({ name, shape }) => ({ name, shape }))).toEqual([
      { name: 'logits', shape: [null, 5] },
    ]);
    expect(read.nodes.map(({ op }) => op)).toEqual([
      'Conv',
      'Relu',
      'Conv',
      'Relu',
      'GlobalAveragePool',
      'Flatten',
      'Gemm',
    ]);
    expect(read.initializers.get('w2')?.dims).toEqual([FEATURES, 4, 3, 3]);
  });

  it('adds outputs behind the file, and reads them again', () => {
    const more = withOutputs(read, ['map2', 'logits']);
    expect(Buffer.from(more).subarray(0, onnx.length).equals(onnx)).toBe(true);
    expect(readModel(more).outputs.map(({ name }) => name)).toEqual(['logits', 'map2']);
    expect(withOutputs(read, ['logits'])).toBe(read.bytes);
  });

  it.each<[string, { op: string; int?: Record<string, number> }, number[]]>([
    ['a Gemm with its weights by class', { op: 'Gemm', int: { transB: 1 } }, [3, 2]],
    ['a Gemm with its weights by channel', { op: 'Gemm' }, [2, 3]],
    ['a product and a sum', { op: 'MatMul' }, [2, 3]],
  ])('finds the map before %s', (_, { op, int }, dims) => {
    const byChannel = [0.5, 1, 1.5, 2, 2.5, 3];
    const byClass = [0.5, 2, 1, 2.5, 1.5, 3];
    const isProduct = op === 'MatMul';
    const model = readModel(
      tinyOnnx({
        inputs: { image: [1, 2, 4, 4] },
        outputs: { out: [1, 3] },
        weights: {
          w: { dims, values: int ? byClass : byChannel },
          b: { dims: [3], values: [7, 8, 9] },
        },
        nodes: [
          { op: 'Relu', inputs: ['image'], outputs: ['map'] },
          {
            op: 'ReduceMean',
            inputs: ['map'],
            outputs: ['mean'],
            ints: { axes: [-1, 2] },
            int: { keepdims: 0 },
          },
          ...(isProduct
            ? [
                { op, inputs: ['mean', 'w'], outputs: ['product'] },
                { op: 'Add', inputs: ['b', 'product'], outputs: ['scores'] },
              ]
            : [{ op, inputs: ['mean', 'w', 'b'], outputs: ['scores'], int }]),
          { op: 'Softmax', inputs: ['scores'], outputs: ['out'] },
        ],
      }),
    );
    const found = findFeatures(model, 'out');
    expect(found).toMatchObject({ tensor: 'map', logits: 'scores' });
    expect(found?.head).toEqual({
      classes: 3,
      channels: 2,
      weights: Float32Array.from(byClass),
      bias: Float32Array.of(7, 8, 9),
    });
  });

  it('finds no map where the mean is taken over something else, and offers what may be one', () => {
    const model = readModel(
      tinyOnnx({
        inputs: { image: [1, 3, 4, 4] },
        outputs: { out: [1, 3] },
        weights: { w: { dims: [3, 3, 1, 1], values: new Array(9).fill(1) } },
        nodes: [
          { op: 'Conv', inputs: ['image', 'w'], outputs: ['conv'] },
          { op: 'Relu', inputs: ['conv'], outputs: ['map'] },
          {
            op: 'ReduceMax',
            inputs: ['map'],
            outputs: ['out'],
            ints: { axes: [2, 3] },
            int: { keepdims: 0 },
          },
        ],
      }),
    );
    expect(findFeatures(model, 'out')).toBeNull();
    expect(featureChoices(model, 'out')).toEqual(['map', 'conv']);
  });

  it('does not cut where the output depends on the picture by another way', () => {
    expect(() => cutTail(read, 'map1', 'logits', [null, 4, SIDE, SIDE])).not.toThrow();
    expect(() => cutTail(read, 'logits', 'map1', [null, 5])).toThrow(/by another way/);
    const tail = readModel(cutTail(read, 'map2', 'logits', [null, FEATURES, SIDE, SIDE]));
    expect(tail.nodes.map(({ op }) => op)).toEqual(['GlobalAveragePool', 'Flatten', 'Gemm']);
    expect([...tail.initializers.keys()]).toEqual(['wl', 'bl']);
  });
});

describe('what is no such file is refused in words', () => {
  const refused = /no ONNX file that can be read/;

  it.each([
    ['nothing', new Uint8Array()],
    ['text', Buffer.from('<!doctype html><title>Not found</title>')],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a length beyond the end', Uint8Array.of(0x3a, 0xff, 0xff, 0xff, 0x0f, 1)],
    ['a negative length', Uint8Array.of(0x3a, ...new Array(9).fill(0xff), 0x01, 1)],
    ['a number that does not end', new Uint8Array(40).fill(0xff)],
  ])('%s', (_, bytes) => {
    expect(() => readModel(bytes)).toThrow(refused);
  });

  it('survives any cut and any flipped byte', () => {
    for (let length = 0; length < onnx.length; length += 97)
      expect(() => readModel(onnx.subarray(0, length))).toThrow(refused);
    const chance = stream('tessera|test|flipped bytes');
    for (let i = 0; i < 400; i++) {
      const bytes = Uint8Array.from(onnx);
      for (let j = 0; j < 3; j++) bytes[chance.below(bytes.length)] = chance.below(256);
      try {
        const model = readModel(bytes);
        findFeatures(model, 'logits');
        checkContract(model, readContract(contract));
        cutTail(model, 'map2', 'logits', [null, FEATURES, SIDE, SIDE]);
      } catch (error) {
        expect(error).toMatchObject({ name: 'TesseraError' });
      }
    }
  });

  it('what is too large', () => {
    // Memory that nobody touches is not taken.
    expect(() => readModel(new Uint8Array(2 ** 29 + 1))).toThrow(/513 MB, and at most 512 MB/);
  });

  it('graphs within graphs without end', () => {
    let graph = Buffer.alloc(0);
    const wrap = (tag: number, inner: Buffer) => {
      const size: number[] = [];
      let rest = inner.length;
      for (; rest > 127; rest >>= 7) size.push((rest & 127) | 128);
      return Buffer.concat([Buffer.from([tag, ...size, rest]), inner]);
    };
    for (let i = 0; i < 50; i++) graph = wrap(0x0a, wrap(0x2a, wrap(0x32, graph)));
    expect(() => readModel(wrap(0x3a, graph))).toThrow(/graphs within graphs/);
  });
});

describe('a contract is held against its file', () => {
  const check = (change: object, bytes: Uint8Array = onnx) =>
    checkContract(readModel(bytes), readContract({ ...contract, ...change }));

  it('takes what fits, and sides of any length where the contract says how long they are', () => {
    expect(() => check({})).not.toThrow();
    const anySide = tinyOnnx({
      inputs: { image: ['n', 3, 'h', 'w'] },
      outputs: { logits: ['n', 'c'] },
      nodes: [{ op: 'Identity', inputs: ['image'], outputs: ['logits'] }],
    });
    expect(() => check({}, anySide)).not.toThrow();
    const map = tinyOnnx({
      inputs: { image: ['n', 3, SIDE, SIDE] },
      outputs: { logits: ['n', 5, 4, 4] },
      nodes: [{ op: 'Identity', inputs: ['image'], outputs: ['logits'] }],
    });
    expect(() => check({}, map)).toThrow(/any × 5 × 4 × 4/);
    expect(() => check({ featureTensor: 'map1' })).not.toThrow();
  });

  it.each([
    ['another input', { input: { ...contract.input, name: 'x' } }, /no input "x".*"image"/],
    ['another size', { input: { ...contract.input, width: 32 } }, /any × 3 × 16 × 16.*any × 3 × 16 × 32/],
    ['another layout', { input: { ...contract.input, layout: 'NHWC' } }, /any × 16 × 16 × 3/],
    ['another output', { outputs: { logits: 'y' } }, /no output "y".*"logits"/],
    ['too few classes', { classes: ['a', 'b'] }, /any × 5.*2 classes/],
    ['a class twice', { classes: ['a', 'b', 'a', 'c', 'd'] }, /"a" twice/],
    ['a tensor that is not there', { featureTensor: 'nowhere' }, /no tensor "nowhere"/],
    ['a spread of zero', { input: { ...contract.input, std: [0, 1, 1] } }, /not complete \(input\.std/],
    ['no classes', { classes: undefined }, /not complete \(classes/],
  ])('refuses %s', (_, change, said) => {
    expect(() => check(change)).toThrow(said);
  });

  it('refuses weights in another file', () => {
    const [w1] = [...read.initializers.values()];
    const { start, from, end } = w1?.field ?? { start: 0, from: 0, end: 0 };
    // The last bytes of a weight become the field that says where it lies.
    const bytes = Uint8Array.from(onnx);
    const raw = bytes.subarray(start, end).findIndex((byte, i, all) => byte === 0x4a && all.length - i > 400);
    expect(from + raw).toBeGreaterThan(from);
    bytes[start + raw] = 0x6a;
    expect(() => check({}, bytes)).toThrow(/another file/);
  });

  it('sees probabilities for what they are', () => {
    const logits = Float32Array.of(2, 1, -30);
    const sum = logits.reduce((total, value) => total + Math.exp(value), 0);
    const p = logits.map((value) => Math.exp(value) / sum);
    expect([outputKind([p, p]), outputKind([p, logits]), outputKind([])]).toEqual([
      'probs',
      'logits',
      'logits',
    ]);
    const back = asLogits(p, 'probs');
    expect((back[0] as number) - (back[1] as number)).toBeCloseTo(1, 5);
    expect([isSaturated(p, 'probs'), isSaturated(p.subarray(0, 2), 'probs')]).toEqual([true, false]);
    expect(findFeatures(readModel(probabilities), 'logits')?.logits).toBe('scores');
  });
});
