import type { Finish } from '../figure';
import type { ColourName, Tone } from '../palette';
import type { Pattern } from './marks';

/** Proportions in units of about a hundredth of the animal's length; drawn facing right. */
export interface QuadrupedBuild {
  bodyLength: number;
  bodyDepth: number;
  /** 0 a level belly, 1 a greyhound's. */
  tuck: number;
  legLength: number;
  legWidth: number;
  neckLength: number;
  neckWidth: number;
  /** Radians above the horizontal. */
  neckRise: number;
  headSize: number;
  snoutLength: number;
  snoutDepth: number;
  /** A face turned to the viewer shows both eyes. */
  face: 'side' | 'front';
  ears: 'pointed' | 'floppy' | 'leaf' | 'round';
  tail: 'long' | 'plume' | 'short' | 'horse' | 'tuft' | 'stub';
  horns?: 'lyre' | 'straight' | 'cow' | 'ram';
  mane?: boolean;
  hooves: boolean;
  /** Cows and sheep: the published part list has no hooves of their own. */
  splitLegs?: boolean;
  longSnout: boolean;
  coat: Tone;
  under: Tone;
  dark: Tone;
  maneTone?: Tone;
  eye: Tone & { coloured: boolean };
  pattern: Pattern;
  patternHex: string;
  /** Set when the pattern's colour is one that a worker would name. */
  patternName?: ColourName;
  finish: Finish;
}
