import { type Bounds, blob, boundsOf, limb, type Outline } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Stance } from '../figure';
import { lighten } from '../palette';
import { patternMarks } from './marks';
import type { QuadrupedBuild } from './quadruped-build';
import { quadrupedHead } from './quadruped-head';
import { quadrupedLegs } from './quadruped-legs';

function trunkOutline({ bodyLength: l, bodyDepth: d, tuck }: QuadrupedBuild): Outline {
  return blob([
    [-l * 0.17, d * 0.06],
    [-l * 0.09, -d * 0.36],
    [l * 0.2, -d * 0.45],
    [l * 0.55, -d * 0.4],
    [l * 0.92, -d * 0.5],
    [l * 1.13, -d * 0.2],
    [l * 1.12, d * 0.22],
    [l * 0.93, d * 0.5],
    [l * 0.5, d * (0.5 - 0.16 * tuck)],
    [l * 0.14, d * (0.42 - 0.2 * tuck)],
    [-l * 0.08, d * 0.4],
  ]);
}

function tail(build: QuadrupedBuild, { rng }: Stance): Layer {
  const { bodyLength: l, bodyDepth: d, legLength: ground } = build;
  const [x, y] = [-l * 0.12, -d * 0.26];
  const lift = rng.between(-1, 1);
  const w = build.legWidth;
  const kinds: Record<QuadrupedBuild['tail'], Outline> = {
    long: limb([
      [x, y, w * 0.8],
      [x - 14, y + 2 - 12 * lift, w * 0.75],
      [x - 24, y - 8 - 14 * lift, w * 0.7],
      [x - 26, y - 24 - 8 * lift, w * 0.6],
    ]),
    plume: limb([
      [x, y, w * 0.8],
      [x - 13, y - 3 - 8 * lift, w * 1.5],
      [x - 25, y - 8 - 16 * lift, w * 1.4],
      [x - 33, y - 16 - 18 * lift, w * 0.3],
    ]),
    short: limb([
      [x, y, w * 0.9],
      [x - 6, y + 4 - 5 * lift, w * 0.9],
      [x - 9, y + 11 - 8 * lift, w * 0.35],
    ]),
    stub: limb([
      [x, y, w * 0.9],
      [x - 5, y - 1, w * 0.8],
    ]),
    horse: limb([
      [x, y, w * 0.7],
      [x - 8, y + 6, w * 1.4],
      [x - 11 - 2 * lift, ground * 0.45, w * 1.8],
      [x - 9 - 4 * lift, ground * 0.82, w * 0.5],
    ]),
    tuft: limb([
      [x, y, w * 0.5],
      [x - 6, y + 10, w * 0.45],
      [x - 7 - 2 * lift, ground * 0.5, w * 0.5],
      [x - 7 - 3 * lift, ground * 0.68, w * 1.05],
      [x - 7 - 3 * lift, ground * 0.82, w * 0.3],
    ]),
  };
  const tone = build.tail === 'horse' ? (build.maneTone ?? build.dark) : build.coat;
  return layer(kinds[build.tail], 'tail', tone, 'fur');
}

function mane(build: QuadrupedBuild, from: readonly [number, number], to: readonly [number, number]): Layer {
  const w = build.neckWidth;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const at = (t: number, out: number): readonly [number, number] => [
    from[0] + dx * t + dy * out * 0.018 * w,
    from[1] + dy * t - dx * out * 0.018 * w,
  ];
  const crest = blob([
    at(-0.12, 1.2),
    at(0.2, 1.75),
    at(0.55, 2.1),
    at(0.95, 2.3),
    at(1.22, 1.3),
    at(1.05, 0.4),
    at(0.7, 0.3),
    at(0.35, -0.1),
    at(0, -0.2),
  ]);
  return layer(crest, 'neck mane', build.maneTone ?? build.dark, 'fur');
}

function bellyMark(build: QuadrupedBuild): Mark {
  const { bodyLength: l, bodyDepth: d } = build;
  return {
    points: blob([
      [l * 0.05, d * 0.3],
      [l * 0.5, d * 0.22],
      [l * 1.05, d * 0.25],
      [l * 0.95, d * 0.6],
      [l * 0.4, d * 0.6],
    ]),
    closed: true,
    fill: lighten(build.under.hex, 0.1),
    opacity: 0.65,
  };
}

function coatMarks(build: QuadrupedBuild, area: Bounds, { rng }: Stance): Mark[] {
  const stripesGrain = build.bodyLength * 0.13;
  const grain = build.pattern === 'stripes' ? stripesGrain : build.bodyDepth * 0.2;
  return patternMarks(build.pattern, area, build.patternHex, rng, grain);
}

function inherit(layers: readonly Layer[], build: QuadrupedBuild, stance: Stance): Layer[] {
  if (build.pattern !== 'stripes') return [...layers];
  return layers.map((entry) =>
    entry.tags.includes('leg') && entry.finish === build.finish
      ? {
          ...entry,
          marks: patternMarks(
            build.pattern,
            flip(boundsOf(entry.outlines)),
            build.patternHex,
            stance.rng,
            build.legWidth * 1.6,
          ).map(turned),
        }
      : entry,
  );
}

/** Stripes on a leg run across it: draw them along y, then swap the axes. */
const flip = (b: Bounds): Bounds => ({ left: b.top, right: b.bottom, top: b.left, bottom: b.right });
const turned = (mark: Mark): Mark => ({ ...mark, points: mark.points.map(([x, y]) => [y, x] as const) });

/** How much of the coat a pattern covers, from looking at the pictures. */
const PATTERN_SHARE = { stripes: 0.4, spots: 0.25, patches: 0.3 } as const;

export function quadruped(build: QuadrupedBuild, stance: Stance): Figure {
  const { bodyLength: l, bodyDepth: d } = build;
  const rise = build.neckRise + stance.rng.between(-0.14, 0.14);
  const root = [l * 0.98, -d * 0.2] as const;
  const end = [
    root[0] + build.neckLength * Math.cos(rise),
    root[1] - build.neckLength * Math.sin(rise),
  ] as const;
  const trunk = trunkOutline(build);
  const legs = quadrupedLegs(build, stance);
  const neckOutline = limb([
    [root[0] - d * 0.12, root[1] + d * 0.1, build.neckWidth * 1.5],
    [(root[0] + end[0]) / 2, (root[1] + end[1]) / 2, build.neckWidth * 1.12],
    [end[0], end[1], build.neckWidth * 0.92],
  ]);
  const pitch = stance.rng.between(-0.05, 0.25) + (build.longSnout && build.hooves ? 0.35 : 0.05);
  const neckMarks = build.pattern === 'patches' ? [] : coatMarks(build, boundsOf([neckOutline]), stance);
  return {
    layers: [
      ...inherit(legs.behind, build, stance),
      tail(build, stance),
      layer(trunk, 'torso', build.coat, build.finish, [
        bellyMark(build),
        ...coatMarks(build, boundsOf([trunk]), stance),
      ]),
      ...inherit(legs.before, build, stance),
      layer(neckOutline, 'neck', build.coat, build.finish, neckMarks),
      ...(build.mane ? [mane(build, root, end)] : []),
      ...quadrupedHead(build, end[0], end[1], pitch, stance),
    ],
    traits: ['hairy', ...(build.pattern === 'none' ? [] : ['patterned'])],
    draught: 0.16,
    ...(build.patternName && build.pattern !== 'none'
      ? { markColour: { name: build.patternName, share: PATTERN_SHARE[build.pattern] } }
      : {}),
  };
}
