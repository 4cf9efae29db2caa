import { blob, box, corners, ellipse, limb, type Point, rounded } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Stance } from '../figure';
import { COLOUR_TONES, type ColourName, darken, lighten, type Tone } from '../palette';
import { brandName, textPanel } from './lettering';

export interface ShipBuild {
  hull: Tone;
  deck: Tone;
  funnel: Tone;
  lettered: boolean;
}

const portholes = (from: number, to: number, y: number, step: number): Mark[] =>
  Array.from({ length: Math.floor((to - from) / step) }, (_, i) => ({
    points: ellipse(from + i * step, y, 1.1, 1.1, 0, 10),
    closed: true,
    fill: '#2f3f4c',
  }));

const rows = (x: number, y: number, width: number, lines: number): Mark[] =>
  Array.from({ length: lines }, (_, k) => k).flatMap((k) =>
    Array.from(
      { length: Math.floor(width / 4.6) },
      (_, i): Mark => ({
        points: box(x + 1.6 + i * 4.6, y + 2.2 + k * 5.4, 2.5, 2.2),
        closed: true,
        fill: '#4b6273',
      }),
    ),
  );

function hullLayer(build: ShipBuild): Layer {
  const shape = rounded(corners('-70,-14 66,-14 80,-20 68,10 -62,10 -70,-4'), 4);
  return layer(shape, 'hull', build.hull, 'metal', [
    {
      points: [
        [-80, 7],
        [90, 7],
      ],
      stroke: '#8f2f2c',
      width: 6,
    },
    {
      points: [
        [-80, -10],
        [90, -10],
      ],
      stroke: lighten(build.hull.hex, 0.7),
      width: 1.2,
    },
    ...portholes(-58, 60, -4, 7),
  ]);
}

function funnel(build: ShipBuild, x: number, top: number): Layer {
  const band: Mark = {
    points: [
      [x - 8, top + 3],
      [x + 10, top + 3],
    ],
    stroke: '#25272b',
    width: 4,
  };
  return layer(
    rounded(
      [
        [x - 5, -38],
        [x - 6, top],
        [x + 4, top],
        [x + 5, -38],
      ],
      1,
    ),
    'hull',
    build.funnel,
    'metal',
    [band],
  );
}

/** An ocean liner: white decks above a dark hull, funnels raked. */
export function liner(build: ShipBuild, stance: Stance): Figure {
  const funnels = stance.rng.integer(1, 3);
  const decks = [
    layer(box(-56, -26, 108, 14, 1), 'hull', build.deck, 'plain', rows(-56, -26, 108, 2)),
    layer(
      box(-48, -37, 88, 12, 1),
      'hull',
      { ...build.deck, hex: darken(build.deck.hex, 0.04) },
      'plain',
      rows(-48, -37, 88, 2),
    ),
    layer(box(22, -46, 18, 10, 1), 'hull', build.deck, 'plain', rows(22, -46, 18, 1)),
  ];
  const mast = layer(
    limb([
      [46, -26, 0.8],
      [46, -56, 0.5],
    ]),
    'hull',
    { hex: '#6d6258' },
  );
  return {
    layers: [
      mast,
      ...Array.from({ length: funnels }, (_, i) => funnel(build, -30 + i * 18, -56)),
      ...decks,
      hullLayer(build),
      ...(build.lettered
        ? [
            textPanel(
              brandName(stance),
              [14, -13, 42, 7.5],
              'hull',
              { hex: '#f4efe2' },
              darken(build.hull.hex, 0.5),
              stance,
            ),
          ]
        : []),
    ],
    traits: ['metallic', 'long', 'tall'],
    draught: 0.13,
  };
}

const CONTAINER_COLOURS: readonly ColourName[] = ['red', 'blue', 'green', 'orange', 'grey', 'brown'];

/** A container ship: stacks of boxes before a tall bridge. */
export function containerShip(build: ShipBuild, stance: Stance): Figure {
  const { rng } = stance;
  const stacks: Layer[] = [];
  for (let column = 0; column < 7; column++) {
    const tall = rng.integer(2, 4);
    for (let row = 0; row < tall; row++) {
      const name = rng.pick(CONTAINER_COLOURS);
      const [x, y] = [-38 + column * 14.5, -25 - row * 10];
      const ribs: Mark[] = [3, 6, 9, 12].map((dx) => ({
        points: [
          [x + dx, y],
          [x + dx, y + 10],
        ],
        stroke: '#20202a',
        width: 0.5,
        opacity: 0.4,
      }));
      stacks.push(
        layer(box(x, y, 14, 9.8, 0.5), 'hull', { hex: rng.pick(COLOUR_TONES[name]), name }, 'metal', ribs),
      );
    }
  }
  const bridge = layer(box(-66, -58, 20, 46, 1), 'hull', build.deck, 'plain', rows(-66, -56, 20, 6));
  return {
    layers: [
      funnel(build, -60, -68),
      bridge,
      ...stacks,
      hullLayer(build),
      ...(build.lettered
        ? [
            textPanel(
              brandName(stance),
              [4, -10, 50, 9],
              'hull',
              { hex: '#f4efe2' },
              darken(build.hull.hex, 0.5),
              stance,
            ),
          ]
        : []),
    ],
    traits: ['metallic', 'long', 'tall', 'rectangular', 'patterned'],
    draught: 0.13,
  };
}

export interface SailBuild {
  hull: Tone;
  sail: Tone;
  masts: 1 | 2;
}

function sails(build: SailBuild, x: number, tall: number, belly: number): Layer[] {
  const main: Point[] = [
    [x - 2, -8],
    [x - 2, -tall],
    [x - 16 - belly, -tall * 0.5],
    [x - 30, -10],
  ];
  const jib: Point[] = [
    [x + 3, -tall * 0.94],
    [x + 14 + belly * 0.6, -tall * 0.45],
    [x + 26, -8],
    [x + 4, -12],
  ];
  const seams = (y: number): Mark => ({
    points: [
      [x - 40, y],
      [x + 40, y - 3],
    ],
    stroke: darken(build.sail.hex, 0.35),
    width: 0.6,
    opacity: 0.5,
  });
  const marks = [0.3, 0.55, 0.75].map((t) => seams(-tall * t));
  return [
    layer(
      limb([
        [x, -4, 1.1],
        [x, -tall - 6, 0.7],
      ]),
      'hull',
      { hex: '#7a5a3c', name: 'brown' },
    ),
    layer(blob(main), 'sail', build.sail, 'cloth', marks),
    layer(blob(jib), 'sail', { ...build.sail, hex: darken(build.sail.hex, 0.05) }, 'cloth', marks),
  ];
}

/** A yacht or a schooner under sail. */
export function sailingBoat(build: SailBuild, { rng }: Stance): Figure {
  const wind = rng.between(0, 6);
  const hull = rounded(corners('-44,-8 40,-9 56,-14 38,9 -36,9'), 5);
  const rail: Mark = {
    points: [
      [-50, -5],
      [60, -8],
    ],
    stroke: lighten(build.hull.hex, 0.6),
    width: 1.4,
  };
  const stern = build.masts === 2 ? sails(build, -16, 62, wind) : [];
  return {
    layers: [
      ...stern,
      ...sails(build, build.masts === 2 ? 20 : 2, build.masts === 2 ? 76 : 84, wind),
      layer(hull, 'hull', build.hull, 'plain', [rail]),
    ],
    traits: ['long', 'tall'],
    draught: 0.07,
  };
}
