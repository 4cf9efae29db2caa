import type { Utf8Writer } from '../codecs/utf8-writer';

/** Pixels of all sides that are remembered at once: some megabytes. */
const MOST = 2 ** 20;
/** " 0.123456" */
const LONGEST = 9;

/** Whole pixels as shares of a side, as text with a blank before it: a side has few of them and a dataset millions of points. */
class SideShares {
  readonly #texts: Uint8Array;
  /** 0 where a text was never asked for. */
  readonly #lengths: Uint8Array;

  constructor(private readonly side: number) {
    this.#texts = new Uint8Array(LONGEST * (side + 1));
    this.#lengths = new Uint8Array(side + 1);
  }

  write(to: Utf8Writer, value: number): void {
    const at = value * LONGEST;
    if (this.#lengths[value] === 0) this.#lengths[value] = this.#format(value, at);
    to.part(this.#texts, at, at + (this.#lengths[value] as number));
  }

  /** Six digits place a point of the widest picture within a thirtieth of a pixel. */
  #format(value: number, at: number): number {
    const share = Number((value / this.side).toFixed(6));
    return encoder.encodeInto(` ${share}`, this.#texts.subarray(at, at + LONGEST)).written;
  }
}

const encoder = new TextEncoder();

/** The shares of every side that pictures have. */
export class Shares {
  readonly #sides = new Map<number, SideShares>();
  #held = 0;

  of(side: number): SideShares {
    const known = this.#sides.get(side);
    if (known) return known;
    if (this.#held + side > MOST) {
      this.#sides.clear();
      this.#held = 0;
    }
    this.#held += side;
    const shares = new SideShares(side);
    this.#sides.set(side, shares);
    return shares;
  }
}
