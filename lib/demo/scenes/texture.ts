import type { Bounds } from './curves';
import type { Finish } from './figure';
import { darken, lighten } from './palette';
import type { PlacedLayer } from './placement';
import type { Rng } from './prng';
import { line, num } from './svg';

/** One pass of short strokes over a layer; sizes are fractions of the layer's shorter side. */
interface StrokePass {
  /** Strokes per 1,000 square pixels of the bounding box. */
  density: number;
  length: number;
  width: number;
  bend: number;
  opacity: number;
}

const PASSES: Partial<Record<Finish, StrokePass>> = {
  fur: { density: 9, length: 0.11, width: 0.009, bend: 0.25, opacity: 0.2 },
  feather: { density: 6, length: 0.1, width: 0.012, bend: 0.8, opacity: 0.2 },
  scale: { density: 8, length: 0.05, width: 0.02, bend: 1.6, opacity: 0.25 },
  moist: { density: 2.5, length: 0.03, width: 0.03, bend: 0.2, opacity: 0.35 },
  cloth: { density: 1.2, length: 0.22, width: 0.014, bend: 0.4, opacity: 0.16 },
};

const MAX_STROKES = 260;

function strokes(bounds: Bounds, pass: StrokePass, rng: Rng): string {
  const width = bounds.right - bounds.left;
  const height = bounds.bottom - bounds.top;
  const size = Math.max(6, Math.min(width, height));
  const count = Math.min(MAX_STROKES, Math.round((width * height * pass.density) / 1000));
  let data = '';
  for (let i = 0; i < count; i++) {
    const x = rng.between(bounds.left, bounds.right);
    const y = rng.between(bounds.top, bounds.bottom);
    const length = Math.max(1.5, size * pass.length * rng.between(0.6, 1.3));
    const angle = 2.2 + rng.between(-0.45, 0.45);
    const [dx, dy] = [length * Math.cos(angle), length * Math.sin(angle)];
    data += `M${num(x)} ${num(y)}q${num(dx / 2 - dy * 0.5 * pass.bend)} ${num(dy / 2)} ${num(dx)} ${num(dy)}`;
  }
  return data;
}

/** Hair, feathers, scales, wet glints or cloth folds by the layer's finish. */
export function surfaceTexture(layer: PlacedLayer, bounds: Bounds, rng: Rng): string {
  const pass = PASSES[layer.finish];
  if (!pass) return '';
  const size = Math.min(bounds.right - bounds.left, bounds.bottom - bounds.top);
  const width = Math.max(0.5, Math.min(2.2, size * pass.width));
  const bright = lighten(layer.tone.hex, 0.5);
  const dark = darken(layer.tone.hex, 0.5);
  if (layer.finish === 'moist') return line(strokes(bounds, pass, rng), '#ffffff', width, pass.opacity);
  return (
    line(strokes(bounds, pass, rng), dark, width, pass.opacity) +
    line(strokes(bounds, pass, rng), bright, width, pass.opacity)
  );
}
