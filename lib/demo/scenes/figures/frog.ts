import { blob, corners, ellipse, limb, type Point } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Stance } from '../figure';
import { darken, type Tone } from '../palette';
import { eyeMarks, patternMarks } from './marks';

export interface FrogBuild {
  skin: Tone;
  belly: Tone;
  eye: Tone & { coloured: boolean };
  patterned: boolean;
  patternHex: string;
  wet: boolean;
}

function foot(x: number, y: number, size: number): Point[][] {
  return [-0.5, 0.1, 0.7].map((spread) => [
    ...limb([
      [x, y, size * 0.16],
      [x + size * 0.7, y + spread * size * 0.35, size * 0.12],
      [x + size * 1.05, y + spread * size * 0.42, size * 0.17],
    ]),
  ]);
}

function legs(build: FrogBuild, shaded: boolean): { hind: Layer[]; fore: Layer[] } {
  const shift = shaded ? 9 : 0;
  const skin = shaded ? { ...build.skin, hex: darken(build.skin.hex, 0.3) } : build.skin;
  const bands: Mark[] = build.patterned
    ? [-24, -16].map((x) => ({
        points: [
          [x, 0],
          [x + 6, 26],
        ] as Point[],
        stroke: build.patternHex,
        width: 2.4,
        opacity: 0.8,
      }))
    : [];
  return {
    hind: [
      layer(foot(-14 + shift, 30, 15), 'leg', skin, 'moist'),
      layer(
        limb([
          [-34 + shift, 14, 5],
          [-24 + shift, 24, 4.2],
          [-13 + shift, 30, 3],
        ]),
        'leg',
        skin,
        'moist',
        bands,
      ),
      layer(
        limb([
          [-22 + shift, 12, 9],
          [-32 + shift, 10, 7.5],
          [-34 + shift, 17, 5],
        ]),
        'leg',
        skin,
        'moist',
        bands,
      ),
    ],
    fore: [
      layer(foot(22 + shift, 30, 11), 'leg', skin, 'moist'),
      layer(
        limb([
          [14 + shift, 12, 5.5],
          [12 + shift, 22, 4],
          [22 + shift, 30, 2.8],
        ]),
        'leg',
        skin,
        'moist',
      ),
    ],
  };
}

function eye(build: FrogBuild, x: number, y: number, side: string): Layer[] {
  const lid = layer(ellipse(x - 0.5, y + 0.6, 6.4, 6), 'head', build.skin, 'moist');
  const ball = layer(
    ellipse(x, y, 4.3, 4.1),
    `head ${side}eye ${build.eye.coloured ? 'colored-eyes' : ''}`,
    { hex: build.eye.hex },
    'plain',
    eyeMarks(x, y, 4.3, 1.35),
  );
  return [lid, ball];
}

/** A sitting frog, seen from the side and a little from the front. */
export function frog(build: FrogBuild, stance: Stance): Figure {
  const { rng, near, far } = stance;
  const puff = rng.between(0.9, 1.15);
  const back = blob([
    [-34, 20],
    [-32, 6],
    [-16, -8 * puff],
    [4, -16],
    [20, -14],
    [28, 2],
    [26, 18],
    [6, 27 * puff],
    [-20, 28],
  ]);
  const spots = build.patterned
    ? patternMarks('spots', { left: -34, right: 28, top: -14, bottom: 14 }, build.patternHex, rng, 9)
    : [];
  const belly: Mark = {
    points: blob(corners('28,6 10,14 -18,22 -6,32 24,26')),
    closed: true,
    fill: build.belly.hex,
    opacity: 0.9,
  };
  const headShape = blob(corners('8,-14 20,-24 36,-20 47,-8 45,1 30,6 14,4'));
  const mouth: Mark = {
    points: corners('46,-4 34,-1 22,-4 18,-8'),
    stroke: darken(build.skin.hex, 0.6),
    width: 0.9,
  };
  const nostril: Mark = {
    points: ellipse(42, -11, 0.9, 0.7, 0, 8),
    closed: true,
    fill: darken(build.skin.hex, 0.7),
  };
  const throat: Mark = {
    points: blob(corners('47,-3 32,1 16,-2 18,8 40,8')),
    closed: true,
    fill: build.belly.hex,
    opacity: 0.9,
  };
  const drops: Mark[] = build.wet
    ? corners('-16,-2 -4,-8 10,-4 -24,8 2,4').map(([x = 0, y = 0]) => ({
        points: ellipse(x, y, 1.6, 2, 0, 10),
        closed: true,
        fill: '#ffffff',
        opacity: 0.75,
      }))
    : [];
  const [farLegs, nearLegs] = [legs(build, true), legs(build, false)];
  return {
    layers: [
      ...farLegs.hind,
      ...farLegs.fore,
      ...eye(build, 34, -21, far),
      layer(back, 'torso', build.skin, 'moist', [belly, ...spots, ...drops]),
      layer(headShape, 'head', build.skin, 'moist', [throat, mouth, nostril, ...spots.slice(0, 6)]),
      ...eye(build, 24, -21, near),
      ...nearLegs.fore,
      ...nearLegs.hind,
    ],
    traits: [...(build.patterned ? ['patterned'] : []), ...(build.wet ? ['wet'] : [])],
    draught: 0.18,
  };
}
