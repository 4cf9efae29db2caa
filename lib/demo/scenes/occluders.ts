import type { Surface } from './backgrounds';
import { blob, box, ellipse, limb, type Outline, type Point } from './curves';
import { type Layer, layer } from './figure';
import { darken, lighten } from './palette';
import type { Rng } from './prng';

/** Things that stand in front, drawn on the square from (−1, −2) to (1, 0) with their foot at y = 0. */
function bush(rng: Rng, ground: string): Layer[] {
  const leaf = rng.pick(['#4f7a3a', '#5d8a43', '#3f6b40', darken(ground, 0.25)]);
  const lobes = [-0.7, 0.7, -0.4, 0.45, 0].map((x, i) => {
    const r = rng.between(0.42, 0.55);
    return ellipse(x, -0.35 - i * 0.18, r, r * 0.95);
  });
  return lobes.map((lobe, i) => layer(lobe, '', { hex: lighten(leaf, i * 0.04) }, 'feather'));
}

function tuft(rng: Rng, ground: string): Layer[] {
  const blades = Array.from({ length: 9 }, (_, i): Outline => {
    const x = -0.9 + i * 0.22;
    const lean = rng.between(-0.4, 0.4);
    const tall = rng.between(0.9, 1.7);
    return limb([
      [x, 0.1, 0.11],
      [x + lean * 0.4, -tall * 0.5, 0.09],
      [x + lean, -tall, 0.015],
    ]);
  });
  return blades.map((blade) =>
    layer(blade, '', { hex: rng.pick(['#6f9a45', '#557f38', lighten(ground, 0.15)]) }),
  );
}

function rock(rng: Rng, ground: string): Layer[] {
  const points: Point[] = [
    [-1, 0.1],
    [-0.9, -rng.between(0.5, 0.9)],
    [-0.3, -rng.between(1, 1.4)],
    [0.5, -rng.between(0.9, 1.2)],
    [0.95, -rng.between(0.3, 0.7)],
    [1, 0.1],
  ];
  return [layer(blob(points), '', { hex: rng.pick(['#8d877f', '#77736e', darken(ground, 0.3)]) }, 'moist')];
}

function post(rng: Rng): Layer[] {
  const hex = rng.pick(['#5c6069', '#8b3a33', '#c7c9c6']);
  return [
    layer(box(-0.17, -2.4, 0.34, 2.5, 0.08), '', { hex }, 'metal'),
    layer(box(-0.17, -2.1, 0.34, 0.3), '', { hex: '#f1efe8' }),
  ];
}

function crate(rng: Rng): Layer[] {
  const hex = rng.pick(['#b98a57', '#a7784a', '#8f6b47']);
  const boards = [-0.85, -0.45].map((y) => ({
    points: [
      [-0.8, y],
      [0.8, y],
    ] as Point[],
    stroke: darken(hex, 0.45),
    width: 0.05,
  }));
  return [layer(box(-0.8, -1.25, 1.6, 1.35, 0.05), '', { hex }, 'plain', boards)];
}

const BY_SURFACE: Readonly<Record<Surface, ReadonlyArray<(rng: Rng, ground: string) => Layer[]>>> = {
  ground: [bush, tuft, rock],
  water: [tuft, rock],
  deep: [tuft, rock],
  air: [bush],
  floor: [crate, bush],
  street: [post, crate, bush],
};

export function drawOccluder(surface: Surface, rng: Rng, ground: string): Layer[] {
  return rng.pick(BY_SURFACE[surface])(rng, ground);
}

/** The water in front of whatever stands in it, from x = −1 to 1: a ripple that reaches `depth` downwards. */
export function waterLine(rng: Rng, ground: string, depth: number): Layer {
  const phase = rng.between(0, 6.28);
  const crest = Array.from({ length: 25 }, (_, i): Point => {
    const t = i / 12 - 1;
    return [t, (Math.sin(phase + t * 13) + Math.sin(phase * 2 + t * 5)) * depth * 0.045];
  });
  const keel = Array.from({ length: 15 }, (_, i): Point => {
    const angle = ((i + 1) / 16) * Math.PI;
    return [Math.cos(angle), Math.sin(angle) * depth];
  });
  const glints = [0.02, 0.22, 0.45].map((t) => ({
    points: crest.map(([x, y]): Point => [x * (1 - t * 0.6), y + depth * t]),
    stroke: lighten(ground, 0.65),
    width: depth * 0.035,
    opacity: 0.6 - t,
  }));
  return layer([...crest, ...keel], '', { hex: ground }, 'backdrop', glints);
}
