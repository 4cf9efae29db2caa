import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkWeights } from '@/lib/core/robustness/onnx/check-contract';
import { readModel } from '@/lib/core/robustness/onnx/read-model';
import {
  joined,
  lengthField as message,
  numberField as number,
  textField as text,
} from '@/lib/core/robustness/onnx/wire';
import { openSession } from '@/lib/services/evaluations/runner/picture-session';
import { tinyClassifier } from '../../support/tiny-classifier';

/** A model may refer to a file by name, and the runtime would read it: whatever lies on the server. */

const FLOAT = 1;
const GRAPH = 7;
const TRAINING = 20;
const FUNCTION = 25;

const entry = (key: string, value: string) => message(13, text(1, key), text(2, value));
/** TensorProto of four numbers that lie in a file beside the model. */
const outside = (location: string) =>
  joined(number(1, 4), number(2, FLOAT), text(8, 'w'), entry('location', location), number(14, 1));

type Bytes = Uint8Array;
const tensorsOf = (tensor: Bytes) => ({
  tensor: message(5, tensor),
  sparse: message(22, message(1, tensor)),
});
const node = (...attributes: Bytes[]) =>
  joined(text(2, 'made'), text(4, 'Constant'), ...attributes.map((each) => message(5, each)));
const attribute = (...parts: Bytes[]) => joined(text(1, 'value'), ...parts);
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

const { onnx } = tinyClassifier();
const refused = /keeps its weights in another file/;
/** What follows a model is merged with it, so any model can carry it. */
const carrying = (part: Bytes) => joined(onnx, part);

describe('data outside of the file was accepted in model functions and sparse initializers', () => {
  it.each(Object.entries(places))('%s is refused', async (_, place) => {
    const model = carrying(place(outside('weights.bin')));
    expect(() => checkWeights(readModel(model))).toThrow(refused);
    await expect(openSession(model)).rejects.toThrow(refused);
  });

  it.each(Object.entries(places))('%s is accepted with its numbers in the file', (_, place) => {
    const inside = joined(number(1, 1), number(2, FLOAT), text(8, 'spare'), message(9, new Uint8Array(4)));
    expect(() => checkWeights(readModel(carrying(place(inside))))).not.toThrow();
  });

  it.each<[string, Bytes]>([
    ['a location without a name', number(14, 1)],
    ['a name without a location', entry('location', '/etc/passwd')],
    ['a name that the location denies', joined(entry('location', 'x'), number(14, 0))],
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
    const disguise = joined(text(2, 'xxORTMxx'), onnx);
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
  const add = joined(text(1, 'x'), text(1, 'w'), text(2, 'y'), text(4, 'Add'));
  const leak = joined(
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
