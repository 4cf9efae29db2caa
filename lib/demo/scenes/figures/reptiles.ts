import { blob, boundsOf, ellipse, type Joint, limb } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Stance } from '../figure';
import { darken, lighten, type Tone } from '../palette';
import { eyeMarks, type Pattern, patternMarks } from './marks';

export interface ReptileBuild {
  skin: Tone;
  pattern: Pattern;
  patternHex: string;
}

/** A snake in waves or coils, its head raised. */
export function snake(build: ReptileBuild, { rng }: Stance): Figure {
  const waves = rng.between(1.4, 2.2);
  const phase = rng.between(0, 6.28);
  const height = rng.between(9, 15);
  const thick = rng.between(5, 7);
  const joints = Array.from({ length: 22 }, (_, i): Joint => {
    const t = i / 21;
    const y = Math.sin(phase + t * waves * 6.28) * height * (1 - 0.25 * t);
    return [-60 + t * 110, y + (t > 0.86 ? -(t - 0.86) * 130 : 0), thick * Math.min(1, 0.12 + t * 2.2)];
  });
  const body = limb(joints);
  const [hx, hy] = [52, (joints[21]?.[1] ?? 0) - 3];
  const marks = patternMarks(
    build.pattern,
    boundsOf([body]),
    build.patternHex,
    rng,
    build.pattern === 'stripes' ? 9 : 7,
  );
  const head = blob([
    [hx - 8, hy - 4.5],
    [hx + 2, hy - 7.5],
    [hx + 14, hy - 4],
    [hx + 19, hy + 1],
    [hx + 14, hy + 5],
    [hx, hy + 7],
    [hx - 8, hy + 5],
  ]);
  const mouth: Mark = {
    points: [
      [hx + 19, hy + 2],
      [hx + 8, hy + 3.4],
      [hx + 2, hy + 2.6],
    ],
    stroke: darken(build.skin.hex, 0.6),
    width: 0.9,
  };
  const tongue = limb([
    [hx + 16, hy + 1.6, 0.8],
    [hx + 24, hy + 1, 0.7],
    [hx + 29, hy - 1.5, 0.5],
  ]);
  const eyeAt = [hx + 8, hy - 2.4] as const;
  return {
    layers: [
      layer(body, 'torso', build.skin, 'scale', marks),
      layer(tongue, 'head', { hex: '#b5342f' }),
      layer(head, 'head', { ...build.skin, hex: lighten(build.skin.hex, 0.08) }, 'scale', [mouth]),
      layer(
        ellipse(eyeAt[0], eyeAt[1], 1.9),
        'head',
        { hex: '#e3c14a' },
        'plain',
        eyeMarks(eyeAt[0], eyeAt[1], 1.9, 0.6),
      ),
    ],
    traits: build.pattern === 'none' ? [] : ['patterned'],
    draught: 0.12,
  };
}

function lizardLeg(skin: Tone, x: number, forward: number, shaded: boolean): Layer {
  const tone = shaded ? { ...skin, hex: darken(skin.hex, 0.3) } : skin;
  const toes = [-0.6, 0, 0.6].map((t) =>
    limb([
      [x + forward, 19, 1.4],
      [x + forward + 6, 20 + t, 0.8],
    ]),
  );
  return layer(
    [
      limb([
        [x, 3, 4.6],
        [x + forward * 0.2 - 5, 10, 3.4],
        [x + forward, 19, 2.4],
      ]),
      ...toes,
    ],
    'leg',
    tone,
    'scale',
  );
}

/** A lizard or, with a long jaw and a ridged back, a crocodile. */
export function lizard(build: ReptileBuild & { jaw: number; ridged: boolean }, { rng }: Stance): Figure {
  const curl = rng.between(-10, 10);
  const body = blob([
    [-32, 2],
    [-18, -9],
    [6, -11],
    [28, -7],
    [34, 2],
    [24, 10],
    [-10, 12],
    [-28, 9],
  ]);
  const tail = limb([
    [-24, 2, 8],
    [-46, 7 + curl * 0.1, 5],
    [-68, 12 - curl * 0.4, 3],
    [-92, 10 - curl, 0.6],
  ]);
  const [hx, hy] = [34, -6];
  const head = blob([
    [hx - 8, hy - 5],
    [hx + 4, hy - 8],
    [hx + 12, hy - 5],
    [hx + 14 + build.jaw, hy],
    [hx + 14 + build.jaw, hy + 4],
    [hx + 8, hy + 8],
    [hx - 6, hy + 8],
  ]);
  const mouth: Mark = {
    points: [
      [hx + 15 + build.jaw, hy + 2.4],
      [hx + 6, hy + 4],
      [hx, hy + 3],
    ],
    stroke: darken(build.skin.hex, 0.6),
    width: 0.9,
  };
  const teeth: Mark[] = build.ridged
    ? Array.from({ length: 6 }, (_, i) => ({
        points: [
          [hx + 10 + i * 4, hy + 3],
          [hx + 11 + i * 4, hy + 5.4],
          [hx + 12 + i * 4, hy + 3],
        ],
        closed: true,
        fill: '#f4f0e2',
      }))
    : [];
  const ridge = Array.from({ length: 7 }, (_, i) => {
    const x = -26 + i * 8;
    return [
      [x, -7],
      [x + 3, -14],
      [x + 7, -7],
    ] as const;
  });
  const marks = patternMarks(build.pattern, boundsOf([body]), build.patternHex, rng, 9);
  const eyeAt = [hx + 5, hy - 4] as const;
  return {
    layers: [
      lizardLeg(build.skin, -18, -5, true),
      lizardLeg(build.skin, 26, 6, true),
      layer(
        tail,
        'tail',
        build.skin,
        'scale',
        patternMarks(build.pattern, boundsOf([tail]), build.patternHex, rng, 9),
      ),
      ...(build.ridged ? [layer(ridge, 'torso', { ...build.skin, hex: darken(build.skin.hex, 0.15) })] : []),
      layer(body, 'torso', build.skin, 'scale', marks),
      layer(head, 'head', { ...build.skin, hex: lighten(build.skin.hex, 0.05) }, 'scale', [mouth, ...teeth]),
      layer(
        ellipse(eyeAt[0], eyeAt[1], 2.1),
        'head',
        { hex: '#d9b43a' },
        'plain',
        eyeMarks(eyeAt[0], eyeAt[1], 2.1, 0.6),
      ),
      lizardLeg(build.skin, -22, 4, false),
      lizardLeg(build.skin, 22, -3, false),
    ],
    traits: build.pattern === 'none' ? [] : ['patterned'],
    draught: 0.2,
  };
}
