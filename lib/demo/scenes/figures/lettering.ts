import type { Point } from '../curves';
import { box } from '../curves';
import { type Layer, layer, type Mark, type Stance } from '../figure';
import type { Tone } from '../palette';

/** Letters as pen strokes on a grid 2 wide and 4 high, digits "xy" per corner: pictures must not depend on fonts. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: '04 10 24|0323',
  C: '21 10 01 03 14 23',
  E: '20 00 04 24|0212',
  H: '00 04|20 24|0222',
  I: '10 14',
  K: '00 04|20 02 24',
  L: '00 04 24',
  M: '04 00 12 20 24',
  N: '04 00 24 20',
  O: '10 01 03 14 23 21 10',
  R: '04 00 20 22 02|1224',
  S: '20 10 01 12 23 14 04',
  T: '00 20|1014',
  U: '00 03 14 23 20',
  V: '00 14 20',
  X: '00 24|20 04',
  '1': '01 10 14',
  '2': '01 10 21 04 24',
  '4': '14 10 03 23',
  '7': '00 20 14',
};

const WORDS = [
  'TESSERA',
  'ATLAS',
  'NORTH',
  'MARINE',
  'EXTRA',
  'KITE',
  'SILVA',
  'ORION',
  'LUMEN',
  'VISTA',
] as const;
const PLATES = ['KA 142', 'SN 717', 'HL 421', 'TE 127', 'MO 274'] as const;

export const brandName = ({ rng }: Stance) => rng.pick(WORDS);
export const plateNumber = ({ rng }: Stance) => rng.pick(PLATES);

function strokesOf(glyph: string): Point[][] {
  return glyph.split('|').map((stroke) => {
    const digits = stroke.replaceAll(' ', '');
    return Array.from(
      { length: digits.length / 2 },
      (_, i): Point => [Number(digits[2 * i]), Number(digits[2 * i + 1])],
    );
  });
}

function letterMarks(
  text: string,
  x: number,
  y: number,
  width: number,
  height: number,
  ink: string,
  mirrored: boolean,
): Mark[] {
  const advance = width / (text.length * 3 - 1);
  const rise = height / 4;
  return [...text].flatMap((letter, i) =>
    strokesOf(GLYPHS[letter] ?? '').map((stroke): Mark => {
      const points = stroke.map(([px, py]): Point => {
        const across = (i * 3 + px) * advance;
        return [mirrored ? x + width - across : x + across, y + py * rise];
      });
      return { points, stroke: ink, width: Math.min(advance, rise) * 0.62 };
    }),
  );
}

/** A panel with writing on it; the panel is what the attribute "text" covers. It reads correctly however the figure faces. */
export function textPanel(
  text: string,
  area: readonly [x: number, y: number, width: number, height: number],
  tags: string,
  panel: Tone,
  ink: string,
  { facing }: Stance,
): Layer {
  const [x, y, width, height] = area;
  const [mx, my] = [width * 0.08, height * 0.22];
  const letters = letterMarks(text, x + mx, y + my, width - 2 * mx, height - 2 * my, ink, facing === -1);
  return layer(
    box(x, y, width, height, Math.min(width, height) * 0.12),
    `${tags} text`,
    panel,
    'plain',
    letters,
  );
}
