import { box, corners, ellipse, type Outline, type Point, rounded } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Stance } from '../figure';
import { darken, lighten, type Tone } from '../palette';

export interface TrainBuild {
  paint: Tone;
  accent: Tone;
  /** What comes first towards the viewer: the locomotive or the last coach; and whether it is on its own. */
  leading: 'head' | 'coach';
  alone: boolean;
  /** The end that the viewer sees: front or back of the leading car. */
  end: 'front' | 'back';
}

const [HEIGHT, DEPTH_X, DEPTH_Y] = [44, 20, -9];

/** The side of a car shrinks a little towards the rear of the train. */
function carSide(x: number, length: number): Outline {
  return rounded(
    [
      [x, 0],
      [x, -HEIGHT],
      [x - length, -HEIGHT + 3],
      [x - length, -1.5],
    ],
    1.5,
  );
}

function carRoof(x: number, length: number): Outline {
  const back: Point = [x - length, -HEIGHT + 3];
  return rounded(
    [[x, -HEIGHT], [x + DEPTH_X, -HEIGHT + DEPTH_Y], [back[0] + DEPTH_X * 0.8, back[1] + DEPTH_Y], back],
    1,
  );
}

function carEnd(x: number): Outline {
  return rounded(
    [
      [x, 0],
      [x + DEPTH_X, DEPTH_Y * 0.5],
      [x + DEPTH_X, -HEIGHT + DEPTH_Y],
      [x, -HEIGHT],
    ],
    3,
  );
}

function sideMarks(build: TrainBuild, x: number, length: number): Mark[] {
  const panes = Array.from(
    { length: Math.floor(length / 13) },
    (_, i): Mark => ({
      points: box(x - length + 5 + i * 13, -34, 9, 11, 1.5),
      closed: true,
      fill: '#5f7b8f',
    }),
  );
  return [
    {
      points: [
        [x - length - 2, -15],
        [x + 2, -16],
      ],
      stroke: build.accent.hex,
      width: 4,
    },
    ...panes,
    { points: box(x - length, -4, length, 5), closed: true, fill: '#3a3d42', opacity: 0.9 },
  ];
}

function car(
  build: TrainBuild,
  kind: 'head' | 'coach',
  x: number,
  length: number,
  shownEnd: 'front' | 'back' | undefined,
  side: string,
): Layer[] {
  const k = kind === 'head' ? 'h' : 'c';
  const tone = kind === 'head' ? build.paint : { ...build.paint, hex: lighten(build.paint.hex, 0.06) };
  const glass: Mark = {
    points: rounded(
      [
        [x + 2.5, -38],
        [x + DEPTH_X - 2.5, -HEIGHT + DEPTH_Y + 5],
        [x + DEPTH_X - 2.5, -30],
        [x + 2.5, -25],
      ],
      1.5,
    ),
    closed: true,
    fill: '#4f6a7c',
  };
  const bumper: Mark = {
    points: [
      [x, -8],
      [x + DEPTH_X, -11],
    ],
    stroke: build.accent.hex,
    width: 4,
  };
  const end = shownEnd
    ? [
        layer(carEnd(x), `${kind} ${k}${shownEnd}side`, { ...tone, hex: darken(tone.hex, 0.14) }, 'metal', [
          glass,
          bumper,
        ]),
      ]
    : [];
  return [
    layer(carRoof(x, length), `${kind} ${k}roofside`, { hex: '#8f959b', name: 'grey' }, 'metal'),
    layer(carSide(x, length), `${kind} ${k}${side}side`, tone, 'metal', sideMarks(build, x, length)),
    ...end,
  ];
}

/** A train at an angle, its near end to the right. */
export function train(build: TrainBuild, { near }: Stance): Figure {
  // Seen from behind, the side to the viewer is the other one.
  const nearSide = (near === 'l') === (build.end === 'front') ? 'left' : 'right';
  const follower = build.leading === 'head' ? 'coach' : 'head';
  const rest = build.alone
    ? []
    : [
        ...car(build, build.leading === 'coach' ? follower : 'coach', -118, 50, undefined, nearSide),
        ...car(build, 'coach', -62, 54, undefined, nearSide),
      ];
  const lamps =
    build.end === 'front' && build.leading === 'head'
      ? [
          [5, -17],
          [15, -20],
        ].map(([x = 0, y = 0]) =>
          layer(ellipse(x, y, 2.4, 2.8), 'head headlight hfrontside', { hex: '#f6efcf' }, 'glass'),
        )
      : [];
  const rails = layer([corners('-172,1 24,-3 24,-1 -172,3') as Point[]], '', { hex: '#54565b' }, 'metal');
  return {
    layers: [rails, ...rest, ...car(build, build.leading, 0, 60, build.end, nearSide), ...lamps],
    traits: ['metallic', 'long', 'tall', 'rectangular'],
    draught: 0.1,
  };
}
