import type { InteractionSummary } from './summary';

const MIN_REACHES = 5;
const MIN_PRESSES = 5;
/** Interquartile range of log gaps. Practised tapping varies by 4 % or more, a timer by far less. */
const EVEN_BELOW = 0.12;
const CONSTANT_BELOW = 0.03;
/** Pointing at something and pressing takes a hand longer than this (Fitts 1954). */
const INSTANT_MS = 250;

export const machineMarks = [
  'scripted-events',
  'even-rhythm',
  'constant-rhythm',
  'ruled-lines',
  'equal-steps',
  'jumps',
  'instant-jumps',
] as const;
export type MachineMark = (typeof machineMarks)[number];

/**
 * What is machine-like about how an answer was entered. A person may well show one of these: tapping has an even rhythm,
 * voice control with a grid jumps, extensions for keyboard users script their clicks. Two at once are unusual.
 */
export function marksOf(summary: InteractionSummary): MachineMark[] {
  const { downs, touches, keys, clicks, moves, untrusted, gapSpread, gapMedianMs } = summary;
  const { reaches, straightReaches, steadyReaches, jumps } = summary;
  const presses = downs - touches;
  const isJumping = presses >= MIN_PRESSES && jumps >= 0.8 * (presses - 1);
  const shows: Record<MachineMark, boolean> = {
    'scripted-events': untrusted >= 3 && untrusted > 0.2 * (downs + keys + clicks + moves),
    'even-rhythm': gapSpread !== null && gapSpread < EVEN_BELOW,
    'constant-rhythm': gapSpread !== null && gapSpread < CONSTANT_BELOW,
    'ruled-lines': reaches >= MIN_REACHES && straightReaches >= 0.9 * reaches,
    'equal-steps': reaches >= MIN_REACHES && steadyReaches >= 0.9 * reaches,
    jumps: isJumping,
    'instant-jumps': isJumping && gapMedianMs !== null && gapMedianMs < INSTANT_MS,
  };
  return machineMarks.filter((mark) => shows[mark]);
}
