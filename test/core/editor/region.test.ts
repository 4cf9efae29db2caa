import { describe, expect, it } from 'vitest';
import {
  type CropPlan,
  growRegion,
  planCrop,
  type RegionCrop,
  regionLeaks,
  regionMask,
  regionShapes,
  type Scribble,
  suggestRegion,
} from '@/lib/core/editor';
import { area, crop as cropMask, intersectionArea, iou, rasterizeShapes } from '@/lib/core/mask';
import { TestEditor } from '../../support/test-editor';

const image = { width: 200, height: 160 };
const inEllipse = (x: number, y: number) => ((x - 90) / 50) ** 2 + ((y - 80) / 30) ** 2 < 1;

/** A reddish ellipse on green, both with a repeatable grain; a bluish square stands beside it. */
function pixel(x: number, y: number): [number, number, number] {
  const grain = ((x * 7 + y * 13) % 11) * 3;
  if (inEllipse(x + 0.5, y + 0.5)) return [170 + grain, 60 + grain, 50];
  if (x > 150 && x < 180 && y > 30 && y < 60) return [50, 60, 170 + grain];
  return [60 + grain, 120 + grain, 60];
}

/** What a canvas would give for the plan; nearest neighbour is enough here. */
function cropOf(scribbles: readonly Scribble[], colour = pixel): RegionCrop {
  return cropOn(planCrop(scribbles, image), colour);
}

function cropOn(plan: CropPlan, colour = pixel): RegionCrop {
  const [left, top, boxWidth, boxHeight] = plan.box;
  const rgba = new Uint8ClampedArray(4 * plan.width * plan.height);
  for (let y = 0; y < plan.height; y++)
    for (let x = 0; x < plan.width; x++) {
      const sourceX = left + Math.floor(((x + 0.5) * boxWidth) / plan.width);
      const sourceY = top + Math.floor(((y + 0.5) * boxHeight) / plan.height);
      rgba.set([...colour(sourceX, sourceY), 255], 4 * (y * plan.width + x));
    }
  return { rgba, width: plan.width, height: plan.height, plan };
}

const truth = rasterizeShapes(
  [
    {
      kind: 'polygon',
      op: 'add',
      outer: Array.from({ length: 400 }, (_, i) => {
        const angle = (Math.PI * (i - (i % 2))) / 200;
        return i % 2 === 0 ? 90 + 50 * Math.cos(angle) : 80 + 30 * Math.sin(angle);
      }),
      holes: [],
    },
  ],
  image.height,
  image.width,
);

const across: Scribble = { op: 'add', points: [60, 80, 90, 70, 120, 85] };

