import { blob, corners, ellipse, limb, type Point } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Stance } from '../figure';
import { darken, lighten, type Tone } from '../palette';
import { eyeMarks } from './marks';

export interface BirdBuild {
  body: Tone;
  breast: Tone;
  wing: Tone;
  crown: Tone;
  beak: Tone;
  eye: Tone & { coloured: boolean };
  beakLength: number;
  neckLength: number;
  legLength: number;
  plump: number;
  patterned: boolean;
  flying: boolean;
}

function beak(build: BirdBuild, x: number, y: number, r: number): Layer {
  const tip = x + r * 0.7 + build.beakLength;
  const shape = blob([
    [x + r * 0.68, y - r * 0.3],
    [x + r * 0.7 + build.beakLength * 0.55, y - r * 0.12],
    [tip, y + r * 0.16],
    [x + r * 0.7 + build.beakLength * 0.5, y + r * 0.26],
    [x + r * 0.7, y + r * 0.34],
  ]);
  const gape: Mark = {
    points: [
      [x + r * 0.65, y + r * 0.06],
      [tip, y + r * 0.14],
    ],
    stroke: darken(build.beak.hex, 0.5),
    width: r * 0.05,
  };
  return layer(shape, 'head beak', build.beak, 'plain', [gape]);
}

function head(build: BirdBuild, x: number, y: number, { near }: Stance): Layer[] {
  const r = 12;
  const cap: Mark = {
    points: blob([
      [x - r, y - r * 0.1],
      [x - r * 0.4, y - r * 1.1],
      [x + r * 0.7, y - r * 0.9],
      [x + r * 0.75, y - r * 0.3],
    ]),
    closed: true,
    fill: build.crown.hex,
    opacity: 0.9,
  };
  const [ex, ey] = [x + r * 0.35, y - r * 0.12];
  return [
    beak(build, x, y, r),
    layer(ellipse(x, y, r, r * 0.95), 'head', build.body, 'feather', build.patterned ? [cap] : []),
    layer(
      ellipse(ex, ey, 2.9),
      `head ${near}eye ${build.eye.coloured ? 'colored-eyes' : ''}`,
      { hex: build.eye.hex },
      'plain',
      eyeMarks(ex, ey, 2.9),
    ),
  ];
}

function leg(x: number, top: number, ground: number, side: string, shaded: boolean): Layer[] {
  const hex = shaded ? '#8a6242' : '#b5804f';
  const knee = top + (ground - top) * 0.45;
  const toes = (dx: number) =>
    limb([
      [x, ground - 1.2, 1.3],
      [x + dx, ground - 0.9, 0.9],
    ]);
  return [
    layer(
      limb([
        [x - 1, top, 2.4],
        [x - 2.5, knee, 1.6],
        [x, ground - 1.5, 1.3],
      ]),
      `leg ${side}leg`,
      { hex },
    ),
    layer([toes(7), toes(4.5), toes(-4)], `leg ${side}foot`, { hex: darken(hex, 0.15) }),
  ];
}

function featherBars(wing: readonly Point[], hex: string): Mark[] {
  const [tip, root] = [wing[0] ?? [0, 0], wing[wing.length - 1] ?? [0, 0]];
  return [0.25, 0.45, 0.65, 0.85].map((t) => ({
    points: [
      [root[0] + (tip[0] - root[0]) * t + 4, root[1] + (tip[1] - root[1]) * t - 10],
      [root[0] + (tip[0] - root[0]) * t - 5, root[1] + (tip[1] - root[1]) * t + 12],
    ],
    stroke: hex,
    width: 1.1,
    opacity: 0.55,
  }));
}

