import type { Bounds } from './curves';
import type { Finish } from './figure';
import { darken, lighten } from './palette';
import { type PlacedLayer, type PlacedMark, ringBounds } from './placement';
import type { Rng } from './prng';
import { element, line, linearGradient, num, path, pathData, type Stop } from './svg';

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
function surfaceTexture(layer: PlacedLayer, bounds: Bounds, rng: Rng): string {
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

/** Unit vector from the figure towards the light, y downwards, and how strong its contrast is (0-1). */
export interface Light {
  x: number;
  y: number;
  contrast: number;
}

function shadeStops(hex: string, finish: Finish, contrast: number): Stop[] {
  const up = 0.3 * contrast;
  const down = 0.38 * contrast;
  if (finish === 'metal') {
    return [
      [0, lighten(hex, up + 0.1)],
      [0.3, hex],
      [0.42, lighten(hex, up + 0.22)],
      [0.52, hex],
      [1, darken(hex, down)],
    ];
  }
  if (finish === 'glass') {
    return [
      [0, lighten(hex, 0.45)],
      [0.5, hex],
      [1, darken(hex, 0.3)],
    ];
  }
  return [
    [0, lighten(hex, up)],
    [0.45, hex],
    [1, darken(hex, down)],
  ];
}

function shadeGradient(id: string, layer: PlacedLayer, bounds: Bounds, light: Light): string {
  const cx = (bounds.left + bounds.right) / 2;
  const cy = (bounds.top + bounds.bottom) / 2;
  const reach =
    (Math.abs(light.x) * (bounds.right - bounds.left) + Math.abs(light.y) * (bounds.bottom - bounds.top)) / 2;
  return linearGradient(
    id,
    [cx + light.x * reach, cy + light.y * reach],
    [cx - light.x * reach, cy - light.y * reach],
    shadeStops(layer.tone.hex, layer.finish, light.contrast),
  );
}

function drawMark(mark: PlacedMark): string {
  const data = pathData(mark.line, mark.closed === true);
  if (mark.fill) return path(data, mark.fill, mark.opacity);
  return line(data, mark.stroke ?? '#000000', mark.width, mark.opacity);
}

/** Highlight towards the light and core shadow away from it: the same outline, pushed aside and seen through itself. */
function volume(shape: string, layer: PlacedLayer, size: number, light: Light): string {
  if (layer.finish === 'glass') return '';
  const push = 0.07 * Math.min(size, 400);
  const ring = (dx: number, dy: number, colour: string, opacity: number) =>
    element('path', {
      d: shape,
      fill: 'none',
      stroke: colour,
      'stroke-width': 2 * push,
      'stroke-opacity': opacity,
      transform: `translate(${num(dx)} ${num(dy)})`,
    });
  const dark = darken(layer.tone.hex, 0.55);
  const bright = lighten(layer.tone.hex, 0.6);
  return (
    ring(light.x * push * 0.75, light.y * push * 0.75, dark, 0.2 * light.contrast) +
    ring(-light.x * push * 0.8, -light.y * push * 0.8, bright, 0.16 * light.contrast)
  );
}

/** Fur and feathers have no hard rim where one part of the body passes into the next. */
const SOFT_EDGES: ReadonlySet<Finish> = new Set(['fur', 'feather', 'moist']);

/** One layer as SVG. All decoration is clipped to the layer's own rings, so nothing can spill beyond the mask. */
export function paintLayer(layer: PlacedLayer, id: string, light: Light, rng: Rng): string {
  const bounds = ringBounds(layer.rings);
  const size = Math.hypot(bounds.right - bounds.left, bounds.bottom - bounds.top);
  const shape = layer.rings.map((ring) => pathData(ring, true)).join('');
  if (layer.finish === 'backdrop')
    return clipped(
      shape,
      id,
      path(shape, `url(#soil) ${layer.tone.hex}`),
      layer.marks.map(drawMark).join(''),
    );
  const edge = Math.max(0.8, Math.min(3, size * 0.018));
  const inside =
    volume(shape, layer, Math.min(bounds.right - bounds.left, bounds.bottom - bounds.top), light) +
    surfaceTexture(layer, bounds, rng) +
    layer.marks.map(drawMark).join('') +
    element('path', {
      d: shape,
      fill: 'none',
      stroke: darken(layer.tone.hex, 0.6),
      'stroke-width': edge,
      'stroke-opacity': SOFT_EDGES.has(layer.finish) ? 0.3 : 0.55,
    });
  return `<defs>${shadeGradient(`g${id}`, layer, bounds, light)}</defs>${clipped(shape, id, path(shape, `url(#g${id})`), inside)}`;
}

function clipped(shape: string, id: string, fill: string, inside: string): string {
  const clip = `<defs><clipPath id="c${id}">${element('path', { d: shape })}</clipPath></defs>`;
  return clip + fill + element('g', { 'clip-path': `url(#c${id})` }, inside);
}
