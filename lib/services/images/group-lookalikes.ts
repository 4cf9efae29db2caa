/** Bits of 64 in which the perceptual hashes of two pictures that look alike may differ. */
export const farthest = 3;

interface Hashed {
  id: string;
  hash: bigint;
}

interface Leader {
  id: string;
  low: number;
  high: number;
}

/**
 * Gives each picture the first one (in the given order) that it looks like; a picture that starts a group stands
 * for itself, and one that nothing looks like is left out. Everybody is compared with the first of a group and
 * never with its other members, so that a chain of small steps cannot tie pictures together that differ.
 *
 * At most 3 differing bits leave one of four 16-bit quarters equal: only first pictures that share a quarter are
 * looked at.
 */
export function groupLookalikes(pictures: Iterable<Hashed>): Map<string, string> {
  const byQuarter: Map<number, Leader[]>[] = [new Map(), new Map(), new Map(), new Map()];
  const byHash = new Map<bigint, Leader>();
  const groups = new Map<string, string>();
  for (const { id, hash } of pictures) {
    const bits = BigInt.asUintN(64, hash);
    const mine: Leader = { id, low: Number(bits & 0xffffffffn), high: Number(bits >> 32n) };
    const leader = byHash.get(bits) ?? nearest(byQuarter, mine);
    if (leader) {
      groups.set(leader.id, leader.id);
      groups.set(id, leader.id);
      continue;
    }
    byHash.set(bits, mine);
    quartersOf(mine).forEach((quarter, place) => {
      const bucket = byQuarter[place]?.get(quarter);
      if (bucket) bucket.push(mine);
      else byQuarter[place]?.set(quarter, [mine]);
    });
  }
  return groups;
}

const quartersOf = ({ low, high }: Leader) => [low & 0xffff, low >>> 16, high & 0xffff, high >>> 16];

/** The one that differs least, and of those the first. */
function nearest(byQuarter: readonly Map<number, Leader[]>[], mine: Leader): Leader | undefined {
  let best: Leader | undefined;
  let least = farthest + 1;
  for (const [place, quarter] of quartersOf(mine).entries()) {
    for (const leader of byQuarter[place]?.get(quarter) ?? []) {
      const differing = ones(mine.low ^ leader.low) + ones(mine.high ^ leader.high);
      if (differing < least || (differing === least && best && leader.id < best.id)) {
        best = leader;
        least = differing;
      }
    }
  }
  return best;
}

/** How many bits of 32 are set. */
export function ones(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
