import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asLogits, isSaturated, outputKind } from '@/lib/core/robustness/logits';
import { checkContract, checkWeights } from '@/lib/core/robustness/onnx/check-contract';
import { readContract } from '@/lib/core/robustness/onnx/contract';
import { addOutputs, cutTail } from '@/lib/core/robustness/onnx/edit-model';
import { findFeatures, listFeatureChoices } from '@/lib/core/robustness/onnx/find-features';
import { fedInputs, readModel } from '@/lib/core/robustness/onnx/read-model';
import {
  concatBytes,
  lengthField as message,
  numberField as number,
  textField as text,
} from '@/lib/core/robustness/onnx/wire';
import { createRng } from '@/lib/core/robustness/random';
import { openSession } from '@/lib/services/inference/runner/picture-session';
import { FEATURES, SIDE, tinyClassifier } from '@/test/support/tiny-classifier';
import { tinyOnnx } from '@/test/support/tiny-onnx';

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
    const more = addOutputs(read, ['map2', 'logits']);
    expect(Buffer.from(more).subarray(0, onnx.length).equals(onnx)).toBe(true);
    expect(readModel(more).outputs.map(({ name }) => name)).toEqual(['logits', 'map2']);
    expect(addOutputs(read, ['logits'])).toBe(read.bytes);
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
    expect(listFeatureChoices(model, 'out')).toEqual(['map', 'conv']);
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
  const refused = /not a valid ONNX model/;

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
    const rng = createRng('tessera|test|flipped bytes');
    for (let i = 0; i < 400; i++) {
      const bytes = Uint8Array.from(onnx);
      for (let j = 0; j < 3; j++) bytes[rng.below(bytes.length)] = rng.below(256);
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

/** A model may refer to a file by name, and the runtime would read it: whatever lies on the server. */

const FLOAT = 1;
const GRAPH = 7;
const TRAINING = 20;
const FUNCTION = 25;

const entry = (key: string, value: string) => message(13, text(1, key), text(2, value));
/** TensorProto of four numbers that lie in a file beside the model. */
const outside = (location: string) =>
  concatBytes(number(1, 4), number(2, FLOAT), text(8, 'w'), entry('location', location), number(14, 1));

type Bytes = Uint8Array;
const tensorsOf = (tensor: Bytes) => ({
  tensor: message(5, tensor),
  sparse: message(22, message(1, tensor)),
});
const node = (...attributes: Bytes[]) =>
  concatBytes(text(2, 'made'), text(4, 'Constant'), ...attributes.map((each) => message(5, each)));
const attribute = (...parts: Bytes[]) => concatBytes(text(1, 'value'), ...parts);
const inGraph = (graph: Bytes) => message(GRAPH, graph);
const initializer = (tensor: Bytes) => message(5, tensor);
/** A graph as the body of an If in a graph, that many times. */
const nested = (graph: Bytes, times: number): Bytes =>
  times === 0 ? graph : message(1, node(attribute(message(6, nested(graph, times - 1)))));

/** Every place where onnx.proto has a TensorProto, by what leads to it. */
const places: Record<string, (tensor: Bytes) => Bytes> = {
  'an initializer': (tensor) => inGraph(initializer(tensor)),
  'the values of a sparse initializer': (tensor) => inGraph(message(15, message(1, tensor))),
  'the indices of a sparse initializer': (tensor) => inGraph(message(15, message(2, tensor))),
  'the tensor of an attribute': (tensor) => inGraph(message(1, node(attribute(message(5, tensor))))),
  'the tensors of an attribute': (tensor) => inGraph(message(1, node(attribute(message(10, tensor))))),
  'a sparse tensor of an attribute': (tensor) =>
    inGraph(message(1, node(attribute(tensorsOf(tensor).sparse)))),
  'the sparse tensors of an attribute': (tensor) =>
    inGraph(message(1, node(attribute(message(23, message(2, tensor)))))),
  'a graph of an attribute': (tensor) => inGraph(nested(initializer(tensor), 1)),
  'the graphs of an attribute': (tensor) =>
    inGraph(message(1, node(attribute(message(11, initializer(tensor)))))),
  'a sparse initializer four graphs down': (tensor) => inGraph(nested(message(15, message(1, tensor)), 4)),
  'a node of a function': (tensor) => message(FUNCTION, message(7, node(attribute(message(5, tensor))))),
  'a graph in a node of a function': (tensor) =>
    message(FUNCTION, message(7, node(attribute(message(6, initializer(tensor)))))),
  'a sparse tensor three graphs down in a function': (tensor) =>
    message(FUNCTION, message(7, node(attribute(message(6, nested(message(15, message(2, tensor)), 2)))))),
  'the default of a function’s attribute': (tensor) =>
    message(FUNCTION, message(11, attribute(message(5, tensor)))),
  'the graph that initializes a training': (tensor) => message(TRAINING, message(1, initializer(tensor))),
  'the graph of a training step': (tensor) =>
    message(TRAINING, message(2, message(1, node(attribute(message(5, tensor)))))),
};

const { onnx: externalOnnx } = tinyClassifier();
const refused = /keeps its weights in another file/;
/** What follows a model is merged with it, so any model can carry it. */
const carrying = (part: Bytes) => concatBytes(externalOnnx, part);

describe('data outside of the file was accepted in model functions and sparse initializers', () => {
  it.each(Object.entries(places))('%s is refused', async (_, place) => {
    const model = carrying(place(outside('weights.bin')));
    expect(() => checkWeights(readModel(model))).toThrow(refused);
    await expect(openSession(model)).rejects.toThrow(refused);
  });

  it.each(Object.entries(places))('%s is accepted with its numbers in the file', (_, place) => {
    const inside = concatBytes(
      number(1, 1),
      number(2, FLOAT),
      text(8, 'spare'),
      message(9, new Uint8Array(4)),
    );
    expect(() => checkWeights(readModel(carrying(place(inside))))).not.toThrow();
  });

  it.each<[string, Bytes]>([
    ['a location without a name', number(14, 1)],
    ['a name without a location', entry('location', '/etc/passwd')],
    ['a name that the location denies', concatBytes(entry('location', 'x'), number(14, 0))],
    ['a location that other readers cut to 32 bits', number(14, 2 ** 32 + 1)],
    ['an address in memory', entry('location', '*/_ORT_MEM_ADDR_/*')],
  ])('%s is refused', (_, tensor) => {
    expect(() => checkWeights(readModel(carrying(inGraph(initializer(tensor)))))).toThrow(refused);
  });

  it('refuses a field whose number other readers cut to another one', () => {
    // 2^29 + 13, of which 32 bits with the kind of the field leave 13.
    const tag = Uint8Array.of(0xea, 0x80, 0x80, 0x80, 0x10, 0);
    expect(() => readModel(carrying(inGraph(initializer(tag))))).toThrow(/no valid number/);
  });

  it('refuses a file that is ONNX to this reader and another model to the runtime', () => {
    // A first field of eight letters, the fifth to eighth byte of the file among them.
    const disguise = concatBytes(text(2, 'xxORTMxx'), externalOnnx);
    expect(Buffer.from(disguise.subarray(4, 8)).toString()).toBe('ORTM');
    expect(() => readModel(disguise)).toThrow(/format of one runtime/);
  });
});

describe('why: the runtime reads the file that a model names', () => {
  const before = process.cwd();
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-external-'));
    writeFileSync(path.join(folder, 'secret.bin'), Buffer.from(Float32Array.of(1, 2, 3, 4).buffer));
    process.chdir(folder);
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });

  const value = (field: number, name: string) =>
    message(
      field,
      text(1, name),
      message(2, message(1, number(1, FLOAT), message(2, message(1, number(1, 4))))),
    );
  const opset = message(8, text(1, ''), number(2, 13));
  const add = concatBytes(text(1, 'x'), text(1, 'w'), text(2, 'y'), text(4, 'Add'));
  const leak = concatBytes(
    number(1, 8),
    message(
      GRAPH,
      message(1, add),
      text(2, 'leak'),
      initializer(outside('secret.bin')),
      value(11, 'x'),
      value(12, 'y'),
    ),
    opset,
  );

  it.each([
    ['opened by its path', async () => 'leak.onnx'],
    ['opened as bytes', async () => leak],
  ])('a model gives the content of the file as its output, %s', async (_, source) => {
    writeFileSync('leak.onnx', leak);
    const session = await InferenceSession.create((await source()) as string, {
      executionProviders: ['cpu'],
      graphOptimizationLevel: 'disabled',
      logSeverityLevel: 4,
    });
    const { y } = await session.run({ x: new Tensor('float32', new Float32Array(4), [4]) });
    await session.release();
    expect(y?.data).toEqual(Float32Array.of(1, 2, 3, 4));
    await expect(openSession(leak)).rejects.toThrow(refused);
  });
});
