import { blob, ellipse, type Outline } from '../curves';
import { type Finish, type Layer, layer, type Mark, type Side, type Stance } from '../figure';
import { darken, lighten, type Tone } from '../palette';
import { eyeMarks } from './marks';

function hairOutline(r: number, y: number, fromBehind: boolean): Outline {
  const fringe = fromBehind ? r * 0.75 : -r * 0.28;
  return blob([
    [-r * 0.92, y + r * 0.2],
    [-r * 0.98, y - r * 0.5],
    [-r * 0.55, y - r * 1.16],
    [r * 0.55, y - r * 1.16],
    [r * 0.98, y - r * 0.5],
    [r * 0.92, y + r * 0.2],
    [r * 0.7, y + fringe],
    [0, y + fringe - r * 0.18],
    [-r * 0.7, y + fringe],
  ]);
}

function feature(outline: Outline, tags: string, hex: string, marks: Mark[] = []): Layer {
  return layer(outline, `head ${tags}`, { hex }, 'plain', marks);
}

function face(build: HumanoidBuild, y: number, stance: Stance): Layer[] {
  const r = build.headSize;
  const sides = [true, false].map((right) => ({
    sign: right ? 1 : -1,
    side: bodySide(right, build, stance),
  }));
  const muzzle: Layer[] = build.ape
    ? [
        layer(ellipse(0, y + r * 0.42, r * 0.58, r * 0.42), 'head', {
          ...build.skin,
          hex: lighten(build.skin.hex, 0.2),
        }),
      ]
    : [];
  const eyes = sides.map(({ sign, side }) => {
    const [ex, ey, er] = [sign * r * 0.36, y - r * 0.02, r * 0.15];
    return feature(ellipse(ex, ey, er * 1.15, er), `${side}eye`, build.eye.hex, eyeMarks(ex, ey, er * 1.1));
  });
  const brows = sides.map(({ sign, side }) =>
    feature(
      blob([
        [sign * r * 0.18, y - r * 0.24],
        [sign * r * 0.36, y - r * 0.36],
        [sign * r * 0.58, y - r * 0.26],
        [sign * r * 0.36, y - r * 0.27],
      ]),
      `${side}ebrow`,
      darken(build.hair.hex, 0.2),
    ),
  );
  return [
    ...muzzle,
    ...eyes,
    ...brows,
    feature(
      blob([
        [0, y + r * 0.02],
        [r * 0.13, y + r * 0.26],
        [0, y + r * 0.33],
        [-r * 0.13, y + r * 0.26],
      ]),
      'nose',
      darken(build.skin.hex, 0.16),
    ),
    feature(
      blob([
        [-r * 0.26, y + r * 0.52],
        [0, y + r * 0.48],
        [r * 0.26, y + r * 0.52],
        [0, y + r * 0.64],
      ]),
      'mouth',
      '#9c4a44',
    ),
  ];
}

export function humanHead(build: HumanoidBuild, y: number, stance: Stance): Layer[] {
  const r = build.headSize;
  const ear = (right: boolean) =>
    layer(
      ellipse(
        (right ? 1 : -1) * r * (build.ape ? 1.06 : 0.92),
        y + r * 0.06,
        r * (build.ape ? 0.34 : 0.18),
        r * (build.ape ? 0.36 : 0.26),
      ),
      `head ears ${bodySide(right, build, stance)}ear`,
      { ...build.skin, hex: darken(build.skin.hex, 0.1) },
    );
  const skull = blob([
    [-r * 0.9, y - r * 0.1],
    [-r * 0.6, y - r * 0.92],
    [r * 0.6, y - r * 0.92],
    [r * 0.9, y - r * 0.1],
    [r * 0.62, y + r * 0.72],
    [0, y + r * 1.02],
    [-r * 0.62, y + r * 0.72],
  ]);
  const hair = layer(hairOutline(r, y, build.fromBehind), 'head hair', build.hair, 'fur');
  const fur = layer(ellipse(0, y - r * 0.08, r * 1.02, r * 1.04), 'head hair', build.hair, 'fur');
  return [
    ear(true),
    ear(false),
    ...(build.ape ? [fur] : []),
    ...(build.ape && build.fromBehind
      ? []
      : [layer(build.ape ? ellipse(0, y + r * 0.1, r * 0.78, r * 0.8) : skull, 'head', build.skin)]),
    ...(build.fromBehind ? [] : face(build, y, stance)),
    ...(build.ape ? [] : [hair]),
  ];
}

/** A standing person or monkey seen from the front or the back; units of about 1.8 cm, ground at y = 0. */
export interface HumanoidBuild {
  skin: Tone;
  top: Tone;
  bottom: Tone;
  shoe: Tone;
  hair: Tone;
  eye: Tone;
  /** Monkeys: fur everywhere, long arms, a tail, ears that stand out. */
  ape: boolean;
  fromBehind: boolean;
  headSize: number;
  legLength: number;
  armLength: number;
  shoulder: number;
  finish: Finish;
}

/** Picture right is the left side of a figure that looks at the viewer. */
export function bodySide(right: boolean, build: HumanoidBuild, { facing }: Stance): Side {
  const pictureRight = right === (facing === 1);
  return pictureRight === !build.fromBehind ? 'l' : 'r';
}
