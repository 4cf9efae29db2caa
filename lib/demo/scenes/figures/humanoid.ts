import { blob, ellipse, limb, type Outline } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Side, type Stance } from '../figure';
import { darken, lighten } from '../palette';
import { bodySide, type HumanoidBuild, humanHead } from './humanoid-head';

interface LimbPlan {
  side: Side;
  sign: 1 | -1;
  swing: number;
}

function leg(build: HumanoidBuild, hip: number, { side, sign, swing }: LimbPlan): Layer[] {
  const x = sign * build.shoulder * 0.42;
  const knee = { x: x + swing * 0.5 + sign * 0.6, y: hip + build.legLength * 0.48 };
  const ankle = { x: x + swing, y: -3.2 };
  const w = build.shoulder * 0.36;
  const fold: Mark = {
    points: [
      [knee.x - 3, knee.y],
      [knee.x + 3, knee.y + 1],
    ],
    stroke: darken(build.bottom.hex, 0.5),
    width: 0.5,
    opacity: 0.6,
  };
  return [
    layer(
      blob([
        [ankle.x - 3, -3.6],
        [ankle.x + 2.4, -3.8],
        [ankle.x + 3 + sign * 2.2, -1.4],
        [ankle.x + 2 + sign * 2, 0],
        [ankle.x - 3 + sign, 0],
      ]),
      `legs leg ${side}foot`,
      build.shoe,
      'plain',
    ),
    layer(
      limb([
        [knee.x, knee.y, w * 0.82],
        [(knee.x + ankle.x) / 2, (knee.y + ankle.y) / 2, w * 0.78],
        [ankle.x, ankle.y, w * 0.6],
      ]),
      `legs leg ${side}lleg`,
      build.bottom,
      build.finish,
    ),
    layer(
      limb([
        [x, hip, w],
        [(x + knee.x) / 2, (hip + knee.y) / 2, w * 0.98],
        [knee.x, knee.y, w * 0.84],
      ]),
      `legs leg ${side}uleg`,
      build.bottom,
      build.finish,
      [fold],
    ),
  ];
}

function arm(build: HumanoidBuild, shoulderY: number, { side, sign, swing }: LimbPlan): Layer[] {
  const x = sign * build.shoulder * 0.88;
  const reach = build.armLength;
  const elbow = { x: x + sign * (3 + Math.abs(swing) * 0.4), y: shoulderY + reach * 0.48 };
  const wrist = { x: x + sign * (3.4 + swing * 0.7), y: shoulderY + reach * (0.95 - Math.abs(swing) * 0.02) };
  const w = build.shoulder * 0.24;
  return [
    layer(
      limb([
        [wrist.x, wrist.y, w * 0.66],
        [wrist.x + sign * 0.4, wrist.y + 3.6, w * 0.74],
      ]),
      `arms arm ${side}hand`,
      build.ape ? { ...build.skin, hex: darken(build.skin.hex, 0.1) } : build.skin,
    ),
    layer(
      limb([
        [elbow.x, elbow.y, w * 0.9],
        [wrist.x, wrist.y, w * 0.68],
      ]),
      `arms arm ${side}larm`,
      build.top,
      build.finish,
    ),
    layer(
      limb([
        [x, shoulderY, w * 1.12],
        [elbow.x, elbow.y, w * 0.92],
      ]),
      `arms arm ${side}uarm`,
      build.top,
      build.finish,
    ),
  ];
}

function torsoOutline(build: HumanoidBuild, shoulderY: number, hip: number): Outline {
  const s = build.shoulder;
  const waist = shoulderY + (hip - shoulderY) * 0.62;
  return blob([
    [-s * 0.45, shoulderY - 3],
    [-s * 1.02, shoulderY],
    [-s * 0.88, waist],
    [-s * 0.86, hip + 2],
    [0, hip + 4],
    [s * 0.86, hip + 2],
    [s * 0.88, waist],
    [s * 1.02, shoulderY],
    [s * 0.45, shoulderY - 3],
  ]);
}

function clothes(build: HumanoidBuild, shoulderY: number, hip: number): Mark[] {
  if (build.ape) {
    return [
      {
        points: ellipse(0, (shoulderY + hip) / 2 + 2, build.shoulder * 0.6, (hip - shoulderY) * 0.42),
        closed: true,
        fill: lighten(build.top.hex, 0.25),
        opacity: 0.7,
      },
    ];
  }
  const seam: Mark = {
    points: [
      [0, shoulderY],
      [0, hip + 4],
    ],
    stroke: darken(build.top.hex, 0.45),
    width: 0.6,
    opacity: 0.7,
  };
  const belt: Mark = {
    points: [
      [-20, hip + 1.6],
      [20, hip + 1.6],
    ],
    stroke: darken(build.bottom.hex, 0.35),
    width: 2.2,
  };
  return build.fromBehind ? [belt] : [seam, belt];
}

export function humanoid(build: HumanoidBuild, stance: Stance): Figure {
  const { rng } = stance;
  const hip = -build.legLength;
  const shoulderY = hip - (build.ape ? 30 : 27);
  const stride = rng.between(0, 4);
  const plan = (right: boolean, swing: number): LimbPlan => ({
    side: bodySide(right, build, stance),
    sign: right ? 1 : -1,
    swing,
  });
  const wave = rng.between(-1, 5);
  const tail = layer(
    limb([
      [4, hip, 2.4],
      [20, hip + 8, 2],
      [28, hip - 10, 1.8],
      [22, hip - 26, 1.6],
      [30, hip - 34, 1.2],
    ]),
    'tail',
    build.top,
    build.finish,
  );
  return {
    layers: [
      ...(build.ape ? [tail] : []),
      ...leg(build, hip, plan(false, -stride * 0.4)),
      ...leg(build, hip, plan(true, stride * 0.4)),
      ...arm(build, shoulderY + 3, plan(false, wave)),
      ...arm(build, shoulderY + 3, plan(true, rng.between(-1, 5))),
      layer(
        limb([
          [0, shoulderY + 2, 3.6],
          [0, shoulderY - 7, 3.4],
        ]),
        'torso neck',
        build.ape ? build.top : build.skin,
        build.ape ? build.finish : 'plain',
      ),
      layer(
        torsoOutline(build, shoulderY, hip),
        'torso',
        build.top,
        build.finish,
        clothes(build, shoulderY, hip),
      ),
      ...humanHead(build, shoulderY - 6 - build.headSize * 0.8, stance),
    ],
    traits: build.ape ? ['hairy'] : [],
    draught: 0.14,
  };
}
