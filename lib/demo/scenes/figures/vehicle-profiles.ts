import { corners, ellipse, type Outline, type Point } from '../curves';
import { type Layer, layer, type Mark } from '../figure';
import { darken, type Tone } from '../palette';

const GLASS: Tone = { hex: '#7f9db3' };
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

/** A side view, front to the right, ground at y = 0, in units of about 4.5 cm. */
export interface VehicleProfile {
  body: readonly Point[];
  roof?: readonly Point[];
  /** Load box behind the cab. */
  cargo?: readonly Point[];
  windows: ReadonlyArray<readonly Point[]>;
  doors: ReadonlyArray<readonly Point[]>;
  wheels: ReadonlyArray<readonly [x: number, radius: number]>;
  headlight: readonly Point[];
  taillight: readonly Point[];
  mirror: Point;
  /** Where writing goes: x, y, width, height. */
  sign: readonly [number, number, number, number];
  open?: boolean;
}

const SALOON_NOSE: readonly Point[] = corners('72,-29 94,-25 100,-17 99,-8');

export const saloon: VehicleProfile = {
  body: [...corners('1,-8 0,-18 3,-26 16,-29 30,-42 57,-43'), ...SALOON_NOSE],
  roof: corners('28,-40 31,-43.5 56,-44.5 61,-40.5'),
  windows: [corners('20,-29 31,-39.5 43,-40 43,-29'), corners('45.5,-29 45.5,-40 56,-40 68,-29')],
  doors: [corners('26,-28 44,-28 44,-10 29,-10'), corners('45,-28 67,-28 66,-10 45,-10')],
  wheels: [
    [20, 9.5],
    [80, 9.5],
  ],
  headlight: corners('92,-22 98.5,-20 99,-16 93,-17'),
  taillight: corners('0.6,-24 6,-25 6,-19 0.6,-18'),
  mirror: [66, -30],
  sign: [46, -24, 19, 6.5],
};

export const estate: VehicleProfile = {
  ...saloon,
  body: [...corners('1,-8 0,-20 3,-32 9,-43 57,-45'), ...SALOON_NOSE],
  roof: corners('8,-42 11,-45.5 56,-46.5 61,-42'),
  windows: [
    corners('7,-30 11.5,-40.5 24,-41 24,-30'),
    corners('26,-30 26,-41 43,-41.5 43,-30'),
    corners('45.5,-30 45.5,-41.5 56,-41.5 68,-30'),
  ],
};

export const convertible: VehicleProfile = {
  body: corners('1,-8 0,-18 3,-25 18,-28 30,-26 60,-26 70,-28 94,-24 100,-16 99,-8'),
  windows: [corners('58,-26 50,-39 53,-40 69,-28')],
  doors: [corners('40,-25.5 64,-25.5 63,-10 40,-10')],
  wheels: [
    [20, 9.5],
    [80, 9.5],
  ],
  headlight: saloon.headlight,
  taillight: saloon.taillight,
  mirror: [65, -28],
  sign: [42, -22, 18, 6.5],
  open: true,
};

export const jeep: VehicleProfile = {
  ...saloon,
  body: corners('2,-11 1,-46 56,-46 64,-31 96,-29 99,-11'),
  roof: corners('1,-44 2,-49 57,-49 60,-44'),
  windows: [
    corners('5,-31 5,-43 22,-43 22,-31'),
    corners('25,-31 25,-43 40,-43 40,-31'),
    corners('43,-31 43,-43 54,-43 60,-31'),
  ],
  doors: [corners('24,-30 41,-30 41,-13 24,-13'), corners('42,-30 62,-30 62,-13 42,-13')],
  wheels: [
    [21, 11.5],
    [79, 11.5],
  ],
  headlight: corners('93,-27 98,-27 98,-21 93,-21'),
  mirror: [63, -32],
  sign: [44, -26, 17, 6.5],
};

export const van: VehicleProfile = {
  body: corners('76,-9 76,-50 92,-50 101,-31 112,-27 113,-9'),
  cargo: corners('0,-10 0,-64 76,-64 76,-10'),
  roof: corners('75,-48 76,-53 90,-53 94,-47'),
  windows: [corners('82,-31 82,-46 91,-46 99,-31')],
  doors: [corners('80,-29.5 100,-29.5 100,-13 80,-13')],
  wheels: [
    [20, 10],
    [95, 10],
  ],
  headlight: corners('106,-24 112.5,-23 113,-18 106,-18'),
  taillight: corners('0,-20 3.4,-20 3.4,-14 0,-14'),
  mirror: [101, -36],
  sign: [8, -50, 58, 17],
};

export const semi: VehicleProfile = {
  body: corners('128,-9 128,-58 148,-58 152,-36 172,-33 174,-9'),
  cargo: corners('0,-17 0,-70 122,-70 122,-17'),
  roof: corners('127,-56 128,-64 144,-64 149,-56'),
  windows: [corners('134,-38 134,-54 146,-54 150,-38')],
  doors: [corners('132,-36 151,-36 151,-14 132,-14')],
  wheels: [
    [16, 10.5],
    [40, 10.5],
    [134, 10.5],
    [160, 10.5],
  ],
  headlight: corners('167,-28 173.6,-28 173.8,-22 167,-22'),
  taillight: corners('0,-24 4,-24 4,-18 0,-18'),
  mirror: [153, -42],
  sign: [18, -58, 84, 22],
};

const BUS_WINDOWS = [8, 27, 46, 65, 84].map((x): Point[] => [
  [x, -36],
  [x, -52],
  [x + 16, -52],
  [x + 16, -36],
]);

export const bus: VehicleProfile = {
  body: corners('0,-9 0,-58 126,-58 132,-40 133,-9'),
  roof: corners('2,-56 3,-62 122,-62 127,-57'),
  windows: [...BUS_WINDOWS, corners('119,-30 119,-53 125,-53 130.5,-32')],
  doors: [corners('103,-52 116,-52 116,-11 103,-11')],
  wheels: [
    [26, 10.5],
    [94, 10.5],
  ],
  headlight: corners('127,-22 132.6,-22 133,-16 127,-16'),
  taillight: corners('0,-26 3.4,-26 3.4,-17 0,-17'),
  mirror: [131, -44],
  sign: [34, -31, 50, 11],
};
