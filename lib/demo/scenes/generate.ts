import type { Ring } from '@/lib/core/geometry';
import { area, type Mask, union } from '@/lib/core/mask';
import { drawScene } from './draw';
import { attributeMasksOf, attributesOf, coloursOf, partMasksOf } from './labels';
import { type NamedPlan, planScene } from './plan';
import { outlinesOf, type Scene, type SceneInstance, type SceneOptions } from './scene';
import { isObject, type Truth, truthOf } from './truth';

function instancesOf(plan: NamedPlan, truth: Truth): SceneInstance[] {
  return plan.classNames
    .map((className, id) => ({
      id,
      className,
      mask: truth.mask((layer) => layer.instance === id && isObject(layer)),
      partMasks: partMasksOf(plan.schema, className, truth, id),
    }))
    .filter(({ mask }) => area(mask) > 0);
}

function unitedParts(instances: readonly SceneInstance[]): Record<string, Mask> {
  const united: Record<string, Mask> = {};
  for (const { partMasks } of instances) {
    for (const [id, mask] of Object.entries(partMasks)) {
      const before = united[id];
      united[id] = before ? union(before, mask) : mask;
    }
  }
  return united;
}

/** Outlines within this many pixels of the masks keep a simulated worker's IoU near 1 at every size. */
const OUTLINE_TOLERANCE = 0.7;

function shapesOf(masks: Readonly<Record<string, Mask>>): Record<string, Ring[]> {
  return Object.fromEntries(
    Object.entries(masks).map(([id, mask]) => [id, outlinesOf(mask, OUTLINE_TOLERANCE)]),
  );
}

export function generateScene(options: SceneOptions): Scene {
  const plan = planScene(options);
  const truth = truthOf(plan.layers, plan.height, plan.width);
  const instances = instancesOf(plan, truth);
  const objectMask = truth.mask(isObject);
  const attributeMasks = attributeMasksOf(plan.schema, truth);
  const partMasks = unitedParts(instances);
  return {
    seed: plan.seed,
    width: plan.width,
    height: plan.height,
    className: plan.mainClass,
    ...(plan.wnid ? { wnid: plan.wnid } : {}),
    background: plan.background,
    svg: drawScene(plan),
    attributes: attributesOf(plan.schema, attributeMasks, plan.traits),
    colours: plan.figure ? coloursOf(plan.schema, truth, plan.figure) : [],
    objectMask,
    attributeMasks,
    partMasks,
    shapes: shapesOf({ object: objectMask, ...attributeMasks, ...partMasks }),
    ...(plan.figure ? {} : { instances }),
  };
}
