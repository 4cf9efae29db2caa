import { blob, ellipse, limb, type Point } from '../curves';
import { type Figure, layer, type Mark, type Stance } from '../figure';
import { darken, lighten, type Tone } from '../palette';
import { eyeMarks, patternMarks } from './marks';

export interface FishBuild {
  skin: Tone;
  belly: Tone;
  fin: Tone;
  depth: number;
  striped: boolean;
  shark: boolean;
}

const rays = (points: readonly Point[], hex: string): Mark[] =>
  points.map(([x, y]) => ({
    points: [
      [x, y],
      [x - 8, y * 1.9],
    ],
    stroke: hex,
    width: 0.7,
    opacity: 0.6,
  }));

export function fish(build: FishBuild, stance: Stance): Figure {
  const d = build.depth;
  const sway = stance.rng.between(-6, 6);
  const body = blob([
    [-44, sway * 0.4],
    [-24, -d * 0.62],
    [8, -d],
    [32, -d * 0.82],
    [34, d * 0.7],
    [6, d],
    [-24, d * 0.62],
  ]);
  const headShape = blob([
    [26, -d * 0.86],
    [44, -d * 0.6],
    [58, -d * 0.05],
    [56, d * 0.2],
    [44, d * 0.62],
    [26, d * 0.84],
    [30, 0],
  ]);
  const stripes = build.striped
    ? patternMarks(
        'stripes',
        { left: -36, right: 34, top: -d, bottom: d * 0.9 },
        build.belly.hex,
        stance.rng,
        17,
      )
    : [];
  const paleBelly: Mark = {
    points: blob([
      [-40, d * 0.3],
      [0, d * 0.45],
      [36, d * 0.4],
      [30, d * 1.2],
      [-10, d * 1.2],
    ]),
    closed: true,
    fill: build.belly.hex,
    opacity: 0.75,
  };
  const mouth: Mark = build.shark
    ? {
        points: [
          [55, d * 0.3],
          [46, d * 0.5],
          [40, d * 0.42],
        ],
        stroke: darken(build.skin.hex, 0.6),
        width: 1.1,
      }
    : {
        points: [
          [58, d * 0.14],
          [50, d * 0.2],
        ],
        stroke: darken(build.skin.hex, 0.6),
        width: 1.2,
      };
  const gills: Mark[] = (build.shark ? [30, 33, 36] : [31]).map((x) => ({
    points: [
      [x, -d * 0.4],
      [x - 3, 0],
      [x, d * 0.42],
    ],
    stroke: darken(build.skin.hex, 0.55),
    width: 1.2,
    opacity: 0.8,
  }));
  const dark = darken(build.fin.hex, 0.4);
  const dorsal = build.shark
    ? blob([
        [14, -d * 0.8],
        [0, -d * 1.9],
        [-6, -d * 2],
        [-8, -d * 0.75],
      ])
    : blob([
        [22, -d * 0.8],
        [8, -d * 1.55],
        [-18, -d * 1.35],
        [-26, -d * 0.5],
      ]);
  const tail = blob([
    [-38, -3 + sway * 0.3],
    [-54, -d * 0.75 + sway],
    [-66, -d * 1.05 + sway],
    [-58, sway],
    [-66, d * 0.95 + sway],
    [-54, d * 0.6 + sway],
    [-38, 4 + sway * 0.3],
  ]);
  const eyeAt: Point = [44, -d * 0.24];
  return {
    layers: [
      layer(
        dorsal,
        'fin',
        build.fin,
        'plain',
        rays(
          [
            [14, -d * 0.7],
            [4, -d * 0.8],
            [-6, -d * 0.75],
            [-16, -d * 0.6],
          ],
          dark,
        ),
      ),
      layer(
        blob([
          [8, d * 0.8],
          [-4, d * 1.5],
          [-14, d * 1.45],
          [-12, d * 0.7],
        ]),
        'fin',
        build.fin,
        'plain',
        rays(
          [
            [2, d * 0.7],
            [-6, d * 0.7],
          ],
          dark,
        ),
      ),
      layer(
        tail,
        'tail',
        build.fin,
        'plain',
        rays(
          [
            [-50, -d * 0.3],
            [-54, d * 0.3],
          ],
          dark,
        ),
      ),
      layer(body, 'torso', build.skin, build.shark ? 'moist' : 'scale', [paleBelly, ...stripes]),
      layer(headShape, 'head', { ...build.skin, hex: lighten(build.skin.hex, 0.06) }, 'moist', [
        mouth,
        ...gills,
      ]),
      layer(
        ellipse(eyeAt[0], eyeAt[1], 3.4),
        'head',
        { hex: '#e9d98a' },
        'plain',
        eyeMarks(eyeAt[0], eyeAt[1], 3.4),
      ),
      layer(
        limb([
          [20, d * 0.15, 5],
          [8, d * 0.45, 5.5],
          [-4, d * 0.62, 1.5],
        ]),
        'fin',
        build.fin,
        'plain',
        [],
      ),
    ],
    traits: build.striped ? ['patterned'] : [],
    airborne: true,
    draught: 0,
  };
}
