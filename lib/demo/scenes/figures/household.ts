import { blob, box, corners, ellipse, limb, type Outline, type Point, rounded } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Stance } from '../figure';
import { darken, lighten, type Tone } from '../palette';
import { brandName, textPanel } from './lettering';

const still = (layers: Layer[], traits: string[] = []): Figure => ({ layers, traits, draught: 0.1 });

export interface BottleBuild {
  glass: Tone;
  label: Tone;
  cap: Tone;
  labelled: boolean;
  slim: number;
}

export function bottle(build: BottleBuild, stance: Stance): Figure {
  const s = 15 * build.slim;
  const neck = s * 0.34;
  const body = blob([
    [-s, -2],
    [-s, -40],
    [-s * 0.9, -56],
    [-neck, -70],
    [-neck, -86],
    [neck, -86],
    [neck, -70],
    [s * 0.9, -56],
    [s, -40],
    [s, -2],
    [s * 0.6, 1],
    [-s * 0.6, 1],
  ]);
  const glare: Mark = {
    points: [
      [-s * 0.62, -8],
      [-s * 0.66, -44],
      [-s * 0.5, -56],
    ],
    stroke: '#ffffff',
    width: s * 0.16,
    opacity: 0.45,
  };
  const drink: Mark = {
    points: box(-s, -46, s * 2, 50),
    closed: true,
    fill: darken(build.glass.hex, 0.3),
    opacity: 0.6,
  };
  return still([
    layer(body, 'body', build.glass, 'glass', [drink, glare]),
    layer(box(-neck * 1.3, -98, neck * 2.6, 14, 1.6), 'cap mouth', build.cap, 'metal'),
    ...(build.labelled
      ? [textPanel(brandName(stance), [-s * 0.96, -36, s * 1.92, 18], 'body', build.label, '#2c2a33', stance)]
      : []),
  ]);
}

export interface FurnitureBuild {
  main: Tone;
  second: Tone;
}

const post = (x: number, top: number, bottom: number, r: number): Outline =>
  limb([
    [x, top, r],
    [x, bottom - r, r],
  ]);

export function chair({ main, second }: FurnitureBuild): Figure {
  const wood = 'furniture';
  const far = { ...main, hex: darken(main.hex, 0.25) };
  return still([
    layer([post(-8, -34, -4, 1.7), post(24, -32, -4, 1.7)], wood, far),
    layer([post(-18, -82, 0, 2), post(-6, -84, -34, 1.8)], wood, main),
    layer(rounded(corners('-19,-80 -5,-82 -5,-52 -19,-49'), 2), wood, second, 'cloth'),
    layer(rounded(corners('-20,-36 -7,-42 27,-40 18,-33'), 2), wood, second, 'cloth'),
    layer(rounded(corners('-20,-36 18,-33 18,-29 -20,-32'), 1), wood, main),
    layer([post(16, -31, 0, 2)], wood, main),
  ]);
}

export function table({ main, second }: FurnitureBuild): Figure {
  const grain: Mark[] = [-46, -44].map((y) => ({
    points: [
      [-50, y],
      [50, y + 1],
    ],
    stroke: darken(main.hex, 0.4),
    width: 0.5,
    opacity: 0.6,
  }));
  const far = { ...main, hex: darken(main.hex, 0.25) };
  return still([
    layer([post(-30, -40, -8, 2.2), post(36, -40, -8, 2.2)], 'furniture', far),
    layer([post(-46, -38, 0, 2.8), post(44, -38, 0, 2.8)], 'furniture', main),
    layer(
      rounded(corners('-52,-40 -36,-52 44,-52 54,-40'), 2),
      'furniture',
      { ...main, hex: lighten(main.hex, 0.12) },
      'plain',
      grain,
    ),
    layer(box(-52, -40, 106, 5, 1), 'furniture', main),
    layer(rounded(corners('-10,-47 -2,-50 14,-50 10,-46'), 1.5), 'furniture', second, 'cloth'),
  ]);
}

export function sofa({ main, second }: FurnitureBuild): Figure {
  const pillow = (x: number): Layer =>
    layer(
      blob([
        [x - 9, -22],
        [x - 8, -37],
        [x + 8, -38],
        [x + 9, -22],
      ]),
      'furniture',
      second,
      'cloth',
    );
  return still([
    layer([box(-46, -5, 6, 5), box(40, -5, 6, 5)], 'furniture', { hex: '#5c4230' }),
    layer(
      rounded(corners('-48,-8 -46,-50 46,-50 48,-8'), 7),
      'furniture',
      { ...main, hex: darken(main.hex, 0.1) },
      'cloth',
    ),
    layer([box(-44, -26, 43, 14, 4), box(1, -26, 43, 14, 4)], 'furniture', main, 'cloth'),
    pillow(-28),
    pillow(27),
    layer(box(-46, -14, 92, 10, 2), 'furniture', { ...main, hex: darken(main.hex, 0.05) }, 'cloth'),
    layer([box(-57, -34, 14, 30, 6), box(43, -34, 14, 30, 6)], 'furniture', main, 'cloth'),
  ]);
}

export function tvMonitor({ main, second }: FurnitureBuild): Figure {
  const picture: Mark[] = [
    {
      points: corners('-44,-20 -14,-38 8,-22 22,-32 44,-16 44,-8 -44,-8'),
      closed: true,
      fill: second.hex,
      opacity: 0.9,
    },
    { points: ellipse(24, -46, 6, 6), closed: true, fill: '#f6e2a0', opacity: 0.9 },
    {
      points: corners('-44,-10 -20,-62 -8,-62 -32,-10'),
      closed: true,
      fill: '#ffffff',
      opacity: 0.14,
    },
  ];
  return still(
    [
      layer(rounded(corners('-7,-10 7,-10 9,6 -9,6'), 1), 'frame', main),
      layer(box(-24, 4, 48, 5, 2), 'frame', main),
      layer(box(-47, -65, 94, 60, 3), 'frame', main, 'plain'),
      layer(box(-43, -61, 86, 52, 1), 'screen', { hex: '#31485c' }, 'glass', picture),
    ],
    ['rectangular'],
  );
}

export function pottedPlant({ main, second }: FurnitureBuild, { rng }: Stance): Figure {
  const leaf = (angle: number, length: number): Layer => {
    const [dx, dy] = [Math.sin(angle) * length, -Math.cos(angle) * length];
    const rib: Point[] = [
      [0, -26],
      [dx * 0.5, -26 + dy * 0.55],
      [dx, -26 + dy],
    ];
    const shape = limb([
      [0, -26, 1.2],
      [dx * 0.35, -26 + dy * 0.4, 5],
      [dx * 0.75, -26 + dy * 0.75, 4.2],
      [dx, -26 + dy + 2, 0.5],
    ]);
    return layer(
      shape,
      'plant',
      { ...second, hex: angle < 0 ? darken(second.hex, 0.12) : second.hex },
      'plain',
      [{ points: rib, stroke: lighten(second.hex, 0.4), width: 0.7 }],
    );
  };
  const leaves = [-1.25, 1.2, -0.85, 0.8, -0.45, 0.42, 0.02].map((angle) =>
    leaf(angle + rng.between(-0.12, 0.12), rng.between(34, 52)),
  );
  return still([
    ...leaves,
    layer(rounded(corners('-18,-28 18,-28 13,0 -13,0'), 2), 'pot', main, 'plain'),
    layer(box(-20, -33, 40, 7, 2), 'pot', { ...main, hex: lighten(main.hex, 0.08) }, 'plain'),
  ]);
}
