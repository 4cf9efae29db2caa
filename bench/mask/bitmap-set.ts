import { BitmapBuffer, encodeCounts, type Mask, toBitmap, toColumnBitmap } from '@/lib/core/mask';

/** Masks in every form that a contender reads them in. */
export class BitmapSet {
  readonly masks: readonly Mask[];
  readonly strings: string[];
  readonly rows: Uint8Array[];
  readonly columns: Uint8Array[];
  readonly buffers: Record<'rows' | 'columns', BitmapBuffer[]>;

  constructor(masks: readonly Mask[]) {
    this.masks = masks;
    this.strings = masks.map(encodeCounts);
    this.rows = masks.map(toBitmap);
    this.columns = masks.map(toColumnBitmap);
    this.buffers = {
      rows: masks.map((mask) => filledBuffer(mask, 'rows', toBitmap(mask))),
      columns: masks.map((mask) => filledBuffer(mask, 'columns', toColumnBitmap(mask))),
    };
  }
}

function filledBuffer(mask: Mask, order: 'rows' | 'columns', bytes: Uint8Array): BitmapBuffer {
  const buffer = new BitmapBuffer(mask.height, mask.width, order);
  buffer.bytes.set(bytes);
  return buffer;
}
