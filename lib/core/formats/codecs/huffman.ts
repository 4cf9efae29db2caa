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
    if (longest(lengths) <= most) return withCodes(lengths);
    // Flatter counts give a flatter tree; a few halvings always suffice, and the loss is far below a percent.
    weights = weights.map((count) => (count === 0 ? 0 : (count >> 1) + 1));
  }
}

function longest(lengths: Uint8Array): number {
  let most = 0;
  for (let symbol = 0; symbol < lengths.length; symbol++) most = Math.max(most, lengths[symbol] as number);
  return most;
}

/** Canonical codes for given lengths. */
export function withCodes(lengths: Uint8Array): PrefixCode {
  const perLength = new Uint16Array(17);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    if (length > 0) perLength[length] = (perLength[length] as number) + 1;
  }
  const next = new Uint16Array(17);
  for (let length = 1; length < 16; length++)
    next[length + 1] = ((next[length] as number) + (perLength[length] as number)) << 1;
  const codes = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    if (length === 0) continue;
    const code = next[length] as number;
    next[length] = code + 1;
    codes[symbol] = reversed(code, length);
  }
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
  const leaves = sortedLeaves(counts);
  if (leaves.length < 3) {
    for (const leaf of leaves) lengths[leaf % ALPHABET] = 1;
    return lengths;
  }
  const parents = new Int32Array(2 * leaves.length - 1);
  const weights = new Float64Array(parents.length);
  for (let i = 0; i < leaves.length; i++) weights[i] = Math.floor((leaves[i] as number) / ALPHABET);
  let leaf = 0;
  let inner = leaves.length;
  for (let node = leaves.length; node < parents.length; node++)
    for (let child = 0; child < 2; child++) {
      const takeLeaf =
        leaf < leaves.length && (inner >= node || (weights[leaf] as number) <= (weights[inner] as number));
      const lightest = takeLeaf ? leaf++ : inner++;
      parents[lightest] = node;
      weights[node] = (weights[node] as number) + (weights[lightest] as number);
    }
  const depths = new Uint8Array(parents.length);
  for (let node = parents.length - 2; node >= 0; node--)
    depths[node] = Math.min(255, (depths[parents[node] as number] as number) + 1);
  for (let i = 0; i < leaves.length; i++) lengths[(leaves[i] as number) % ALPHABET] = depths[i] as number;
  return lengths;
}

/** More symbols than any code here has. */
const ALPHABET = 1024;

/** The symbols that occur, by weight and then by number, as weight · ALPHABET + symbol. */
function sortedLeaves(counts: Uint32Array): Float64Array {
  const leaves = new Float64Array(counts.length);
  let found = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const weight = counts[symbol] as number;
    if (weight > 0) leaves[found++] = weight * ALPHABET + symbol;
  }
  const sorted = leaves.subarray(0, found);
  return found > FEW ? sorted.sort() : insertionSorted(sorted);
}

/** Up to here sorting by hand is faster than a call of the engine's sort. */
const FEW = 40;

function insertionSorted(values: Float64Array): Float64Array {
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number;
    let at = i;
    for (; at > 0 && (values[at - 1] as number) > value; at--) values[at] = values[at - 1] as number;
    values[at] = value;
  }
  return values;
}
