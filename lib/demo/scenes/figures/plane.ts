import { blob, box, corners, ellipse, type Point, rounded } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Side, type Stance } from '../figure';
import { darken, lighten, type Tone } from '../palette';
import { brandName, textPanel } from './lettering';
import { wheel } from './vehicle-profiles';

export interface PlaneBuild {
  paint: Tone;
  accent: Tone;
  /** 0 an airliner, 1 a fighter. */
  military: boolean;
  lettered: boolean;
  striped: boolean;
  /** Gear down means on the ground. */
  gearDown: boolean;
}

function wing(build: PlaneBuild, side: Side, far: boolean): Layer {
  const tone = far ? { ...build.paint, hex: darken(build.paint.hex, 0.22) } : build.paint;
  const airliner: Point[] = far
    ? corners('14,-4 4,-4 -14,-26 -8,-27')
    : corners('18,3 -6,4 -36,26 -29,28 4,13');
  const fighter: Point[] = far
    ? corners('10,-2 -26,-2 -34,-12 -26,-13')
    : corners('22,3 -32,4 -40,20 -30,21');
  const flap: Mark = far
    ? {
        points: [
          [2, -6],
          [-12, -25],
        ],
        stroke: darken(tone.hex, 0.4),
        width: 0.7,
        opacity: 0.6,
      }
    : {
        points: [
          [0, 8],
          [-30, 26],
        ],
        stroke: darken(tone.hex, 0.4),
        width: 0.7,
        opacity: 0.6,
      };
  return layer(rounded(build.military ? fighter : airliner, 2), `wing wings ${side}wing`, tone, 'metal', [
    flap,
  ]);
}

function engine(x: number, y: number, far: boolean): Layer {
  const hex = far ? '#6d747c' : '#8d959d';
  const shape = blob([
    [x - 9, y - 2],
    [x - 4, y - 4.4],
    [x + 8, y - 4.6],
    [x + 10, y],
    [x + 8, y + 4.6],
    [x - 4, y + 4.4],
    [x - 9, y + 2],
  ]);
  return layer(shape, 'engine', { hex, name: 'grey' }, 'metal', [
    { points: ellipse(x + 9, y, 2, 4.2), closed: true, fill: '#2b2e33' },
  ]);
}

function tailUnit(build: PlaneBuild): { behind: Layer[]; before: Layer[] } {
  const fin: Point[] = build.military
    ? corners('-34,-5 -48,-24 -57,-24 -56,-3')
    : corners('-36,-6 -52,-30 -62,-30 -56,-3');
  const bars: Mark[] = build.striped
    ? [-22, -14].map((y) => ({
        points: [
          [-66, y],
          [-36, y],
        ],
        stroke: '#f4efe2',
        width: 2.2,
      }))
    : [];
  const near: Point[] = corners('-44,-2 -56,-1 -68,7 -62,8');
  const far: Point[] = corners('-44,-5 -54,-5 -64,-12 -59,-12');
  return {
    behind: [
      layer(rounded(far, 1.2), 'tail', { ...build.paint, hex: darken(build.paint.hex, 0.25) }, 'metal'),
      layer(rounded(fin, 2.5), 'tail', build.accent, 'metal', bars),
    ],
    before: [layer(rounded(near, 1.4), 'tail', build.paint, 'metal')],
  };
}

function hull(build: PlaneBuild): Layer[] {
  const d = build.military ? 6.4 : 8.6;
  const tip = build.military ? 72 : 64;
  const body = blob([
    [-46, -5],
    [-24, -d],
    [10, -d],
    [40, -d],
    [48, 0],
    [40, d],
    [10, d],
    [-24, d * 0.92],
    [-46, 1],
  ]);
  const stern = blob([
    [-30, -d * 0.96],
    [-50, -5.6],
    [-66, -5],
    [-66, -3],
    [-48, 1.6],
    [-30, d * 0.82],
  ]);
  const nose = blob([
    [38, -d * 0.99],
    [52, -d * 0.78],
    [tip - 3, -1.2],
    [tip, 1.4],
    [tip - 6, 4],
    [52, d * 0.8],
    [38, d * 0.99],
  ]);
  const stripe: Mark[] = build.striped
    ? [
        {
          points: [
            [-60, 3.4],
            [60, 3.4],
          ],
          stroke: build.accent.hex,
          width: 3,
        },
      ]
    : [];
  const windows: Mark[] = build.military
    ? []
    : Array.from({ length: 13 }, (_, i) => ({
        points: box(-30 + i * 5.2, -3.6, 2.2, 2.8, 0.8),
        closed: true,
        fill: '#3c4d5c',
      }));
  const cockpit: Mark = build.military
    ? {
        points: blob(corners('30,-6 38,-11 50,-8 54,-3')),
        closed: true,
        fill: '#46606f',
      }
    : {
        points: corners('53,-6.4 58,-3 52,-2.2 50,-5.6'),
        closed: true,
        fill: '#3c4d5c',
      };
  return [
    layer(stern, 'stern fuselage', { ...build.paint, hex: darken(build.paint.hex, 0.06) }, 'metal', stripe),
    layer(body, 'body fuselage', build.paint, 'metal', [...stripe, ...windows]),
    layer(nose, 'body nose', { ...build.paint, hex: lighten(build.paint.hex, 0.06) }, 'metal', [
      ...stripe,
      cockpit,
    ]),
  ];
}

function gear(build: PlaneBuild): Layer[] {
  if (!build.gearDown) return [];
  return [-6, 2, 44].flatMap((x) => [
    layer(box(x - 0.9, 5, 1.8, 12), 'fuselage', { hex: '#787e84' }, 'metal'),
    wheel(x, 18, 3.6, 'wheels wheel fuselage'),
  ]);
}

/** An aeroplane from the side, nose to the right. */
export function plane(build: PlaneBuild, stance: Stance): Figure {
  const { near, far } = stance;
  const tail = tailUnit(build);
  const engines = build.military
    ? { behind: [], before: [engine(-62, -1.5, false)] }
    : {
        behind: [engine(0, -9, true)],
        before: [engine(6, 15, false), ...(stance.rng.bernoulli(0.4) ? [engine(-12, 21, false)] : [])],
      };
  const sign = textPanel(
    brandName(stance),
    build.military ? [-20, -4, 26, 6] : [8, -8, 30, 6.4],
    'body fuselage',
    { hex: '#f6f1e6' },
    darken(build.accent.hex, 0.3),
    stance,
  );
  return {
    layers: [
      ...engines.behind,
      wing(build, far, true),
      ...tail.behind,
      ...gear(build),
      ...hull(build),
      ...(build.lettered ? [sign] : []),
      ...tail.before,
      ...engines.before,
      wing(build, near, false),
    ],
    traits: ['metallic', 'long', 'tall', ...(build.striped ? ['patterned'] : [])],
    airborne: !build.gearDown,
    draught: 0.1,
  };
}
