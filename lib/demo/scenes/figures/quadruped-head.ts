import { blob, ellipse, limb, type Outline, type Point } from '../curves';
import { type Layer, layer, type Mark, type Side, type Stance } from '../figure';
import { darken, lighten } from '../palette';
import { eyeMarks } from './marks';
import type { QuadrupedBuild } from './quadruped-build';

/** Places head coordinates (x along the snout, y down) at the end of the neck. */
type Place = (points: Outline) => Outline;

function placer(x: number, y: number, turn: number): Place {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return (points) => points.map(([px, py]): Point => [x + px * c - py * s, y + px * s + py * c]);
}

function ear(build: QuadrupedBuild, place: Place, x: number, lean: number, side: Side, far: boolean): Layer {
  const r = build.headSize;
  const tone = far ? { ...build.coat, hex: darken(build.coat.hex, 0.25) } : build.coat;
  const shapes: Record<QuadrupedBuild['ears'], Outline> = {
    pointed: blob([
      [x - r * 0.42, -r * 0.5],
      [x + lean * r * 0.35 - r * 0.12, -r * 1.5],
      [x + lean * r * 0.35 + r * 0.08, -r * 1.5],
      [x + r * 0.42, -r * 0.62],
      [x, -r * 0.3],
    ]),
    round: ellipse(x, -r * 0.82, r * 0.36, r * 0.38),
    leaf: limb([
      [x, -r * 0.62, r * 0.15],
      [x - r * 0.3 + lean * r * 0.5, -r * 1.1, r * 0.3],
      [x - r * 0.7 + lean * r * 0.9, -r * 1.62, r * 0.06],
    ]),
    floppy: blob([
      [x - r * 0.22, -r * 0.78],
      [x + r * 0.24, -r * 0.6],
      [x + lean * r * 0.2 + r * 0.26, r * 0.2],
      [x + lean * r * 0.22 - r * 0.02, r * 0.78],
      [x + lean * r * 0.2 - r * 0.34, r * 0.35],
      [x - r * 0.36, -r * 0.3],
    ]),
  };
  const inner: Mark[] =
    build.ears === 'floppy'
      ? []
      : [
          {
            points: place(ellipse(x + lean * r * 0.12, -r * 0.92, r * 0.14, r * 0.34, lean * 0.3)),
            closed: true,
            fill: '#d9a08f',
            opacity: 0.75,
          },
        ];
  const tags = `head ears ${side}ear ${build.ears === 'floppy' ? 'floppy-ears' : ''}`;
  const shade = build.ears === 'floppy' ? { ...tone, hex: darken(tone.hex, 0.16) } : tone;
  return layer(place(shapes[build.ears]), tags, shade, build.finish, inner);
}

function horn(build: QuadrupedBuild, place: Place, side: Side, far: boolean): Layer {
  const r = build.headSize;
  const x = far ? r * 0.15 : -r * 0.1;
  const kinds = {
    lyre: [
      [x, -r * 0.75, r * 0.16],
      [x - r * 0.7, -r * 1.7, r * 0.14],
      [x - r * 0.35, -r * 2.7, r * 0.1],
      [x + r * 0.1, -r * 3.3, r * 0.03],
    ],
    straight: [
      [x, -r * 0.75, r * 0.17],
      [x - r * 0.5, -r * 1.8, r * 0.13],
      [x - r * 0.75, -r * 2.7, r * 0.03],
    ],
    cow: [
      [x, -r * 0.7, r * 0.17],
      [x - r * 0.35, -r * 1.1, r * 0.15],
      [x + r * 0.1, -r * 1.65, r * 0.05],
    ],
    ram: [
      [x, -r * 0.6, r * 0.24],
      [x - r * 0.8, -r * 0.85, r * 0.22],
      [x - r * 1.05, -r * 0.05, r * 0.18],
      [x - r * 0.5, r * 0.3, r * 0.06],
    ],
  } as const;
  const joints = kinds[build.horns ?? 'straight'];
  const rings: Mark[] = joints.slice(0, -1).flatMap(([hx, hy]) =>
    [0.15, 0.4, 0.65].map((t) => ({
      points: place([
        [hx - r * 0.3, hy - r * t],
        [hx + r * 0.3, hy - r * (t + 0.08)],
      ]),
      stroke: '#2a1c12',
      width: r * 0.05,
      opacity: 0.5,
    })),
  );
  const hex = far ? '#4d3b2c' : '#6b5440';
  return layer(place(limb(joints)), `head horns ${side}horn`, { hex, name: 'brown' }, 'plain', rings);
}

function eye(build: QuadrupedBuild, place: Place, x: number, y: number, side: Side, size: number): Layer {
  const r = build.headSize * size;
  const centre = place([[x, y]])[0] ?? [0, 0];
  const tags = `head ${side}eye ${build.eye.coloured ? 'colored-eyes' : ''}`;
  return layer(
    ellipse(centre[0], centre[1], r, r * 0.92),
    tags,
    { hex: build.eye.hex },
    'plain',
    eyeMarks(centre[0], centre[1], r, 0.8),
  );
}

