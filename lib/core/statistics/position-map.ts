import type { Mask } from '@/lib/core/mask';
import { columnSpans } from '@/lib/core/mask/mask';
import { rounded } from './figure';
import type { MaskKind } from './sizes';

/** Cells along each side of the map. */
export const GRID = 24;

export interface PositionMap {
  kind: MaskKind;
  id: string;
  /** Masks with at least one pixel. */
  n: number;
  /** Mean share of a cell that the masks cover, row by row from the top left; the image is stretched to a square. */
  cells: number[];
}

/** Where masks lie in their images. Costs as much as a mask has runs, not pixels. */
export class PositionCounts {
  readonly #sums = new Float64Array(GRID * GRID);
  #n = 0;

  add(mask: Mask): void {
    if (mask.toggles.length === 1) return;
    this.#n += 1;
    const { starts, tops, bottoms } = columnSpans(mask);
    const column = new Float64Array(GRID);
    for (let x = 0; x < mask.width; x++) {
      const from = starts[x] as number;
      const to = starts[x + 1] as number;
      if (from === to) continue;
      column.fill(0);
      for (let span = from; span < to; span++)
        overlaps(tops[span] as number, bottoms[span] as number, mask.height, (cell, share) => {
          column[cell] = (column[cell] as number) + share;
        });
      overlaps(x, x + 1, mask.width, (cell, share) => {
        for (let row = 0; row < GRID; row++) {
          const at = row * GRID + cell;
          this.#sums[at] = (this.#sums[at] as number) + share * (column[row] as number);
        }
      });
    }
  }

  result(kind: MaskKind, id: string): PositionMap {
    const n = this.#n;
    return { kind, id, n, cells: Array.from(this.#sums, (sum) => (n === 0 ? 0 : rounded(sum / n, 4))) };
  }
}

/** Cells that pixels `from` to `to` of a side of `size` pixels touch, with the share of the cell that they cover. */
function overlaps(from: number, to: number, size: number, found: (cell: number, share: number) => void) {
  const start = (from * GRID) / size;
  const end = (to * GRID) / size;
  for (let cell = Math.floor(start); cell < end && cell < GRID; cell++) {
    const share = Math.min(end, cell + 1) - Math.max(start, cell);
    if (share > 0) found(cell, share);
  }
}
