import { farthest, ones } from '@/lib/services/images/group-lookalikes';

interface Hashed {
  id: string;
  hash: bigint;
}

interface Bits {
  id: string;
  low: number;
  high: number;
}

/**
 * Pairs of pictures whose perceptual hashes differ in few bits, enough of them to connect all that are alike over any
 * number of steps: a split that keeps every pair together keeps everything together that looks alike.
 */
export function nearPairs(pictures: readonly Hashed[]): [string, string][] {
  const pairs: [string, string][] = [];
  const firstOf = new Map<bigint, Bits>();
  for (const { id, hash } of pictures) {
    const bits = BigInt.asUintN(64, hash);
    const first = firstOf.get(bits);
    if (first) pairs.push([first.id, id]);
    else firstOf.set(bits, { id, low: Number(bits & 0xffffffffn), high: Number(bits >> 32n) });
  }
  // At most 3 differing bits leave one of four 16-bit quarters equal.
  const distinct = [...firstOf.values()];
  const seen = new Set<string>();
  for (let quarter = 0; quarter < 4; quarter++) {
    const buckets = new Map<number, Bits[]>();
    for (const bits of distinct) {
      const key = ((quarter < 2 ? bits.low : bits.high) >>> (quarter % 2 === 0 ? 0 : 16)) & 0xffff;
      const bucket = buckets.get(key);
      if (!bucket) buckets.set(key, [bits]);
      else {
        for (const other of bucket) {
          if (ones(bits.low ^ other.low) + ones(bits.high ^ other.high) > farthest) continue;
          const name = `${other.id}\n${bits.id}`;
          if (!seen.has(name)) pairs.push([other.id, bits.id]);
          seen.add(name);
        }
        bucket.push(bits);
      }
    }
  }
  return pairs;
}
