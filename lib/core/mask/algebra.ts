import type { Box } from '@/lib/core/geometry';
import { iou } from './compare';
import { kernel, TABLES, type Toggles } from './kernel';
import { checkSameSize, type Mask, MaskError, RunBuilder } from './mask';
import { dilate } from './morphology';

export function union(a: Mask, b: Mask): Mask {
  return combine(a, b, TABLES.union);
}

export function intersection(a: Mask, b: Mask): Mask {
  return combine(a, b, TABLES.intersection);
}

/** The pixels of a that are not in b. */
export function difference(a: Mask, b: Mask): Mask {
  return combine(a, b, TABLES.difference);
}

/** The pixels in exactly one of both. */
export function exclusive(a: Mask, b: Mask): Mask {
  return combine(a, b, TABLES.exclusive);
}

export function invert(mask: Mask): Mask {
  const { height, width, toggles } = mask;
  if (toggles[0] === 0) return { height, width, toggles: toggles.slice(1) };
  const inverted = new Uint32Array(toggles.length + 1);
  inverted.set(toggles, 1);
  return { height, width, toggles: inverted };
}

/** Union of any number of masks of one size. */
export function merge(masks: readonly Mask[]): Mask {
  const [first] = masks;
  if (!first) throw new MaskError('no-masks', 'masks', 'merging needs at least one mask');
  // Pairing neighbours keeps the work at runs · log(masks), where folding one by one is quadratic.
  let level: readonly Mask[] = masks;
  while (level.length > 1) {
    const next: Mask[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const a = level[i] as Mask;
      const b = level[i + 1];
      next.push(b ? union(a, b) : a);
    }
    level = next;
  }
  return level[0] as Mask;
}

function combine(a: Mask, b: Mask, table: number): Mask {
  checkSameSize(a, b);
  return { height: a.height, width: a.width, toggles: kernel().combine(a.toggles, b.toggles, table) };
}

/** Number of foreground pixels. */
export function area(mask: Mask): number {
  return togglesArea(mask.toggles);
}

export function togglesArea(toggles: Toggles): number {
  let sum = 0;
  for (let i = 1; i < toggles.length; i += 2) sum += (toggles[i] as number) - (toggles[i - 1] as number);
  return sum;
}

export function isEmpty(mask: Mask): boolean {
  return mask.toggles.length === 1;
}

/** The tight box in pixels, or [0, 0, 0, 0] for an empty mask (as COCO answers). */
export function boundingBox(mask: Mask): Box {
  return togglesBox(mask.toggles, mask.height);
}

export function togglesBox(toggles: Toggles, height: number): Box {
  if (toggles.length === 1) return [0, 0, 0, 0];
  let top = height;
  let bottom = -1;
  for (let i = 1; i < toggles.length; i += 2) {
    const first = toggles[i - 1] as number;
    const last = (toggles[i] as number) - 1;
    const firstColumn = Math.floor(first / height);
    const lastColumn = Math.floor(last / height);
    if (firstColumn !== lastColumn) {
      // A run over a column border covers the bottom of one column and the top of the next.
      top = 0;
      bottom = height - 1;
    } else {
      top = Math.min(top, first - firstColumn * height);
      bottom = Math.max(bottom, last - lastColumn * height);
    }
  }
  const left = Math.floor((toggles[0] as number) / height);
  const right = Math.floor(((toggles[(toggles.length & ~1) - 1] as number) - 1) / height);
  return [left, top, right - left + 1, bottom - top + 1];
}

export type SizeAwareRule = {
  /** The IoU asked of large parts. */
  readonly bar: number;
  /** The error, in pixels all round, that a careful hand may make whatever the size. */
  readonly tolerance: number;
};

/** 0.70 is RIVAL10's bar; two pixels cost a part of radius 4 more than half of its IoU, one of radius 64 6 %. */
export const DEFAULT_SIZE_AWARE_RULE: SizeAwareRule = { bar: 0.7, tolerance: 2 };

/** A pixel reaches this far beyond its centre, between centres dilation measures. */
const HALF_PIXEL = 0.5;

/** The IoU that drawing this part `tolerance` pixels too fat all round would get. */
export function fairIou(truth: Mask, tolerance: number): number {
  const size = area(truth);
  return size === 0 ? 1 : size / area(dilate(truth, tolerance + HALF_PIXEL));
}

/**
 * A score in [0, 1] to hold against `bar` at every size. Where even a careful drawing cannot reach the bar, IoU is
 * stretched along two straight lines so that exactly that drawing reaches it (0 stays 0, 1 stays 1); elsewhere it is
 * the plain IoU, which stays the number to report. Lines and not a power, because browsers round powers differently.
 */
export function sizeAwareScore(answer: Mask, truth: Mask, rule = DEFAULT_SIZE_AWARE_RULE): number {
  checkSameSize(answer, truth);
  const { bar, tolerance } = rule;
  if (!(bar > 0 && bar < 1))
    throw new MaskError('bad-argument', 'rule.bar', `a bar lies between 0 and 1, got ${bar}`);
  const plain = iou(answer, truth);
  const fair = fairIou(truth, tolerance);
  if (fair >= bar) return plain;
  return plain <= fair ? (plain / fair) * bar : bar + ((plain - fair) / (1 - fair)) * (1 - bar);
}

/** More masks than this would overflow the 16-bit counts. */
const MAX_VOTERS = 65_535;

/** How many of the masks cover each pixel, row-major. */
export function voteMap(masks: readonly Mask[]): Uint16Array {
  const { height, width } = checkVoters(masks);
  const changes = voteChanges(masks);
  const votes = new Uint16Array(height * width);
  let count = 0;
  for (let x = 0, position = 0; x < width; x++)
    for (let y = 0; y < height; y++, position++) {
      count += changes[position] as number;
      votes[y * width + x] = count;
    }
  return votes;
}

/** The pixels that at least `minVotes` of the masks cover. */
export function atLeast(masks: readonly Mask[], minVotes: number): Mask {
  const { height, width } = checkVoters(masks);
  const changes = voteChanges(masks);
  const builder = new RunBuilder();
  let count = 0;
  let from = -1;
  for (let position = 0; position < height * width; position++) {
    count += changes[position] as number;
    const inside = count >= minVotes;
    if (inside && from < 0) from = position;
    if (!inside && from >= 0) {
      builder.add(from, position);
      from = -1;
    }
  }
  if (from >= 0) builder.add(from, height * width);
  return builder.build(height, width);
}

function voteChanges(masks: readonly Mask[]): Int32Array {
  const { height, width } = masks[0] as Mask;
  const changes = new Int32Array(height * width + 1);
  for (const { toggles } of masks)
    for (let i = 0; i < toggles.length - 1; i++) {
      const position = toggles[i] as number;
      changes[position] = (changes[position] as number) + (i & 1 ? -1 : 1);
    }
  return changes;
}

function checkVoters(masks: readonly Mask[]): Mask {
  const [first] = masks;
  if (!first) throw new MaskError('no-masks', 'masks', 'a vote needs at least one mask');
  if (masks.length > MAX_VOTERS)
    throw new MaskError('bad-argument', 'masks', `at most ${MAX_VOTERS} masks can vote, got ${masks.length}`);
  for (const mask of masks) checkSameSize(first, mask);
  return first;
}
