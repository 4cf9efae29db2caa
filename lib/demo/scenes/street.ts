import type { Backdrop } from './backgrounds';
import type { ContactShadow } from './draw';
import { stance } from './figure';
import { layerBounds, type PlacedLayer, type Pose, placeLayer, ringBounds } from './placement';
import type { Rng } from './prng';
import { catalogue } from './species/catalogue';

/** Metres per unit of the body plans. */
const UNIT: Readonly<Record<string, number>> = {
  person: 0.0175,
  rider: 0.0175,
  car: 0.045,
  truck: 0.045,
  bus: 0.05,
};

/** How often each road user turns up. */
const TRAFFIC = ['person', 'person', 'person', 'rider', 'car', 'car', 'car', 'truck', 'bus'] as const;

export interface RoadUser {
  className: string;
  /** y of the contact with the ground, 0 at the kerb and 1 at the bottom of the picture. */
  depth: number;
  /** x as a share of the picture's width. */
  at: number;
}

/** The main road user in front, the others behind it, far ones first. */
export function castStreet(className: string, rng: Rng): RoadUser[] {
  const others = Array.from({ length: rng.integer(2, 5) }, (_, i): RoadUser => {
    return { className: rng.pick(TRAFFIC), depth: rng.between(0, 0.55), at: (i + rng.between(0.1, 0.9)) / 5 };
  });
  const main: RoadUser = { className, depth: rng.between(0.62, 0.92), at: rng.between(0.28, 0.72) };
  return [...others.sort((a, b) => a.depth - b.depth), main];
}

export interface Street {
  layers: PlacedLayer[];
  shadows: ContactShadow[];
}

/** Everyone on the street in true relative size: pixels per metre grow linearly from the horizon down. */
export function composeStreet(
  cast: readonly RoadUser[],
  backdrop: Backdrop,
  width: number,
  height: number,
  rng: Rng,
): Street {
  const layers: PlacedLayer[] = [];
  const shadows: ContactShadow[] = [];
  const eye = backdrop.horizon - height * 0.1;
  cast.forEach((user, instance) => {
    const own = rng.fork(`user ${instance}`);
    const facing = own.bernoulli(0.5) ? 1 : -1;
    const species = own.pick(catalogue['cityscapes-parts']?.[user.className] ?? []);
    const figure = species.draw(stance(own.fork('figure'), facing, 'street'));
    const bounds = layerBounds(figure.layers);
    const y = backdrop.horizon + (height * 0.97 - backdrop.horizon) * user.depth;
    // A camera 1.6 m above the road sees 1.6 m between the horizon and the ground at every distance.
    const scale = Math.min(
      ((y - eye) / 1.6) * (UNIT[user.className] ?? 0.02),
      (width * 0.8) / (bounds.right - bounds.left),
    );
    const pose: Pose = {
      scale,
      facing,
      turn: 0,
      pivot: [(bounds.left + bounds.right) / 2, bounds.bottom],
      x: width * user.at,
      y,
    };
    const placed = figure.layers.map((entry) => placeLayer(entry, pose, instance));
    const extent = ringBounds(placed.flatMap(({ rings }) => rings));
    const half = (extent.right - extent.left) / 2;
    shadows.push({
      x: width * user.at,
      y: y - 1,
      rx: half * 1.12,
      ry: Math.max(2, half * 0.14),
      before: layers.length,
    });
    layers.push(...placed);
  });
  return { layers, shadows };
}
