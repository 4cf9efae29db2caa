import { togglesArea } from '../measure';
import { FIRST, type RatioBase, type Toggles, UNION } from './kernel';

let scratch = new Uint32Array(1 << 10);

export function combine(a: Toggles, b: Toggles, table: number): Uint32Array {
  if (scratch.length < a.length + b.length) scratch = new Uint32Array(2 * (a.length + b.length));
  const out = scratch;
  const end = a[a.length - 1] as number;
  let i = 0;
  let j = 0;
  let count = 0;
  let before = 0;
  for (;;) {
    const pa = a[i] as number;
    const pb = b[j] as number;
    const position = Math.min(pa, pb);
    if (position === end) break;
    if (pa === position) i++;
    if (pb === position) j++;
    const now = (table >> ((i & 1) | ((j & 1) << 1))) & 1;
    if (now !== before) {
      out[count++] = position;
      before = now;
    }
  }
  out[count++] = end;
  return out.slice(0, count);
}

export function overlap(a: Toggles, b: Toggles): number {
  let i = 1;
  let j = 1;
  let sum = 0;
  while (i < a.length && j < b.length) {
    const endA = a[i] as number;
    const endB = b[j] as number;
    const from = Math.max(a[i - 1] as number, b[j - 1] as number);
    const to = Math.min(endA, endB);
    if (to > from) sum += to - from;
    if (endA <= endB) i += 2;
    if (endB <= endA) j += 2;
  }
  return sum;
}

export function overlapRatio(a: Toggles, b: Toggles, against: RatioBase): number {
  const both = overlap(a, b);
  const first = togglesArea(a);
  if (against === FIRST) return both / first;
  const sum = first + togglesArea(b);
  return against === UNION ? both / (sum - both) : (2 * both) / sum;
}
