import { concatBytes } from './bytes';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const latin1 = new TextDecoder('latin1');

/** Python's pickle of a dict of text, protocol 2: every Python reads it. */
export function encodePickle(entries: Iterable<readonly [string, string]>): Uint8Array {
  const pieces: Uint8Array[] = [Uint8Array.of(0x80, 2, 0x7d, 0x28)];
  for (const entry of entries)
    for (const text of entry) {
      const bytes = encoder.encode(text);
      const head = new Uint8Array(5);
      head[0] = 0x58;
      new DataView(head.buffer).setUint32(1, bytes.length, true);
      pieces.push(head, bytes);
    }
  pieces.push(Uint8Array.of(0x75, 0x2e));
  return concatBytes(pieces);
}

const MARK = Symbol('mark');
type Item = string | Map<string, string> | typeof MARK;

/**
 * Reads a pickled dict of text and nothing else. A pickle is a program: here only the instructions that put text into a dict
 * are known, and any other one is refused, so that nothing in a file is ever run.
 */
export function decodePickle(bytes: Uint8Array): Map<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stack: Item[] = [];
  const memo = new Map<number, Item>();
  let at = 0;
  const take = (length: number) => {
    if (!(at + length <= bytes.length)) throw new Error('the pickle is cut off');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = (length: 1 | 4 | 8) => {
    const from = at;
    take(length);
    if (length === 1) return view.getUint8(from);
    return length === 4 ? view.getUint32(from, true) : Number(view.getBigUint64(from, true));
  };
  const recall = (index: number) => {
    const item = memo.get(index);
    if (item === undefined) throw new Error('the pickle refers to something that it does not hold');
    stack.push(item);
  };
  const steps: Readonly<Record<number, () => void>> = {
    128: () => void number(1), // PROTO
    149: () => void number(8), // FRAME
    125: () => void stack.push(new Map()), // EMPTY_DICT
    40: () => void stack.push(MARK),
    88: () => void stack.push(decoder.decode(take(number(4)))), // BINUNICODE
    140: () => void stack.push(decoder.decode(take(number(1)))), // SHORT_BINUNICODE
    141: () => void stack.push(decoder.decode(take(number(8)))), // BINUNICODE8
    85: () => void stack.push(latin1.decode(take(number(1)))), // SHORT_BINSTRING
    84: () => void stack.push(latin1.decode(take(number(4)))), // BINSTRING
    67: () => void stack.push(latin1.decode(take(number(1)))), // SHORT_BINBYTES
    66: () => void stack.push(latin1.decode(take(number(4)))), // BINBYTES
    148: () => void memo.set(memo.size, top(stack)), // MEMOIZE
    113: () => void memo.set(number(1), top(stack)), // BINPUT
    114: () => void memo.set(number(4), top(stack)), // LONG_BINPUT
    104: () => recall(number(1)), // BINGET
    106: () => recall(number(4)), // LONG_BINGET
    115: () => put(stack, stack.splice(-2)), // SETITEM
    117: () => {
      // SETITEMS
      const from = stack.lastIndexOf(MARK);
      if (from < 0) throw notText();
      const items = stack.splice(from);
      put(stack, items.slice(1));
    },
  };
  for (;;) {
    const code = number(1);
    if (code === 46) break;
    const step = steps[code];
    if (!step) throw notText();
    step();
  }
  const [dict] = stack;
  if (stack.length !== 1 || !(dict instanceof Map)) throw notText();
  return dict;
}

function top(stack: readonly Item[]): Item {
  const item = stack.at(-1);
  if (item === undefined) throw notText();
  return item;
}

function put(stack: readonly Item[], items: readonly Item[]): void {
  const dict = top(stack);
  if (!(dict instanceof Map) || items.length % 2 !== 0) throw notText();
  for (let i = 0; i < items.length; i += 2) {
    const [key, value] = [items[i], items[i + 1]];
    if (typeof key !== 'string' || typeof value !== 'string') throw notText();
    dict.set(key, value);
  }
}

const notText = () => new Error('the pickle holds something else than a dict of text: it is not read');
