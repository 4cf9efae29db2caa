import { limb } from '../curves';
import { type Layer, layer, type Side, type Stance } from '../figure';
import { darken } from '../palette';
import type { QuadrupedBuild } from './quadruped-build';

interface LegPlan {
  side: Side;
  end: 'f' | 'b';
  /** Where the leg leaves the trunk. */
  x: number;
  y: number;
  /** Horizontal swing of the foot. */
  swing: number;
  shaded: boolean;
}

function legTags(plan: LegPlan, segment: 'u' | 'l'): string {
  const whole = `${plan.side}${plan.end}leg`;
  return `leg ${whole} ${plan.side}${plan.end}${segment}leg`;
}

function footTags(build: QuadrupedBuild, plan: LegPlan): string {
  const prefix = `${plan.side}${plan.end}`;
  if (build.splitLegs) return `leg ${prefix}lleg`;
  return build.hooves ? `leg ${prefix}ho` : `leg ${prefix}pa`;
}

/** Upper leg, lower leg and foot, back to front. */
function leg(build: QuadrupedBuild, plan: LegPlan): Layer[] {
  const ground = build.legLength;
  const w = build.legWidth;
  const coat = plan.shaded ? { ...build.coat, hex: darken(build.coat.hex, 0.28) } : build.coat;
  const hind = plan.end === 'b';
  const knee = {
    x: plan.x + (hind ? 0.5 : 1.2) + plan.swing * 0.35,
    y: plan.y + (ground - plan.y) * (hind ? 0.46 : 0.52),
  };
  const hock = { x: plan.x + (hind ? -4.5 : 0) + plan.swing * 0.6, y: plan.y + (ground - plan.y) * 0.72 };
  const foot = { x: plan.x + plan.swing + (hind ? -2 : 0.5), y: ground - w * 0.55 };
  const upper = limb([
    [plan.x, plan.y, w * (hind ? 2.1 : 1.65)],
    [(plan.x + knee.x) / 2 + (hind ? 1 : 0), (plan.y + knee.y) / 2, w * (hind ? 1.75 : 1.35)],
    [knee.x, knee.y, w * 1.02],
  ]);
  const lower = limb([
    [knee.x, knee.y, w],
    [hock.x, hock.y, w * 0.82],
    [foot.x, foot.y, w * 0.78],
  ]);
  const paw = build.hooves
    ? limb([
        [foot.x, foot.y - w * 0.2, w * 0.8],
        [foot.x + 0.6, ground - w * 0.35, w * 0.98],
      ])
    : limb([
        [foot.x - w * 0.2, ground - w * 0.75, w * 0.85],
        [foot.x + w * 0.9, ground - w * 0.7, w * 0.8],
      ]);
  const footTone = build.hooves ? build.dark : coat;
  return [
    layer(lower, legTags(plan, 'l'), coat, build.finish),
    layer(
      paw,
      footTags(build, plan),
      plan.shaded ? { ...footTone, hex: darken(footTone.hex, 0.2) } : footTone,
    ),
    layer(upper, legTags(plan, 'u'), coat, build.finish),
  ];
}

export interface Legs {
  behind: Layer[];
  before: Layer[];
}

/** Four legs in a walking or standing pose; the far pair goes behind the trunk. */
export function quadrupedLegs(build: QuadrupedBuild, { rng, near, far }: Stance): Legs {
  const stride = rng.between(0, 0.2) * build.legLength;
  const [front, back] = [build.bodyLength * 0.93, build.bodyLength * 0.06];
  const y = build.bodyDepth * 0.08;
  const make = (side: Side, end: 'f' | 'b', swing: number) =>
    leg(build, {
      side,
      end,
      x: (end === 'f' ? front : back) + (side === far ? -build.legWidth * 0.9 : 0),
      y,
      swing,
      shaded: side === far,
    });
  return {
    behind: [...make(far, 'b', stride + 2), ...make(far, 'f', -stride + 4)],
    before: [...make(near, 'b', -stride * 0.8), ...make(near, 'f', stride)],
  };
}
