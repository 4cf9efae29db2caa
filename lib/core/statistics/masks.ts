import type { Mask } from '@/lib/core/mask';
import { columnSpans } from '@/lib/core/mask/mask';

export type MaskKind = 'object' | 'part' | 'attribute';

/** From a ten-millionth of the image (one pixel of ten megapixels) to all of it. */
const DECADES = 7;
/** A quantile read from a class this narrow is off by at most 1.2 %. */
const FINE = 100;
/** Displayed bars per factor of ten. */
const COARSE = 4;

export interface Sizes {
  kind: MaskKind;
  /** Of the part or attribute; "" for the whole object. */
  id: string;
  /** Masks with at least one pixel. */
  n: number;
  mean: Figure;
  /** Shares of the image, each within 1.2 % of itself. */
  quantiles: Record<(typeof levels)[number]['name'], Figure>;
  /** Masks by size, four bars per factor of ten; empty ends are left out. */
  bars: { from: number; to: number; count: number }[];
}

const levels = [
  { name: 'p5', at: 0.05 },
  { name: 'p25', at: 0.25 },
  { name: 'median', at: 0.5 },
  { name: 'p75', at: 0.75 },
  { name: 'p95', at: 0.95 },
] as const;

/** Shares of the image as a histogram on a logarithmic scale: as large for ten masks as for ten million. */
export class SizeCounts {
  readonly #fine = new Float64Array(DECADES * FINE);
  #n = 0;
  #sum = 0;

  add(pixels: number, imagePixels: number): void {
    if (pixels === 0) return;
    const share = Math.min(1, pixels / imagePixels);
    // 1 is the upper end of the last class.
    const at = Math.ceil((Math.log10(share) + DECADES) * FINE) - 1;
    const fitting = Math.max(0, Math.min(DECADES * FINE - 1, at));
    this.#fine[fitting] = (this.#fine[fitting] as number) + 1;
    this.#n += 1;
    this.#sum += share;
  }

  result(kind: MaskKind, id: string): Sizes {
    const nothing = noFigure('There is no mask of it.');
    return {
      kind,
      id,
      n: this.#n,
      mean: this.#n === 0 ? nothing : figure(rounded(this.#sum / this.#n, 8)),
      quantiles: Object.fromEntries(
        levels.map(({ name, at }) => [name, this.#n === 0 ? nothing : figure(this.#quantile(at))]),
      ) as Sizes['quantiles'],
      bars: this.#bars(),
    };
  }

  /** The middle of the class that holds the k-th smallest, k = ⌈level · n⌉. */
  #quantile(level: number): number {
    const wanted = Math.max(1, Math.ceil(level * this.#n));
    let seen = 0;
    for (let at = 0; at < this.#fine.length; at++) {
      seen += this.#fine[at] as number;
      if (seen >= wanted) return rounded(10 ** ((at + 0.5) / FINE - DECADES), 9);
    }
    return 1;
  }

  #bars(): Sizes['bars'] {
    const wide = FINE / COARSE;
    const bars = Array.from({ length: DECADES * COARSE }, (_, bar) => ({
      from: rounded(10 ** (bar / COARSE - DECADES), 9),
      to: rounded(10 ** ((bar + 1) / COARSE - DECADES), 9),
      count: this.#fine.subarray(bar * wide, (bar + 1) * wide).reduce((sum, count) => sum + count, 0),
    }));
    const first = bars.findIndex(({ count }) => count > 0);
    const last = bars.findLastIndex(({ count }) => count > 0);
    return first < 0 ? [] : bars.slice(first, last + 1);
  }
}

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

/** A number, or why there is none: a mean of nothing and the correlation of a constant are no zeros. */
export type Figure = { readonly value: number } | { readonly value: null; readonly reason: string };

export const figure = (value: number): Figure => ({ value });
export const noFigure = (reason: string): Figure => ({ value: null, reason });

/** As many digits as a file needs: two machines that differ in the last bit write the same. */
export const rounded = (value: number, digits = 6): number => Number(value.toFixed(digits));
