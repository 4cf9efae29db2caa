const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const PAD = 61;
const codes = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0));
const NO_LETTER = 255;
const values = new Uint8Array(128).fill(NO_LETTER);
codes.forEach((code, value) => {
  values[code] = value;
});

const ascii = new TextDecoder('latin1');

/** Without line breaks, padded. */
export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(4 * Math.ceil(bytes.length / 3));
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const group =
      ((bytes[i] as number) << 16) | ((left > 1 ? (bytes[i + 1] as number) : 0) << 8) | (bytes[i + 2] ?? 0);
    text[at++] = codes[group >> 18] as number;
    text[at++] = codes[(group >> 12) & 63] as number;
    text[at++] = left > 1 ? (codes[(group >> 6) & 63] as number) : PAD;
    text[at++] = left > 2 ? (codes[group & 63] as number) : PAD;
  }
  return ascii.decode(text);
}

/** Line breaks and missing padding are forgiven, other letters are not. */
export function fromBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let count = 0;
  let bits = 0;
  let buffer = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === PAD || code === 10 || code === 13) continue;
    const value = code < 128 ? (values[code] as number) : NO_LETTER;
    if (value === NO_LETTER) throw new Error(`"${text.charAt(i)}" at ${i} is no letter of base64`);
    buffer = ((buffer << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[count++] = (buffer >> bits) & 255;
    }
  }
  return bytes.subarray(0, count);
}
