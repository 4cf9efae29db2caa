import { edgeCosts, type Luminance } from '@/lib/core/editor';
import { type Point, simplifyRing } from '@/lib/core/geometry';
import { iou, type Region, rasterizeRegions, toRegions } from '@/lib/core/mask';
import { followBorder } from './follow-border';
import { type Effort, landing, nothingDone } from './hand';
import type { Target } from './targets';
import type { Trial } from './trial';

/** Coarsest first, in image pixels: the fewest clicks that are enough are looked for. */
const TOLERANCES = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1.5, 1, 0.5];

/** What is drawn of a true outline, with how many clicks and how long the machine took for it. */
type Draw = (
  ring: readonly number[],
  tolerance: number,
) => { drawn: number[]; clicks: number; computeMs: number };

/** Straight lines between clicks, which stand where they are worth most. */
export function polygonTrial(target: Target): Trial {
  return fewestClicks(target, byHand);
}

/** A livewire, clicked where it would otherwise leave the border. */
export function livewireTrial(target: Target): Trial {
  const edges = edgeCosts(luminanceOf(target));
  return fewestClicks(target, (ring, tolerance) => {
    const followed = followBorder(edges, ring, tolerance);
    // Round something tiny a wire has no use.
    return followed.clicks < 3 ? byHand(ring, tolerance) : followed;
  });
}

const byHand: Draw = (ring, tolerance) => {
  const clicks = pointsOf(simplifyRing(ring, tolerance)).map(landing);
  return { drawn: clicks.flat(), clicks: clicks.length, computeMs: 0 };
};

function fewestClicks({ truth }: Target, draw: Draw): Trial {
  const regions = toRegions(truth);
  let last: Trial = { effort: nothingDone, iou: 0 };
  for (const tolerance of TOLERANCES) {
    const effort = { ...nothingDone };
    const drawn = regions.map((region) => drawRegion(region, tolerance, draw, effort));
    last = { effort, iou: iou(rasterizeRegions(drawn, truth.height, truth.width), truth) };
    if (last.iou >= 0.9) return last;
  }
  return last;
}

function drawRegion(region: Region, tolerance: number, draw: Draw, effort: Effort) {
  const [outer, ...holes] = [region.outer, ...region.holes].map((ring) => {
    const { drawn, clicks, computeMs } = draw(ring, tolerance);
    effort.clicks += clicks;
    effort.keys += 1;
    effort.computeMs += computeMs;
    return drawn;
  });
  return { outer: outer ?? [], holes };
}

function pointsOf(ring: readonly number[]): Point[] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [
    ring[2 * i] as number,
    ring[2 * i + 1] as number,
  ]);
}

function luminanceOf({ rgba, width, height }: Target): Luminance {
  const data = Uint8Array.from({ length: width * height }, (_, i) => {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(4 * i, 4 * i + 3);
    return (77 * red + 150 * green + 29 * blue) >> 8;
  });
  return { data, width, height };
}
