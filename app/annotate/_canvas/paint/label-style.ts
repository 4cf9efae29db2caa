import { instanceColour } from '@/lib/core/schema';

/** Colour and pattern of a label: the pattern keeps labels apart for those who do not see the colours. */
export type LabelStyle = { readonly colour: string; readonly pattern: Pattern };

export const patterns = ['plain', 'rising', 'falling', 'dots', 'level', 'upright'] as const;
export type Pattern = (typeof patterns)[number];

/** Bright enough to stand out of dark and light photographs alike, behind a dark seam. */
const colours = ['#ffb000', '#35c7ff', '#ff5fa2', '#7be05a', '#b58cff', '#ff7a3d'];

export function labelStyle(place: number): LabelStyle {
  return {
    colour: colours[place % colours.length] ?? '#ffb000',
    pattern: patterns[place % patterns.length] ?? 'plain',
  };
}

/** The style of an instance of a label: another shade of its colour, with another pattern. */
export function instanceStyle({ colour, pattern }: LabelStyle, instance: number): LabelStyle {
  if (instance === 1) return { colour, pattern };
  const place = patterns.indexOf(pattern) + instance - 1;
  return { colour: instanceColour(colour, instance), pattern: patterns[place % patterns.length] ?? 'plain' };
}

/** Side of the repeated tile, in canvas pixels. */
const TILE = 8;

const fills = new Map<string, CanvasPattern | string>();

/** What to fill an area with; made once per style. */
export function fillOf({ colour, pattern }: LabelStyle): CanvasPattern | string {
  const key = colour + pattern;
  const known = fills.get(key);
  if (known) return known;
  const made = pattern === 'plain' ? colour : tile(colour, pattern);
  fills.set(key, made);
  return made;
}

function tile(colour: string, pattern: Pattern): CanvasPattern | string {
  const canvas = document.createElement('canvas');
  canvas.width = TILE;
  canvas.height = TILE;
  const context = canvas.getContext('2d');
  if (!context) return colour;
  context.fillStyle = colour;
  context.fillRect(0, 0, TILE, TILE);
  context.strokeStyle = 'rgb(0 0 0 / 45%)';
  context.fillStyle = context.strokeStyle;
  context.lineWidth = 1.5;
  context.beginPath();
  for (const [x1, y1, x2, y2] of lines[pattern]) {
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  }
  context.stroke();
  if (pattern === 'dots') context.fillRect(TILE / 2 - 1, TILE / 2 - 1, 2.5, 2.5);
  return context.createPattern(canvas, 'repeat') ?? colour;
}

/** Diagonals run on beyond the corners, so that neighbouring tiles join. */
const lines: Readonly<Record<Pattern, readonly (readonly [number, number, number, number])[]>> = {
  plain: [],
  dots: [],
  rising: [
    [-2, TILE + 2, TILE + 2, -2],
    [-2, 2, 2, -2],
    [TILE - 2, TILE + 2, TILE + 2, TILE - 2],
  ],
  falling: [
    [-2, -2, TILE + 2, TILE + 2],
    [TILE - 2, -2, TILE + 2, 2],
    [-2, TILE - 2, 2, TILE + 2],
  ],
  level: [[0, TILE / 2, TILE, TILE / 2]],
  upright: [[TILE / 2, 0, TILE / 2, TILE]],
};
