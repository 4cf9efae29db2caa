/** Fields of protocol buffers as bytes: just what is needed to name inputs and outputs. */
export function lengthField(number: number, ...content: readonly Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return joined(varintBytes(number * 8 + 2), varintBytes(length), ...content);
}

export const numberField = (number: number, value: number): Uint8Array =>
  joined(varintBytes(number * 8), varintBytes(value));

export const textField = (number: number, text: string): Uint8Array =>
  lengthField(number, new TextEncoder().encode(text));

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
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
