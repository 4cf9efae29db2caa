export const hashWidth = 9;
export const hashHeight = 8;

/**
 * Difference hash: each bit says whether brightness grows from a cell of a 9 × 8 miniature to its right
 * neighbour. As a signed 64-bit integer, which is what PostgreSQL stores.
 */
export function differenceHash(grey: Uint8Array): bigint {
  let bits = 0n;
  for (let y = 0; y < hashHeight; y++) {
    for (let x = 0; x < hashWidth - 1; x++) {
      const left = grey[y * hashWidth + x] ?? 0;
      const right = grey[y * hashWidth + x + 1] ?? 0;
      bits = (bits << 1n) | (right > left ? 1n : 0n);
    }
  }
  return BigInt.asIntN(64, bits);
}
