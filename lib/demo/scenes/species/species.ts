import type { Figure, Stance } from '../figure';

/** A kind of thing that can be drawn: one body plan with the looks of one breed or model. */
export interface Species {
  id: string;
  /** ImageNet class whose looks it borrows. */
  wnid?: string;
  draw(stance: Stance): Figure;
  /** Whole-object attributes that hold for every individual. */
  traits?: readonly string[];
}
