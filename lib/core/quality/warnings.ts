import { findRingFault } from '@/lib/core/geometry';
import {
  area,
  boundingBox,
  components,
  DEFAULT_SIZE_AWARE_RULE,
  dilate,
  intersectionArea,
  type Mask,
  type Shape,
} from '@/lib/core/mask';
import type { StageKind } from './answer';

/** What a warning can look at: a label, and what else is known about its picture. */
export type Suspect = {
  stageKind: StageKind;
  mask: Mask | null;
  /** The drawing behind the mask, if there is one. */
  shapes: readonly Shape[];
  /** The mask of the whole object in the same picture. */
  object: Mask | null;
  /** Localised attributes that the label marks, that have no mask and that nobody is asked to draw. */
  undrawn: readonly string[];
};

/** Something about a label that wrong labels show more often than right ones. It proves nothing by itself. */
type Warning = {
  id: string;
  title: string;
  /** What the curator is told to look for. */
  description: string;
  /** The odds that a label is wrong are multiplied by this. */
  odds: number;
  applies(suspect: Suspect): boolean;
};

const attributeWithoutMask: Warning = {
  id: 'attribute-without-mask',
  title: 'Attribute without mask',
  description: 'An attribute that is to be drawn is marked, but it has no mask and nobody is asked for one.',
  odds: 2.5,
  applies: ({ stageKind, undrawn }) => stageKind === 'attributes' && undrawn.length > 0,
};

const bowTies: Warning = {
  id: 'bow-ties',
  title: 'Outline crosses itself',
  description: 'The outline crosses itself, so that a piece between the crossing lines may be missing.',
  odds: 2,
  applies: ({ shapes }) =>
    shapes.some(
      (shape) =>
        shape.kind === 'polygon' &&
        [shape.outer, ...shape.holes].some((ring) => findRingFault(ring)?.kind === 'self-crossing'),
    ),
};

const CORNERS = 4;

const fourCorners: Warning = {
  id: 'four-corners',
  title: 'Four corners',
  description: 'The outline has no more than four corners: a box around it, not its border?',
  odds: 2.5,
  applies: ({ shapes }) =>
    shapes.length > 0 &&
    shapes.every(
      (shape) => shape.kind === 'polygon' && shape.op === 'add' && shape.outer.length <= 2 * CORNERS,
    ),
};

/** Either outline may be off by what a careful hand is forgiven. */
const ROOM = 2 * DEFAULT_SIZE_AWARE_RULE.tolerance;

/** What two careful outlines of the same border still differ by. */
const OUTSIDE_SHARE = 0.15;

const partOutsideObject: Warning = {
  id: 'part-outside-object',
  title: 'Part outside the object',
  description: 'More than 15 % of the part lies outside of the object’s own mask: one of the two is wrong.',
  odds: 3,
  applies: ({ stageKind, mask, object }) => {
    if (stageKind !== 'part-mask' || !mask || !object) return false;
    return 1 - intersectionArea(mask, dilate(object, ROOM)) / Math.max(1, area(mask)) > OUTSIDE_SHARE;
  },
};

/** A piece of at most 5 × 5 pixels that is no fiftieth of the mask is a slip of the hand, not a part. */
const SPECK_PIXELS = 25;
const SPECK_SHARE = 0.02;

const specks: Warning = {
  id: 'specks',
  title: 'Specks',
  description:
    'Beside the mask lie pieces of a few pixels: a click that slipped, or a selection that leaked.',
  odds: 1.8,
  applies: ({ mask }) => {
    if (!mask) return false;
    const pieces = components(mask, 8).map(area);
    const limit = Math.min(SPECK_PIXELS, SPECK_SHARE * area(mask));
    return pieces.length > 1 && pieces.some((pixels) => pixels <= limit);
  },
};

/** 8 × 8 pixels: below this, two pixels of a careful hand's error are half of the mask. */
const TINY_PIXELS = 64;

const tiny: Warning = {
  id: 'tiny',
  title: 'Tiny',
  description: 'The mask has fewer than 64 pixels: is it the part, or a click?',
  odds: 2,
  applies: ({ mask }) => mask !== null && area(mask) < TINY_PIXELS,
};

const touchesBorder: Warning = {
  id: 'touches-border',
  title: 'Touches the border',
  description: 'The mask reaches the edge of the picture: is all of it there, and nothing of the frame?',
  odds: 1.3,
  applies: ({ mask }) => {
    if (!mask) return false;
    const [x, y, width, height] = boundingBox(mask);
    if (width === 0) return false;
    return x === 0 || y === 0 || x + width === mask.width || y + height === mask.height;
  },
};

/** Every warning there is; a new one is a file and a line here. */
export const warnings: readonly Warning[] = [
  partOutsideObject,
  attributeWithoutMask,
  fourCorners,
  bowTies,
  tiny,
  specks,
  touchesBorder,
];

export const warningOf = (id: string): Warning | undefined => warnings.find((warning) => warning.id === id);

export const warningsAbout = (suspect: Suspect): string[] =>
  warnings.filter((warning) => warning.applies(suspect)).map((warning) => warning.id);
