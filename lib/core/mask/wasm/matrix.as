import { area, box } from './measure';
import { overlap } from './overlap';
import { frame } from './runs';

// A batch of n masks is a list of n entries: where the toggles start and how many there are, 2 × u32. Areas (u32 each)
// and boxes (4 × i32 each) lie where the caller wants them.

@inline
function toggles(list: usize, i: i32): usize {
  return <usize>load<u32>(list + (<usize>i << 3));
}

@inline
function count(list: usize, i: i32): i32 {
  return load<i32>(list + (<usize>i << 3), 4);
}

/** Readies a batch that has just been written. */
export function frameAll(list: usize, n: i32): void {
  for (let i = 0; i < n; i++) frame(toggles(list, i), count(list, i));
}

export function measureAreas(list: usize, n: i32, areas: usize): void {
  for (let i = 0; i < n; i++) store<u32>(areas + (<usize>i << 2), area(toggles(list, i), count(list, i)));
}

export function measureBoxes(list: usize, n: i32, h: i32, boxes: usize): void {
  for (let i = 0; i < n; i++) box(toggles(list, i), count(list, i), h, boxes + (<usize>i << 4));
}

@inline
function apart(a: usize, b: usize): bool {
  const ax = load<i32>(a);
  const ay = load<i32>(a, 4);
  const bx = load<i32>(b);
  const by = load<i32>(b, 4);
  return (
    bx >= ax + load<i32>(a, 8) ||
    ax >= bx + load<i32>(b, 8) ||
    by >= ay + load<i32>(a, 12) ||
    ay >= by + load<i32>(b, 12)
  );
}

/** What the common pixels of a and b are measured against. */
const UNION: i32 = 0;
const FIRST: i32 = 1;

/** Common pixels over those of the union, of the first, or twice over both added; NaN when there are none. */
export function overlapRatio(a: usize, na: i32, b: usize, nb: i32, against: i32): f64 {
  const both = overlap(a, na, b, nb);
  const areaA = area(a, na);
  if (against == FIRST) return <f64>both / <f64>areaA;
  const sum = areaA + area(b, nb);
  return against == UNION ? <f64>both / <f64>(sum - both) : <f64>(2 * both) / <f64>sum;
}

/** COCO's IoU of the first m masks with the n that follow, row by row; `crowd` has a byte for each of the n. */
export function matrix(list: usize, m: i32, n: i32, areas: usize, boxes: usize, crowd: usize, out: usize): void {
  for (let i = 0; i < m; i++) {
    const a = toggles(list, i);
    const na = count(list, i);
    const boxA = boxes + (<usize>i << 4);
    const areaA = load<u32>(areas + (<usize>i << 2));
    for (let j = 0; j < n; j++, out += 8) {
      const k = m + j;
      let value: f64 = 0;
      if (!apart(boxA, boxes + (<usize>k << 4))) {
        const both = overlap(a, na, toggles(list, k), count(list, k));
        const areaB = load<u32>(areas + (<usize>k << 2));
        const whole = load<u8>(crowd + <usize>j) ? areaA : areaA + areaB - both;
        if (both > 0) value = <f64>both / <f64>whole;
      }
      store<f64>(out, value);
    }
  }
}
