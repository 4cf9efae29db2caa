import { MaskError } from './errors';
import { kernel, TABLES } from './kernel';
import { checkSameSize, type Mask } from './mask';

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