function foldedWing(build: BirdBuild, { near }: Stance): Layer {
  const spine: Point[] = [
    [-27, 14],
    [14, -6],
  ];
  const bars: Mark[] = build.patterned
    ? [-4, -12].map((x) => ({
        points: [
          [x + 8, -12],
          [x - 2, 16],
        ] as Point[],
        stroke: lighten(build.wing.hex, 0.75),
        width: 2.6,
      }))
    : [];
  const shape = blob(corners('18,-6 8,-13 -12,-8 -31,10 -34,16 -18,14 2,10 14,4'));
  return layer(shape, `wing wings ${near}wing`, build.wing, 'feather', [
    ...featherBars(spine, darken(build.wing.hex, 0.5)),
    ...bars,
  ]);
}

function spreadWing(build: BirdBuild, lift: number, side: string, shaded: boolean): Layer {
  const tone = shaded ? { ...build.wing, hex: darken(build.wing.hex, 0.25) } : build.wing;
  const up = -34 - 18 * lift;
  const dx = shaded ? 10 : -4;
  const shape = blob([
    [16, -8],
    [14 + dx, up * 0.6],
    [2 + dx, up - 6],
    [-12 + dx, up - 10],
    [-22 + dx, up * 0.72],
    [-24 + dx, up * 0.4],
    [-14, -4],
    [2, 0],
  ]);
  return layer(
    shape,
    `wing wings ${side}wing`,
    tone,
    'feather',
    featherBars(
      [
        [-14 + dx, up],
        [0, -4],
      ],
      darken(tone.hex, 0.5),
    ),
  );
}

export function bird(build: BirdBuild, stance: Stance): Figure {
  const { near, far } = stance;
  const tilt = stance.rng.between(-3, 4);
  const [hx, hy] = [22 + build.neckLength * 0.35, -16 - build.neckLength * 0.9 + tilt];
  const depth = 17 * build.plump;
  const torso = blob([
    [-26, 6],
    [-14, -11],
    [8, -14],
    [24, -6],
    [25, 6],
    [12, depth],
    [-8, depth * 0.92],
    [-22, 13],
  ]);
  const belly: Mark = {
    points: blob([
      [26, -4],
      [16, 2],
      [-4, 8],
      [-16, 16],
      [4, depth + 4],
      [24, 12],
    ]),
    closed: true,
    fill: build.breast.hex,
    opacity: 0.92,
  };
  const streaks: Mark[] = build.patterned
    ? [-2, 4, 10, 16].map((x) => ({
        points: [
          [x, 7],
          [x - 2, 13],
        ] as Point[],
        stroke: darken(build.breast.hex, 0.45),
        width: 1.5,
        opacity: 0.7,
      }))
    : [];
  const tail = layer(
    blob([
      [-18, 2],
      [-34, 8 + tilt],
      [-54, 16 + tilt],
      [-56, 22 + tilt],
      [-40, 20 + tilt],
      [-20, 13],
    ]),
    'tail',
    { ...build.wing, hex: darken(build.wing.hex, 0.1) },
    'feather',
  );
  const ground = depth + build.legLength;
  const legs = (side: string, x: number, shaded: boolean) =>
    build.flying ? [] : leg(x, depth - 5, ground, side, shaded);
  const lift = stance.rng.next();
  return {
    layers: [
      ...(build.flying ? [spreadWing(build, lift, far, true)] : []),
      tail,
      ...legs(far, 6, true),
      ...legs(near, -2, false),
      layer(
        limb([
          [16, -2, 12],
          [(16 + hx) / 2, (hy - 2) / 2, 9.5],
          [hx - 2, hy + 3, 9],
        ]),
        'neck',
        build.body,
        'feather',
      ),
      layer(torso, 'torso', build.body, 'feather', [belly, ...streaks]),
      ...head(build, hx, hy, stance),
      build.flying ? spreadWing(build, lift, near, false) : foldedWing(build, stance),
    ],
    traits: build.patterned ? ['patterned'] : [],
    airborne: build.flying,
    draught: 0.2,
    ...(build.breast.name ? { markColour: { name: build.breast.name, share: 0.3 } } : {}),
  };
}
