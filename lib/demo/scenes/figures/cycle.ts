import { blob, corners, ellipse, limb, type Outline, rounded } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Stance } from '../figure';
import { darken, type Tone } from '../palette';

export interface CycleBuild {
  frame: Tone;
  saddle: Tone;
}

/** A wheel as a full disc: spokes and air between them count as wheel, as annotators draw it. */
function spokedWheel(x: number, y: number, r: number, tags: string): Layer {
  const spokes: Mark[] = Array.from({ length: 12 }, (_, k) => {
    const angle = (k / 12) * 2 * Math.PI;
    return {
      points: [
        [x, y],
        [x + Math.cos(angle) * r, y + Math.sin(angle) * r],
      ],
      stroke: '#7c8288',
      width: 0.5,
    };
  });
  return layer(ellipse(x, y, r, r, 0, 44), `tier ${tags}`, { hex: '#c9ced1', name: 'silver' }, 'plain', [
    ...spokes,
    {
      points: [...ellipse(x, y, r * 0.95, r * 0.95, 0, 40), [x + r * 0.95, y]],
      stroke: '#26262b',
      width: r * 0.17,
    },
    { points: ellipse(x, y, r * 0.1), closed: true, fill: '#3c4045' },
  ]);
}

const tubes = (joints: ReadonlyArray<readonly [number, number, number, number]>, r: number): Outline[] =>
  joints.map(([x1, y1, x2, y2]) =>
    limb([
      [x1, y1, r],
      [x2, y2, r],
    ]),
  );

/** A bicycle from the side, front to the right, ground at y = 0. */
export function bicycleLayers(build: CycleBuild): Layer[] {
  const [seat, head, crank, rear, front] = [
    [-12, -38],
    [22, -40],
    [-2, -16],
    [-30, -17],
    [32, -17],
  ] as const;
  const frame = tubes(
    [
      [...seat, ...head],
      [...head, ...crank],
      [...crank, ...seat],
      [...crank, ...rear],
      [...rear, ...seat],
    ],
    1.5,
  );
  return [
    spokedWheel(rear[0], rear[1], 17, 'bwheel'),
    spokedWheel(front[0], front[1], 17, 'fwheel'),
    layer(
      limb([
        [head[0], head[1], 1.5],
        [27, -28, 1.4],
        [front[0], front[1], 1.2],
      ]),
      'frame',
      build.frame,
      'metal',
    ),
    layer(frame, 'frame', build.frame, 'metal'),
    layer(
      limb([
        [seat[0], seat[1], 1.1],
        [-14, -46, 1.1],
      ]),
      'frame',
      { hex: '#6d7278' },
      'metal',
    ),
    layer(ellipse(crank[0], crank[1], 4.6), 'frame chainwheel', { hex: '#50555b' }, 'metal', [
      { points: ellipse(crank[0], crank[1], 2.4), closed: true, fill: '#8d9399' },
    ]),
    layer(
      limb([
        [crank[0], crank[1], 1],
        [5, -8, 1],
        [9, -7.6, 1.3],
      ]),
      'frame',
      { hex: '#3b3e43' },
    ),
    layer(
      blob(corners('-23,-50 -15,-50 -4,-47.5 -9,-46 -18,-45.4 -23,-46.5')),
      'saddle seat',
      build.saddle,
      'plain',
    ),
    layer(
      limb([
        [head[0], head[1], 1.4],
        [20, -48, 1.4],
        [27, -53, 1.3],
        [17, -54, 1.3],
      ]),
      'handlebar steering',
      { hex: '#2f3237' },
      'metal',
    ),
    layer(ellipse(29, -45, 2.7), 'headlight steering', { hex: '#f3ead0' }, 'glass'),
  ];
}

export function bicycle(build: CycleBuild, _stance: Stance): Figure {
  return { layers: bicycleLayers(build), traits: ['metallic'], draught: 0.12 };
}

/** A motorbike from the side, front to the right. */
export function motorbike(build: CycleBuild, { rng }: Stance): Figure {
  const tank = blob(corners('-8,-32 2,-42 18,-42 26,-34 12,-28'));
  const engine = rounded(corners('-12,-28 16,-28 18,-14 -10,-12'), 3);
  const fins: Mark[] = [-25, -22, -19].map((y) => ({
    points: [
      [-10, y],
      [14, y],
    ],
    stroke: '#33363b',
    width: 0.9,
  }));
  const stripe: Mark[] = rng.bernoulli(0.5)
    ? [
        {
          points: [
            [-10, -35],
            [28, -36],
          ],
          stroke: darken(build.frame.hex, 0.5),
          width: 2,
        },
      ]
    : [];
  return {
    layers: [
      spokedWheel(-34, -16, 16, 'bwheel'),
      spokedWheel(38, -16, 16, 'fwheel'),
      layer(
        limb([
          [-12, -14, 2.2],
          [-30, -11, 2.4],
          [-46, -13, 2.8],
        ]),
        'frame',
        { hex: '#aeb4ba', name: 'silver' },
        'metal',
      ),
      layer(engine, 'frame', { hex: '#8b9097', name: 'silver' }, 'metal', fins),
      layer(
        limb([
          [-34, -16, 2],
          [-14, -26, 3.4],
          [4, -30, 3.4],
        ]),
        'frame',
        build.frame,
        'metal',
      ),
      layer(
        limb([
          [24, -42, 1.9],
          [31, -28, 1.9],
          [38, -16, 1.7],
        ]),
        'frame',
        { hex: '#aeb4ba', name: 'silver' },
        'metal',
      ),
      layer(rounded(corners('26,-34 40,-36 52,-27 50,-24 38,-30'), 2), 'frame', build.frame, 'metal'),
      layer(tank, 'frame', build.frame, 'metal', stripe),
      layer(
        blob(corners('-42,-40 -30,-38 -6,-35 -4,-31 -22,-31 -38,-35')),
        'saddle seat',
        build.saddle,
        'plain',
      ),
      layer(
        limb([
          [25, -40, 1.4],
          [22, -50, 1.4],
          [12, -52, 1.7],
        ]),
        'handlebar steering',
        { hex: '#2f3237' },
        'metal',
      ),
      layer(ellipse(31, -45, 4.4, 4.8), 'headlight steering', { hex: '#f3ead0' }, 'glass'),
    ],
    traits: ['metallic', ...(stripe.length > 0 ? ['patterned'] : [])],
    draught: 0.12,
  };
}
