import { area, encodeCounts, type Mask, rasterizeShapes } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { Policy } from '@/lib/core/quality/policy';
import type { DatasetSchema } from '@/lib/core/schema';
import { choicesFrom } from '@/lib/core/schema';
import { payFor } from '@/lib/services/crowd/work/pay-for';
import type { Book } from './book';
import { drawOutline, markAttributes } from './hand';
import type { DemoWorker } from './people';
import type { Scene } from './scenes';
import { createRng, type Rng } from './scenes/prng';

export type DemoImage = { id: string; scene: Scene };
export type DemoItem = { id: string; image: DemoImage; target: string };
export type DemoStage = { id: string; kind: 'attributes' | 'object-mask' | 'part-mask' };
export type Answered = {
  item: DemoItem;
  leaseId: string;
  answerId: string;
  value: AnswerValue;
  mask: Mask | null;
  at: Date;
};

type Setting = {
  book: Book;
  projectId: string;
  schema: DatasetSchema;
  policy: Policy;
  workerId: (worker: DemoWorker) => string;
};

/** What a worker does with one item: the value they submit, and its mask if they drew one. */
export function answerAs(
  worker: DemoWorker,
  stage: DemoStage,
  item: DemoItem,
  schema: DatasetSchema,
  random: Rng,
): { value: AnswerValue; mask: Mask | null } {
  const { scene } = item.image;
  if (stage.kind === 'attributes') {
    const marked = markAttributes(truthOf(scene), worker.skill, random);
    const kept = withinRules(schema, marked, scene);
    return { value: { kind: 'attributes', choices: choicesFrom(schema, kept) }, mask: null };
  }
  const rings = scene.shapes[item.target || 'object'];
  if (!rings?.length) return { value: { kind: 'nothing' }, mask: null };
  const shapes = drawOutline(rings, worker.skill, random);
  const mask = rasterizeShapes(shapes, scene.height, scene.width);
  return { value: { kind: 'mask', shapes }, mask };
}

/** Attributes and colours of a scene as one table of what is there. */
function truthOf(scene: Scene): Record<string, boolean> {
  return { ...scene.attributes, ...Object.fromEntries(scene.colours.map((colour) => [colour, true])) };
}

/** A person cannot submit a form that breaks its rules: too many options are cut, a missing one is the true one. */
function withinRules(schema: DatasetSchema, marked: string[], scene: Scene): string[] {
  const truth = truthOf(scene);
  return schema.attributeGroups.flatMap((group) => {
    const chosen = group.attributes.filter((id) => marked.includes(id)).slice(0, group.max);
    if (chosen.length >= group.min || group.exclusiveNone) return chosen;
    return group.attributes.filter((id) => truth[id]).slice(0, group.min);
  });
}

/** The answer a gold item is scored against. */
export function truthAnswer(
  stage: DemoStage,
  item: DemoItem,
  schema: DatasetSchema,
): { value: AnswerValue; mask: Mask | null } {
  const { scene } = item.image;
  if (stage.kind === 'attributes') {
    const there = Object.entries(truthOf(scene)).flatMap(([id, present]) => (present ? [id] : []));
    return { value: { kind: 'attributes', choices: choicesFrom(schema, there) }, mask: null };
  }
  const mask = item.target
    ? (scene.attributeMasks[item.target] ?? scene.partMasks[item.target] ?? null)
    : scene.objectMask;
  if (!mask || area(mask) === 0) return { value: { kind: 'nothing' }, mask: null };
  const size: [number, number] = [scene.height, scene.width];
  return {
    value: { kind: 'mask', shapes: [{ kind: 'bitmap', op: 'add', size, counts: encodeCounts(mask) }] },
    mask,
  };
}

/** One submitted batch: lease, answer and pay for each item, in the past. */
export function workThrough(
  setting: Setting,
  worker: DemoWorker,
  stage: DemoStage,
  list: DemoItem[],
  options: { kind: 'work' | 'exam'; at: Date; seed: number; checkItem?: string },
): { batchId: string; answered: Answered[]; finishedAt: Date } {
  const { book, projectId, schema, policy } = setting;
  const random = createRng(options.seed);
  const workerId = setting.workerId(worker);
  const pace = list.map(() => Math.round(worker.secondsPerItem * 1000 * random.between(0.6, 1.7)));
  const finishedAt = new Date(options.at.getTime() + pace.reduce((sum, ms) => sum + ms, 0));
  const batchId = book.add('batches', {
    projectId,
    stageId: stage.id,
    workerId,
    kind: options.kind,
    state: 'submitted',
    leasedUntil: new Date(finishedAt.getTime() + policy.leaseMinutes * 60_000),
    createdAt: options.at,
    submittedAt: finishedAt,
  });
  let at = options.at.getTime();
  const answered = list.map((item, position) => {
    at += pace[position] as number;
    const leaseId = book.add('leases', {
      batchId,
      itemId: item.id,
      workerId,
      position,
      state: 'answered',
      isExtra: options.kind === 'exam' || item.id === options.checkItem,
    });
    const { value, mask } = answerAs(worker, stage, item, schema, random);
    const answerId = book.add('answers', {
      leaseId,
      itemId: item.id,
      workerId,
      value,
      mask: mask ? encodeCounts(mask) : null,
      area: mask ? area(mask) : null,
      activeMs: pace[position] as number,
      createdAt: new Date(at),
    });
    return { item, leaseId, answerId, value, mask, at: new Date(at) };
  });
  const { kind } = options;
  const size = list.length;
  book.add('ledger', {
    projectId,
    workerId,
    kind: kind === 'exam' ? 'exam' : 'batch',
    sourceId: batchId,
    amountMicro: payFor(policy, { stageKind: stage.kind, kind, answered: size, size }),
    currency: policy.pay.currency,
    createdAt: finishedAt,
  });
  return { batchId, answered, finishedAt };
}
