import { ellipse, type Outline, type Point } from '../curves';
import { type Layer, layer, type Mark } from '../figure';
import { darken, type Tone } from '../palette';

export const GLASS: Tone = { hex: '#7f9db3' };
const RUBBER: Tone = { hex: '#26262b', name: 'black' };

/** A wheel with its tyre, rim and spokes. */
export function wheel(x: number, y: number, r: number, tags = 'wheels wheel tier'): Layer {
  const spokes: Mark[] = [0, 1, 2, 3, 4].map((k) => {
    const angle = (k / 5) * 2 * Math.PI + 0.3;
    return {
      points: [
        [x, y],
        [x + Math.cos(angle) * r * 0.55, y + Math.sin(angle) * r * 0.55],
      ],
      stroke: '#6d7278',
      width: r * 0.13,
    };
  });
  return layer(ellipse(x, y, r, r, 0, 40), tags, RUBBER, 'rubber', [
    { points: ellipse(x, y, r * 0.62), closed: true, fill: '#c7ccd1' },
    ...spokes,
    { points: ellipse(x, y, r * 0.16), closed: true, fill: '#565b61' },
  ]);
}

/** Glass with a slanting reflection. */
export function pane(outline: Outline, tags = 'windows window body'): Layer {
  const xs = outline.map(([x]) => x);
  const ys = outline.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const w = right - left;
  const glare = (from: number, to: number): Mark => ({
    points: [
      [left + w * from, bottom],
      [left + w * (from + 0.25), top],
      [left + w * (to + 0.25), top],
      [left + w * to, bottom],
    ],
    closed: true,
    fill: '#ffffff',
    opacity: 0.28,
  });
  return layer(outline, tags, GLASS, 'glass', [glare(0.1, 0.25), glare(0.34, 0.4)]);
}

export function lamp(outline: Outline, tags: string, front: boolean): Layer {
  return layer(outline, `lights body ${tags}`, { hex: front ? '#f3ead0' : '#b3262a' }, 'glass');
}

export function seam(points: readonly Point[], hex: string, width = 0.5): Mark {
  return { points, stroke: darken(hex, 0.6), width, opacity: 0.6 };
}
