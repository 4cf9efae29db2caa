import type { Backdrop, Surface } from './backgrounds';
import type { ContactShadow } from './draw';
import type { Figure } from './figure';
import { drawOccluder, waterLine } from './occluders';
import { layerBounds, type PlacedLayer, type Pose, placeLayer, ringBounds } from './placement';
import type { Rng } from './prng';

export interface Frame {
  width: number;
  height: number;
  backdrop: Backdrop;
  surface: Surface;
}

export interface Composition {
  layers: PlacedLayer[];
  shadows: ContactShadow[];
  inWater: boolean;
}

/** Share of the picture's side that the figure spans: large when easy, small when difficult. */
function span(rng: Rng, difficulty: number): number {
  return rng.between(0.66, 0.9) * (1 - 0.55 * difficulty * rng.next());
}

function choosePose(figure: Figure, frame: Frame, facing: 1 | -1, difficulty: number, rng: Rng): Pose {
  const bounds = layerBounds(figure.layers);
  const [w, h] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const fill = span(rng, difficulty);
  const scale = Math.min((frame.width * fill) / w, (frame.height * fill * 0.92) / h);
  const [pw, ph] = [w * scale, h * scale];
  const slack = Math.max(0, frame.width * 0.98 - pw) / 2;
  const x = frame.width / 2 + rng.between(-slack, slack) * 0.9;
  const turn = rng.between(-0.05, 0.05) * (1 + 3 * difficulty);
  const lowest = frame.height * 0.96;
  if (figure.airborne) {
    const centre = Math.min(
      lowest - ph / 2,
      Math.max(frame.height * 0.04 + ph / 2, frame.height * rng.between(0.3, 0.6)),
    );
    return {
      scale,
      facing,
      turn: turn * 2,
      pivot: [(bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2],
      x,
      y: centre,
    };
  }
  const foot = frame.backdrop.horizon + (lowest - frame.backdrop.horizon) * rng.between(0.35, 0.95);
  const y = Math.min(lowest, Math.max(foot, frame.height * 0.03 + ph));
  return { scale, facing, turn: turn * 0.6, pivot: [(bounds.left + bounds.right) / 2, bounds.bottom], x, y };
}

/** Covers part of the lower flank of the figure, never more than about a third of it. */
function occluderLayers(
  figure: readonly PlacedLayer[],
  frame: Frame,
  occlusion: number,
  rng: Rng,
): PlacedLayer[] {
  if (!rng.bernoulli(Math.min(1, occlusion * 1.5))) return [];
  const bounds = ringBounds(figure.flatMap((layer) => layer.rings));
  const [w, h] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const size = Math.min(w, h) * (0.14 + 0.2 * occlusion) * rng.between(0.8, 1.2);
  const pose: Pose = {
    scale: size,
    facing: 1,
    turn: 0,
    pivot: [0, 0],
    x: bounds.left + w * rng.between(0.08, 0.92),
    y: Math.min(frame.height * 1.01, bounds.bottom + size * rng.between(0.02, 0.2)),
  };
  return drawOccluder(frame.surface, rng, frame.backdrop.ground).map((entry) =>
    placeLayer(entry, pose, undefined),
  );
}

function waterLayers(figure: readonly PlacedLayer[], frame: Frame, draught: number, rng: Rng): PlacedLayer[] {
  const bounds = ringBounds(figure.flatMap((layer) => layer.rings));
  const [w, h] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const hidden = Math.max(2, h * draught);
  const half = w * 0.62;
  const pose: Pose = {
    scale: half,
    facing: 1,
    turn: 0,
    pivot: [0, 0],
    x: (bounds.left + bounds.right) / 2,
    y: bounds.bottom - hidden,
  };
  return [placeLayer(waterLine(rng, frame.backdrop.ground, (hidden * 1.7 + 3) / half), pose, undefined)];
}

/** One figure in its surroundings: shadow or water line, the figure, and what stands before it. */
export function composeFigure(
  figure: Figure,
  frame: Frame,
  facing: 1 | -1,
  knobs: { difficulty: number; occlusion: number },
  rng: Rng,
): Composition {
  const pose = choosePose(figure, frame, facing, knobs.difficulty, rng.fork('pose'));
  const layers = figure.layers.map((entry) => placeLayer(entry, pose, 0));
  const wading = frame.surface === 'water' && !figure.airborne;
  const inWater = wading || frame.surface === 'deep';
  const bounds = ringBounds(layers.flatMap((entry) => entry.rings));
  const shadows =
    figure.airborne || wading
      ? []
      : [
          {
            x: (bounds.left + bounds.right) / 2,
            y: bounds.bottom - 1,
            rx: (bounds.right - bounds.left) * 0.56,
            ry: Math.max(3, (bounds.right - bounds.left) * 0.07),
            before: 0,
          },
        ];
  const front = rng.fork('front');
  return {
    layers: [
      ...layers,
      ...(wading ? waterLayers(layers, frame, figure.draught, front) : []),
      ...(figure.airborne ? [] : occluderLayers(layers, frame, knobs.occlusion, front)),
    ],
    shadows,
    inWater,
  };
}