function sideFace(build: QuadrupedBuild, place: Place, { near, far }: Stance): Layer[] {
  const r = build.headSize;
  const [sl, sd] = [build.snoutLength, build.snoutDepth];
  const skull = blob([
    [-r * 0.95, r * 0.1],
    [-r * 0.6, -r * 0.78],
    [r * 0.15, -r * 0.85],
    [r * 0.95, -r * 0.3],
    [r * 1.05, r * 0.5],
    [r * 0.2, r * 0.9],
    [-r * 0.6, r * 0.75],
  ]);
  const muzzle = blob([
    [r * 0.5, -sd * 0.42],
    [r * 0.75 + sl * 0.55, -sd * 0.2],
    [r * 0.75 + sl * 0.97, sd * 0.02],
    [r * 0.75 + sl, sd * 0.6],
    [r * 0.75 + sl * 0.6, sd * 1.02],
    [r * 0.55, sd * 1.1],
  ]);
  const tip = r * 0.75 + sl;
  const mouth: Mark = {
    points: place([
      [tip + 0.5, sd * 0.62],
      [tip - sl * 0.5, sd * 0.74],
      [tip - sl * 0.85, sd * 0.62],
    ]),
    stroke: darken(build.under.hex, 0.6),
    width: r * 0.07,
    opacity: 0.7,
  };
  const blaze: Mark[] = build.pattern === 'stripes' ? faceStripes(build, place) : [];
  return [
    ear(build, place, r * 0.05, build.ears === 'floppy' ? 0.6 : 0.4, far, true),
    ...(build.horns ? [horn(build, place, far, true)] : []),
    layer(place(skull), 'head', build.coat, build.finish, blaze),
    layer(place(muzzle), `head muzzle ${build.longSnout ? 'long-snout' : ''}`, build.under, 'plain', [mouth]),
    layer(
      place(ellipse(tip - sl * 0.05, sd * 0.14, sd * 0.24, sd * 0.2)),
      `head nose ${build.longSnout ? 'muzzle long-snout' : ''}`,
      build.dark,
    ),
    eye(build, place, r * 0.32, -r * 0.2, near, 0.17),
    ...(build.horns ? [horn(build, place, near, false)] : []),
    ear(build, place, -r * 0.38, build.ears === 'floppy' ? 0.2 : -0.2, near, false),
  ];
}

function faceStripes(build: QuadrupedBuild, place: Place): Mark[] {
  const r = build.headSize;
  return [-0.7, -0.35, 0, 0.35, 0.7].map((t) => ({
    points: place([
      [r * t - r * 0.1, -r],
      [r * (t + 0.1), -r * 0.2],
      [r * (t + 0.45), r * 0.9],
    ]),
    stroke: build.patternHex,
    width: r * 0.13,
  }));
}

/** On a face turned to the viewer, what is right in the picture is the animal's left. */
function frontFace(build: QuadrupedBuild, place: Place, { facing }: Stance): Layer[] {
  const r = build.headSize;
  const right: Side = facing === 1 ? 'l' : 'r';
  const left: Side = facing === 1 ? 'r' : 'l';
  const drop = build.longSnout ? 0.42 : 0.3;
  const face = blob([
    [-r * 1.02, 0],
    [-r * 0.72, -r * 0.72],
    [0, -r * 0.86],
    [r * 0.72, -r * 0.72],
    [r * 1.02, 0],
    [r * 0.72, r * 0.68],
    [0, r * 0.9],
    [-r * 0.72, r * 0.68],
  ]);
  const chin = r * (build.longSnout ? 0.58 : 0.42);
  const whiskers: Mark[] = [-1, 1].flatMap((s) =>
    [0.32, 0.45, 0.58].map((t) => ({
      points: place([
        [s * r * 0.22, r * t],
        [s * r * 0.95, r * (t * 1.2 - 0.1)],
      ]),
      stroke: lighten(build.coat.hex, 0.8),
      width: r * 0.025,
      opacity: 0.8,
    })),
  );
  const brow: Mark[] =
    build.pattern === 'stripes'
      ? [-0.3, 0, 0.3].map((t) => ({
          points: place([
            [r * t, -r],
            [r * t * 0.6, -r * 0.42],
          ]),
          stroke: build.patternHex,
          width: r * 0.1,
        }))
      : [];
  const mouth: Mark[] = [-1, 1].map((s) => ({
    points: place([
      [0, r * (drop + 0.14)],
      [s * r * 0.12, r * (drop + 0.3)],
      [s * r * 0.26, r * (drop + 0.24)],
    ]),
    stroke: darken(build.under.hex, 0.65),
    width: r * 0.05,
  }));
  const backEars =
    build.ears === 'floppy'
      ? []
      : [ear(build, place, -r * 0.58, -1, left, false), ear(build, place, r * 0.58, 1, right, false)];
  const overEars =
    build.ears === 'floppy'
      ? [ear(build, place, -r * 0.88, -0.6, left, false), ear(build, place, r * 0.88, 0.6, right, false)]
      : [];
  return [
    ...backEars,
    layer(place(face), 'head', build.coat, build.finish, brow),
    layer(
      place(ellipse(0, r * (drop + 0.12), chin * 0.95, chin * 0.72)),
      `head muzzle ${build.longSnout ? 'long-snout' : ''}`,
      build.under,
      'plain',
      [...whiskers, ...mouth],
    ),
    layer(
      place(ellipse(0, r * drop, r * 0.14, r * 0.1)),
      `head nose ${build.longSnout ? 'muzzle long-snout' : ''}`,
      build.dark,
    ),
    eye(build, place, -r * 0.42, -r * 0.14, left, build.longSnout ? 0.15 : 0.22),
    eye(build, place, r * 0.42, -r * 0.14, right, build.longSnout ? 0.15 : 0.22),
    ...overEars,
  ];
}

export function quadrupedHead(
  build: QuadrupedBuild,
  x: number,
  y: number,
  pitch: number,
  stance: Stance,
): Layer[] {
  if (build.face === 'front') return frontFace(build, placer(x, y, pitch * 0.2), stance);
  return sideFace(build, placer(x, y, pitch), stance);
}
