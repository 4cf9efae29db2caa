import type { Backdrop } from './backgrounds';
import { paintLayer } from './paint';
import type { PlacedLayer } from './placement';
import { createRng } from './prng';
import { element, ellipseElement, pathData, radialGradient, rect } from './svg';

export interface ContactShadow {
  x: number;
  y: number;
  rx: number;
  ry: number;
  /** Index of the first layer that is painted after it. */
  before: number;
}

/** Everything that the picture and its truth are made from. */
export interface ScenePlan {
  seed: number;
  width: number;
  height: number;
  backdrop: Backdrop;
  layers: PlacedLayer[];
  shadows: ContactShadow[];
  /** 0 clear, 1 thick mist. */
  haze: number;
}

function document(plan: ScenePlan, content: string): string {
  const { width, height } = plan;
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
    content,
  );
}

function layersSvg(
  plan: ScenePlan,
  layers: readonly PlacedLayer[],
  shadows: readonly ContactShadow[],
): string {
  const rng = createRng(plan.seed).fork('texture');
  let out = '';
  layers.forEach((layer, i) => {
    for (const shadow of shadows) {
      if (shadow.before === i)
        out += ellipseElement(shadow.x, shadow.y, shadow.rx, shadow.ry, 'url(#shadow)');
    }
    out += paintLayer(layer, String(i), plan.backdrop.light, rng.fork(String(i)));
  });
  return out;
}

/** Pixels. */
const GRAIN_TILE = 128;

/** Film grain and a vignette tie figure and background together. */
function finish(plan: ScenePlan): string {
  const { width, height, backdrop, haze } = plan;
  const noise = `<filter id="noise" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency="0.8" numOctaves="1" seed="${plan.seed % 1000}"/><feColorMatrix values="0 0 0 0 0.5 0 0 0 0 0.5 0 0 0 0 0.5 0.9 0.9 0 0 -0.72"/></filter>`;
  // One tile repeated: noise over the whole of a large picture would take as long as all the rest.
  const grain = element(
    'pattern',
    { id: 'grain', width: GRAIN_TILE, height: GRAIN_TILE, patternUnits: 'userSpaceOnUse' },
    element('rect', { width: GRAIN_TILE, height: GRAIN_TILE, filter: 'url(#noise)' }),
  );
  const vignette = radialGradient('vignette', [
    [0.55, '#000000', 0],
    [1, '#0b0a1a', 0.13],
  ]);
  return (
    `<defs>${noise}${grain}${vignette}</defs>` +
    (backdrop.tint ? rect(0, 0, width, height, backdrop.tint.colour, backdrop.tint.opacity) : '') +
    (haze > 0 ? rect(0, 0, width, height, '#dfe4ea', 0.5 * haze) : '') +
    rect(0, 0, width, height, 'url(#grain)', 0.12) +
    rect(0, 0, width, height, 'url(#vignette)')
  );
}

const SHADOW = radialGradient('shadow', [
  [0, '#0d0b1c', 0.55],
  [0.6, '#0d0b1c', 0.28],
  [1, '#0d0b1c', 0],
]);

export function drawScene(plan: ScenePlan): string {
  return document(
    plan,
    `<defs>${SHADOW}</defs>${plan.backdrop.svg}${layersSvg(plan, plan.layers, plan.shadows)}${finish(plan)}`,
  );
}

/** The layers alone on nothing: its opaque pixels are what the masks claim. */
export function drawCutout(plan: ScenePlan): string {
  return document(plan, layersSvg(plan, plan.layers, []));
}

/** Every layer in the flat colour that `colourOf` gives it, without smoothing: the masks as a renderer sees them. */
export function drawFlat(plan: ScenePlan, colourOf: (layer: PlacedLayer) => string): string {
  const shapes = plan.layers.map((layer) =>
    element('path', { d: layer.rings.map((ring) => pathData(ring, true)).join(''), fill: colourOf(layer) }),
  );
  return document(plan, element('g', { 'shape-rendering': 'crispEdges' }, shapes.join('')));
}
