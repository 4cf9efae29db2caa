import { area, decodeCounts, iou, type Mask, sizeAwareScore } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { addHits, countHits, type Hits, isAtLeast, precision, recall } from '@/lib/core/quality/score';
import { NONE } from '@/lib/core/schema';
import type { Scene } from '@/lib/demo/scenes';
import type { AskedKind } from './question';

/** A label or an answer, as it is stored. */
export interface Outcome {
  stageKind: AskedKind;
  target: string;
  value: AnswerValue;
  /** Compressed COCO counts. */
  mask: string | null;
}

export interface Score {
  hits: Hits | null;
  /** Null where the question was not to draw, or where nothing was to be drawn and nothing was. */
  iou: number | null;
  isWrong: boolean;
}

/** An answer under RIVAL10's exam bars is wrong; small parts are allowed two pixels, in all protocols alike. */
const BAR = { precision: 0.75, recall: 0.75, mask: 0.7 };

/** How an outcome compares with what is on the picture. */
export function scoreOutcome({ stageKind, target, value, mask }: Outcome, scene: Scene): Score {
  if (stageKind === 'attributes') {
    const given = value.kind === 'attributes' ? Object.values(value.choices).flat() : [];
    const there = [...scene.colours, ...Object.keys(scene.attributes).filter((id) => scene.attributes[id])];
    const hits = countHits(
      given.filter((id) => id !== NONE),
      there,
    );
    const isWrong = !isAtLeast(precision(hits), BAR.precision) || !isAtLeast(recall(hits), BAR.recall);
    return { hits, iou: null, isWrong };
  }
  if (stageKind === 'oracle') {
    const isWrong = value.kind !== 'class' || value.className !== scene.className;
    return { hits: null, iou: null, isWrong };
  }
  return scoreMask(mask, drawnTruth(scene, target));
}

function drawnTruth(scene: Scene, target: string): Mask | null {
  const mask = target ? (scene.attributeMasks[target] ?? scene.partMasks[target]) : scene.objectMask;
  return mask && area(mask) > 0 ? mask : null;
}

function scoreMask(counts: string | null, truth: Mask | null): Score {
  if (!truth) return { hits: null, iou: counts === null ? null : 0, isWrong: counts !== null };
  if (counts === null) return { hits: null, iou: 0, isWrong: true };
  const drawn = decodeCounts(counts, truth.height, truth.width);
  return { hits: null, iou: iou(drawn, truth), isWrong: sizeAwareScore(drawn, truth) < BAR.mask };
}

export interface Quality {
  /** Labels that could be compared with the truth. */
  labels: number;
  wrong: number;
  /** Of attributes, over all labels together; null where there are none. */
  precision: number | null;
  recall: number | null;
  /** Mean over the drawings that there are or should be. */
  meanIou: number | null;
}

export function qualityOf(scores: readonly Score[]): Quality {
  const hits = scores.flatMap((score) => score.hits ?? []);
  const ious = scores.flatMap((score) => score.iou ?? []);
  const sum = addHits(hits);
  return {
    labels: scores.length,
    wrong: scores.filter((score) => score.isWrong).length,
    precision: hits.length > 0 ? precision(sum) : null,
    recall: hits.length > 0 ? recall(sum) : null,
    meanIou: ious.length > 0 ? ious.reduce((total, value) => total + value, 0) / ious.length : null,
  };
}