describe('the region under a scribble', () => {
  it('is the object, as a mask and as polygons that can be edited', () => {
    const crop = cropOf([across]);
    const region = growRegion(crop, [across]);
    expect(iou(regionMask(region, crop, image.height, image.width), truth)).toBeGreaterThan(0.95);
    const shapes = regionShapes(region, crop);
    expect(shapes).toHaveLength(1);
    expect(iou(rasterizeShapes(shapes, image.height, image.width), truth)).toBeGreaterThan(0.93);
  });

  it('needs no more than a click on a plain object', () => {
    const click: Scribble = { op: 'add', points: [90, 80] };
    const crop = cropOf([click]);
    const mask = regionMask(growRegion(crop, [click]), crop, image.height, image.width);
    expect(intersectionArea(mask, truth) / area(mask)).toBeGreaterThan(0.95);
  });

  it('leaves out what a background scribble marks', () => {
    const wide: Scribble = { op: 'add', points: [60, 80, 120, 80, 165, 45] };
    const not: Scribble = { op: 'erase', points: [70, 95, 110, 95] };
    const crop = cropOf([wide, not]);
    const count = (scribbles: readonly Scribble[]) => area(growRegion(crop, scribbles));
    expect(count([wide, not])).toBeLessThan(count([wide]));
  });

  it('stops at an edge between colours that are alike', () => {
    // Both sides have the same mixture of greys; only a dark line parts them.
    const alike = (x: number, y: number): [number, number, number] => {
      const grey = 100 + ((x * 31 + y * 17) % 7) * 4;
      return Math.abs(x - 110) < 2 ? [40, 40, 40] : [grey, grey, grey];
    };
    const left: Scribble = { op: 'add', points: [60, 40, 60, 120] };
    const right: Scribble = { op: 'erase', points: [150, 60, 150, 100] };
    const crop = cropOf([left, right], alike);
    const mask = regionMask(growRegion(crop, [left, right]), crop, image.height, image.width);
    const beyond = rasterizeShapes(
      [{ kind: 'polygon', op: 'add', outer: [114, 0, 200, 0, 200, 160, 114, 160], holes: [] }],
      image.height,
      image.width,
    );
    expect(area(mask)).toBeGreaterThan(2000);
    expect(intersectionArea(mask, beyond) / area(mask)).toBeLessThan(0.02);
  });

  it('runs out of a crop that lies within the object, and stops at the border in a wider one', () => {
    const click: Scribble = { op: 'add', points: [90, 80] };
    const tight = planCrop([click], image);
    expect(regionLeaks(cropMask(truth, tight.box), cropOn(tight))).toBe(true);
    const wide = planCrop([click], image, 2);
    expect(regionLeaks(cropMask(truth, wide.box), cropOn(wide))).toBe(false);
    const suggested = suggestRegion([click], image, cropOn);
    const mask = rasterizeShapes(suggested ?? [], image.height, image.width);
    expect(intersectionArea(mask, truth) / area(mask)).toBeGreaterThan(0.95);
  });

  it('is refused when only the border of the image stops it', () => {
    const rimmed = (x: number, y: number): [number, number, number] =>
      x < 1 || y < 1 || x >= image.width - 1 || y >= image.height - 1 ? [0, 0, 0] : [90, 140, 90];
    const scribble: Scribble = { op: 'add', points: [60, 40, 140, 120] };
    expect(suggestRegion([scribble], image, (plan) => cropOn(plan, rimmed))).toBeUndefined();
  });

  it('looks at a small crop of a large image, within its borders', () => {
    const plan = planCrop([{ op: 'add', points: [5000, 10, 5400, 300] }], { width: 6000, height: 4000 });
    expect(Math.max(plan.width, plan.height)).toBe(256);
    const [left, top, width, height] = plan.box;
    expect(left).toBeGreaterThanOrEqual(0);
    expect(top).toBe(0);
    expect(left + width).toBeLessThanOrEqual(6000);
    expect(top + height).toBeLessThanOrEqual(4000);
    const outside = planCrop([{ op: 'add', points: [-500, -500] }], image);
    expect(outside.box[2]).toBeGreaterThan(0);
  });
});

describe('the smart region tool', () => {
  const shape = { kind: 'polygon', op: 'add', outer: [10, 10, 40, 10, 40, 40], holes: [] } as const;
  const suggest = (editor: TestEditor, request: number, time: number) =>
    editor.dispatch({ type: 'suggestion', request, assist: 'region', shapes: [shape], time });

  it('asks, shows, and records an accepted suggestion with the time it was looked at', () => {
    const editor = new TestEditor().tool('smart-region').drag([
      [20, 20],
      [30, 30],
    ]);
    editor.expectState('smart-region.waiting');
    expect(editor.effects.filter(({ kind }) => kind === 'ask')).toHaveLength(1);
    suggest(editor, 1, 1000).expectState('smart-region.reviewing').expectShapes(0);
    editor.dispatch({ type: 'action', action: 'confirm', time: 1450 }).expectShapes(1).expectHistory(1);
    expect(editor.document.layers[0]?.shapes[0]?.origin).toMatchObject({
      kind: 'region',
      model: null,
      clicks: 1,
      latencyMs: 450,
      edited: false,
    });
  });

  it('asks again with a further scribble and ignores the late answer to the first', () => {
    const editor = new TestEditor().tool('smart-region').drag([
      [20, 20],
      [30, 30],
    ]);
    editor.drag(
      [
        [60, 60],
        [70, 60],
      ],
      { shift: true },
    );
    suggest(editor, 1, 10).expectState('smart-region.waiting');
    suggest(editor, 2, 20).expectState('smart-region.reviewing');
    const last = editor.effects.findLast((effect) => effect.kind === 'ask')?.request;
    expect(last?.kind === 'region' && last.scribbles.map(({ op }) => op)).toEqual(['add', 'erase']);
    editor.key('Escape').expectState('smart-region.idle').expectShapes(0);
  });

  it('offers a prediction that nobody asked for only while the hand is free', () => {
    const busy = new TestEditor().clicks([10, 10], [40, 10]);
    suggest(busy, 0, 0).expectState('polygon.drawing');
    suggest(new TestEditor(), 0, 0).expectState('smart-region.reviewing');
  });
});
