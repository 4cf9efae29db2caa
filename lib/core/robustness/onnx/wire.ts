import { invalid } from '@/lib/core/errors';

/** One field of a protobuf message, by its position in the file. Nothing is copied. */
export interface Field {
  number: number;
  /** Of the whole field, its tag included. */
  start: number;
  end: number;
  /** Where the content begins, if it has a length; else equal to `end`. */
  from: number;
  /** Of a field that is a number; of others 0. */
  value: number;
  hasLength: boolean;
}

/** Far more than any vision model has; protects against files that exhaust memory. */
const MAX_FIELDS = 1_000_000;
const MAX_FIELD_NUMBER = 2 ** 29 - 1;

export const notOnnx = (why: string) =>
  invalid(
    `The file is not a valid ONNX model: ${why}. Export the model again and upload the unchanged file.`,
  );

/** Iterates over the fields between two positions and validates every length. */
export function* fields(bytes: Uint8Array, from = 0, to = bytes.length): Generator<Field> {
  let at = from;
  for (let count = 0; at < to; count++) {
    if (count > MAX_FIELDS) throw notOnnx('it has too many fields');
    const start = at;
    const tag = varint(bytes, at, to);
    at = tag.end;
    const number = Math.floor(tag.value / 8);
    // Other readers cut a tag to 32 bits and would find another field here.
    if (number < 1 || number > MAX_FIELD_NUMBER)
      throw notOnnx(`a field at byte ${start} has no valid number`);
    const field = { number, start, from: at, end: at, value: 0, hasLength: false };
    switch (tag.value % 8) {
      case 0: {
        const found = varint(bytes, at, to);
        at = found.end;
        Object.assign(field, { value: found.value, from: at });
        break;
      }
      case 1:
        at += 8;
        break;
      case 5:
        at += 4;
        break;
      case 2: {
        const length = varint(bytes, at, to);
        field.from = length.end;
        field.hasLength = true;
        at = length.end + length.value;
        break;
      }
      default:
        throw notOnnx(`a field at byte ${start} is of an unknown kind`);
    }
    // A length can be negative or exceed the rest of the file.
    if (!(at <= to) || at < field.from) throw notOnnx(`a field at byte ${start} ends behind the end`);
    field.end = at;
    yield field;
  }
}

/** A number of seven bits a byte. Negative ones, of ten bytes, are read as such. */
function varint(bytes: Uint8Array, at: number, to: number): { value: number; end: number } {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    if (at + i >= to) throw notOnnx('it ends in the middle of a number');
    const byte = bytes[at + i] as number;
    if (i === 9) return { value: negative(bytes, at), end: at + 10 };
    value += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) return { value, end: at + i + 1 };
  }
  throw notOnnx('a number does not end');
}

/** Ten bytes are needed for the highest of 64 bits, the sign; doubles would lose the lowest ones on the way. */
function negative(bytes: Uint8Array, at: number): number {
  let value = 0n;
  for (let i = 0; i < 10; i++) value |= BigInt((bytes[at + i] as number) & 127) << BigInt(7 * i);
  return Number(BigInt.asIntN(64, value));
}

const MAX_NAME_BYTES = 8192;
const decoder = new TextDecoder();

export function textOf(bytes: Uint8Array, { from, end }: Field): string {
  if (end - from > MAX_NAME_BYTES) throw notOnnx(`a name at byte ${from} is too long`);
  return decoder.decode(bytes.subarray(from, end));
}

/** Numbers of a repeated field, which may stand each by itself or packed one after the other. */
export function numbersOf(bytes: Uint8Array, field: Field): number[] {
  if (!field.hasLength) return [field.value];
  const found: number[] = [];
  for (let at = field.from; at < field.end; ) {
    const next = varint(bytes, at, field.end);
    found.push(next.value);
    at = next.end;
  }
  return found;
}

/** Encodes a length-delimited protobuf field. */
export function lengthField(number: number, ...content: readonly Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return concatBytes(varintBytes(number * 8 + 2), varintBytes(length), ...content);
}

export const numberField = (number: number, value: number): Uint8Array =>
  concatBytes(varintBytes(number * 8), varintBytes(value));

export const textField = (number: number, text: string): Uint8Array =>
  lengthField(number, new TextEncoder().encode(text));

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function varintBytes(value: number): Uint8Array {
  const out: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return Uint8Array.of(...out, value);
}
