/** Codes of a prefix code, lowest bit first as deflate sends them, with their lengths in bits; 0 where unused. */
export interface PrefixCode {
  lengths: Uint8Array;
  codes: Uint16Array;
}

/** The shortest prefix code for these counts with no code longer than `most` bits. */
export function prefixCode(counts: Uint32Array, most: number): PrefixCode {
  let weights = counts;
  for (;;) {
    const lengths = huffmanLengths(weights);
    if (lengths.every((length) => length <= most)) return withCodes(lengths);
    // Flatter counts give a flatter tree; a few halvings always suffice, and the loss is far below a percent.
    weights = weights.map((count) => (count === 0 ? 0 : (count >> 1) + 1));
  }
}

/** Canonical codes for given lengths. */
export function withCodes(lengths: Uint8Array): PrefixCode {
  const perLength = new Uint16Array(17);
  for (const length of lengths) if (length > 0) perLength[length] = (perLength[length] as number) + 1;
  const next = new Uint16Array(17);
  for (let length = 1; length < 16; length++)
    next[length + 1] = ((next[length] as number) + (perLength[length] as number)) << 1;
  const codes = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const code = next[length] as number;
    next[length] = code + 1;
    codes[symbol] = reversed(code, length);
  });
  return { lengths, codes };
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

/** Huffman by two queues: leaves sorted by weight, and inner nodes, which come out sorted by themselves. */
function huffmanLengths(counts: Uint32Array): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const leaves = Array.from(counts, (weight, symbol) => ({ weight, symbol }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => a.weight - b.weight || a.symbol - b.symbol);
  if (leaves.length < 3) {
    for (const { symbol } of leaves) lengths[symbol] = 1;
    return lengths;
  }
  const weights = leaves.map(({ weight }) => weight);
  const parents = new Int32Array(2 * leaves.length - 1);
  let leaf = 0;
  let inner = leaves.length;
  const lightest = () => {
    const takeLeaf =
      leaf < leaves.length &&
      (inner >= weights.length || (weights[leaf] as number) <= (weights[inner] as number));
    return takeLeaf ? leaf++ : inner++;
  };
  for (let node = leaves.length; node < parents.length; node++) {
    const [a, b] = [lightest(), lightest()];
    parents[a] = node;
    parents[b] = node;
    weights.push((weights[a] as number) + (weights[b] as number));
  }
  const depths = new Uint8Array(parents.length);
  for (let node = parents.length - 2; node >= 0; node--)
    depths[node] = Math.min(255, (depths[parents[node] as number] as number) + 1);
  leaves.forEach(({ symbol }, index) => {
    lengths[symbol] = depths[index] as number;
  });
  return lengths;
}
