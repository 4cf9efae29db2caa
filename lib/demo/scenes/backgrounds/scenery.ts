import type { Light } from '../paint';
import { darken, lighten, mixHex } from '../palette';
import type { Rng } from '../prng';
import {
  element,
  ellipseElement,
  line,
  linearGradient,
  num,
  path,
  radialGradient,
  rect,
  type Stop,
} from '../svg';
import type { Canvas } from '.';

/** Light from above, more or less to one side. */
export function daylight(rng: Rng, contrast: number): Light {
  const angle = rng.between(-1, 1);
  return { x: Math.sin(angle), y: -Math.cos(angle), contrast };
}

export function verticalFade(
  id: string,
  top: number,
  bottom: number,
  width: number,
  stops: readonly Stop[],
): string {
  return (
    `<defs>${linearGradient(id, [0, top], [0, bottom], stops)}</defs>` +
    rect(0, top, width, bottom - top, `url(#${id})`)
  );
}

/** A soft round glow. */
export function glow(id: string, x: number, y: number, r: number, colour: string, opacity: number): string {
  const gradient = radialGradient(id, [
    [0, colour, opacity],
    [1, colour, 0],
  ]);
  return `<defs>${gradient}</defs>${ellipseElement(x, y, r, r, `url(#${id})`)}`;
}

/** An uneven horizon filled down to the bottom: hills, dunes, snow drifts, waves. */
export function ridge(canvas: Canvas, y: number, swing: number, waves: number, fill: string): string {
  const { rng, width, height } = canvas;
  const [a, b] = [rng.between(0, 6.3), rng.between(0, 6.3)];
  let data = `M0 ${num(height)}L0 ${num(y)}`;
  const steps = 24;
  for (let i = 0; i <= steps; i++) {
    const t = i / steps;
    const lift = Math.sin(a + t * waves * 6.28) * 0.6 + Math.sin(b + t * waves * 2.4 * 6.28) * 0.4;
    data += `L${num(t * width)} ${num(y - lift * swing)}`;
  }
  return path(`${data}L${num(width)} ${num(height)}Z`, fill);
}

/** A jagged line of peaks with lit and shaded flanks. */
export function peaks(canvas: Canvas, y: number, size: number, colour: string): string {
  const { rng, width } = canvas;
  let out = '';
  for (let x = -size * 0.3; x < width + size * 0.3; x += size * rng.between(0.5, 0.9)) {
    const [h, w] = [size * rng.between(0.5, 1), size * rng.between(0.55, 0.8)];
    const crest = x + w * rng.between(-0.1, 0.1);
    out += path(`M${num(x - w)} ${num(y)}L${num(crest)} ${num(y - h)}L${num(x + w)} ${num(y)}Z`, colour);
    out += path(
      `M${num(crest)} ${num(y - h)}L${num(x + w)} ${num(y)}L${num(x + w * 0.1)} ${num(y)}Z`,
      darken(colour, 0.16),
    );
    out += path(
      `M${num(crest)} ${num(y - h)}L${num(crest - w * 0.24)} ${num(y - h * 0.72)}L${num(crest)} ${num(y - h * 0.78)}L${num(crest + w * 0.22)} ${num(y - h * 0.72)}Z`,
      '#f4f6f8',
      0.9,
    );
  }
  return out;
}

export function clouds(
  canvas: Canvas,
  count: number,
  top: number,
  bottom: number,
  colour: string,
  opacity: number,
): string {
  const { rng, width } = canvas;
  let out = '';
  for (let i = 0; i < count; i++) {
    const [x, y] = [rng.between(0, width), rng.between(top, bottom)];
    const size = width * rng.between(0.06, 0.13);
    for (let k = -2; k <= 2; k++) {
      const lift = (2 - Math.abs(k)) * size * 0.22;
      out += ellipseElement(
        x + k * size * 0.55,
        y - lift,
        size * rng.between(0.45, 0.65),
        size * rng.between(0.28, 0.4),
        colour,
        opacity,
      );
    }
  }
  return out;
}

export function tree(
  rng: Rng,
  x: number,
  foot: number,
  size: number,
  leaf: string,
  conifer: boolean,
): string {
  const trunk = rect(x - size * 0.05, foot - size * 0.4, size * 0.1, size * 0.4, '#5b4231');
  if (conifer) {
    const tiers = [0, 1, 2].map((k) => {
      const [y, w] = [foot - size * (0.18 + k * 0.26), size * (0.34 - k * 0.08)];
      return path(
        `M${num(x - w)} ${num(y)}L${num(x)} ${num(y - size * 0.42)}L${num(x + w)} ${num(y)}Z`,
        mixHex(leaf, '#ffffff', k * 0.06),
      );
    });
    return trunk + tiers.join('');
  }
  let crown = '';
  for (let k = 0; k < 5; k++) {
    const [dx, dy] = [rng.between(-0.26, 0.26) * size, rng.between(-0.85, -0.5) * size];
    crown += ellipseElement(
      x + dx,
      foot + dy,
      size * rng.between(0.2, 0.3),
      size * rng.between(0.18, 0.26),
      k % 2 ? lighten(leaf, 0.12) : leaf,
    );
  }
  return trunk + crown;
}

/** Short strokes over the ground: grass, ripples, gravel, floor boards. */
export function groundStrokes(
  canvas: Canvas,
  top: number,
  count: number,
  shape: (rng: Rng, near: number) => readonly [dx: number, dy: number],
  colour: string,
  opacity: number,
): string {
  const { rng, width, height } = canvas;
  let data = '';
  for (let i = 0; i < count; i++) {
    const near = rng.next();
    const y = top + (height - top) * near * near;
    const [dx, dy] = shape(rng, 0.25 + near * 0.75);
    data += `M${num(rng.between(-5, width))} ${num(y)}l${num(dx)} ${num(dy)}`;
  }
  return line(data, colour, Math.max(0.7, width / 320), opacity);
}

export function grass(canvas: Canvas, top: number, colour: string): string {
  const unit = canvas.height / 40;
  const blade = (rng: Rng, near: number) => [rng.between(-0.4, 0.4) * unit * near, -unit * near] as const;
  return (
    groundStrokes(canvas, top, 130, blade, darken(colour, 0.3), 0.5) +
    groundStrokes(canvas, top, 110, blade, lighten(colour, 0.3), 0.5)
  );
}

export function ripples(canvas: Canvas, top: number, colour: string): string {
  const unit = canvas.width / 12;
  const ripple = (rng: Rng, near: number) => [rng.between(0.4, 1) * unit * near, 0] as const;
  return (
    groundStrokes(canvas, top, 60, ripple, lighten(colour, 0.5), 0.4) +
    groundStrokes(canvas, top, 50, ripple, darken(colour, 0.3), 0.35)
  );
}

/** House fronts with windows along the horizon. */
export function houses(
  canvas: Canvas,
  foot: number,
  size: number,
  walls: readonly string[],
  lit: boolean,
): string {
  const { rng, width } = canvas;
  let out = '';
  for (let x = -size * 0.2; x < width; ) {
    const [w, h] = [size * rng.between(0.5, 0.85), size * rng.between(0.7, 1.35)];
    const wall = rng.pick(walls);
    out += rect(x, foot - h, w, h, wall) + rect(x, foot - h, w, size * 0.05, darken(wall, 0.25));
    const [columns, rows] = [3, Math.max(2, Math.round((h / size) * 4))];
    for (let c = 0; c < columns; c++) {
      for (let r = 0; r < rows; r++) {
        const glass = lit
          ? rng.bernoulli(0.45)
            ? '#f3cf7a'
            : '#232a3d'
          : rng.pick(['#6f8ba3', '#87a2b6', '#5a7288']);
        out += rect(
          x + w * (0.12 + c * 0.28),
          foot - h + h * (0.12 + (r * 0.84) / rows),
          w * 0.17,
          (h * 0.5) / rows,
          glass,
        );
      }
    }
    x += w * 1.02;
  }
  return out;
}

export function polygon(
  points: ReadonlyArray<readonly [number, number]>,
  fill: string,
  opacity?: number,
): string {
  return element('polygon', {
    points: points.map(([x, y]) => `${num(x)},${num(y)}`).join(' '),
    fill,
    opacity,
  });
}
