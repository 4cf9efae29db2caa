import type { Box } from '@/lib/core/geometry';
import type { Toggles } from './kernel';
import type { Mask } from './mask';

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
