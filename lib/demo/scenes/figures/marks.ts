import type { Bounds, Point } from '../curves';
import { blob, ellipse } from '../curves';
import type { Mark } from '../figure';
import type { Rng } from '../prng';

export type Pattern = 'none' | 'stripes' | 'spots' | 'patches';

/** Bands across the area, wavy and tapering, as on a zebra or a tabby. */
function stripes(area: Bounds, hex: string, rng: Rng, gap: number): Mark[] {
  const marks: Mark[] = [];
  for (let x = area.left - gap; x < area.right + gap; x += gap * rng.between(0.85, 1.2)) {
    const lean = rng.between(-0.5, 0.5) * gap;
    const w = gap * rng.between(0.2, 0.34);
    const mid = (area.top + area.bottom) / 2;
    const foot = area.bottom - (area.bottom - area.top) * rng.between(0, 0.25);
    marks.push({
      points: blob([
        [x - w, area.top - 1],
        [x + w, area.top - 1],
        [x + lean + w * 0.8, mid],
        [x + lean * 0.3, foot],
        [x + lean - w * 0.6, mid],
      ]),
      closed: true,
      fill: hex,
    });
  }
  return marks;
}

function spots(area: Bounds, hex: string, rng: Rng, size: number): Mark[] {
  const marks: Mark[] = [];
  for (let y = area.top; y < area.bottom; y += size * 2.3) {
    for (let x = area.left; x < area.right; x += size * 2.6) {
      const [cx, cy] = [x + rng.between(-0.7, 0.7) * size, y + rng.between(-0.7, 0.7) * size];
      const r = size * rng.between(0.5, 0.95);
      marks.push({
        points: ellipse(cx, cy, r, r * rng.between(0.7, 1), rng.between(0, 3), 12),
        closed: true,
        fill: hex,
      });
    }
  }
  return marks;
}

function patches(area: Bounds, hex: string, rng: Rng): Mark[] {
  const [w, h] = [area.right - area.left, area.bottom - area.top];
  return [0.18, 0.55, 0.88].map((at): Mark => {
    const [cx, cy] = [area.left + w * (at + rng.between(-0.08, 0.08)), area.top + h * rng.between(0.2, 0.6)];
    const points = Array.from({ length: 7 }, (_, i): Point => {
      const angle = (i / 7) * 2 * Math.PI;
      const r = rng.between(0.7, 1.25);
      return [cx + Math.cos(angle) * w * 0.13 * r, cy + Math.sin(angle) * h * 0.3 * r];
    });
    return { points: blob(points), closed: true, fill: hex };
  });
}

/** Marks of a coat pattern over an area; `grain` is the width of a stripe's period or of a spot. */
export function patternMarks(pattern: Pattern, area: Bounds, hex: string, rng: Rng, grain: number): Mark[] {
  if (pattern === 'stripes') return stripes(area, hex, rng, grain);
  if (pattern === 'spots') return spots(area, hex, rng, grain * 0.45);
  return pattern === 'patches' ? patches(area, hex, rng) : [];
}

/** Pupil and glint of an eye. */
export function eyeMarks(x: number, y: number, r: number, slit = 1): Mark[] {
  return [
    { points: ellipse(x, y, r * 0.55 * slit, r * 0.62, 0, 12), closed: true, fill: '#15131a' },
    { points: ellipse(x - r * 0.28, y - r * 0.32, r * 0.22, r * 0.22, 0, 8), closed: true, fill: '#ffffff' },
  ];
}
