import { causesOfMask, errorsOfForm, type LabelError, type Sources } from '@/lib/core/quality/attribution';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { scoreCheck } from '@/lib/core/quality/score-check';
import type { Kind } from './people';
import { type Costs, type Run, stageKinds, truthIn } from './run';
import type { Item, Label } from './stage';
import { attributeIds, iouOf, isMarked, PARTS, STRIP, storedAnswer } from './world';

/** What became of one worker in one stage. */
export type CareerRow = {
  kind: Kind;
  stage: 'attributes' | 'part-mask';
  items: number;
  /** Items done when the worker was stopped; null for those who were not. */
  stoppedAfter: number | null;
  stoppedBy: string | null;
};

export type Outcome = {
  /** Labels that exist or should: forms, masks, and parts that are there but have no mask. */
  labels: number;
  wrong: number;
  missingParts: number;
  /** Images without a form: the crew ran out. Counted as wrong. */
  unfinished: number;
  /** Wrong labels by the kind of worker whose answers caused them. */
  wrongBy: Partial<Record<Kind, number>>;
  hits: { truePositives: number; falsePositives: number; falseNegatives: number };
  /** Mean over the parts that are there; missing ones count 0. */
  meanIou: number;
  costs: Costs;
  /** Sum of the costs in dollars. */
  dollars: number;
  answers: number;
  recruited: number;
  careers: CareerRow[];
};

const partIds = new Set(attributeIds.slice(0, PARTS));

/**
 * Compares all labels with the truth. A label is wrong if it would fail a hidden check of RIVAL10's policy: a form if
 * precision or recall is below 0.75 by more than chance, a mask if its IoU is below 0.51 (the bar of 0.70 minus the
 * usual spread of one drawing). A part that is there and has no mask is a wrong label, too.
 */
export function measure(run: Run): Outcome {
  const tally = new Tally(run);
  for (const form of run.forms) tally.addImage(form);
  const { costs } = run;
  const dollars = Object.values(costs).reduce((sum, micros) => sum + micros, 0) / 1e6;
  const careers = run.workers.flatMap(({ person, careers: own }) =>
    stageKinds.map((stage): CareerRow => {
      const { itemsDone, stoppedAfter, stoppedBy } = own[stage];
      return { kind: person.kind, stage, items: itemsDone, stoppedAfter, stoppedBy };
    }),
  );
  const { labels, wrong, missingParts, unfinished, wrongBy, hits } = tally;
  return {
    labels,
    wrong,
    missingParts,
    unfinished,
    wrongBy,
    hits,
    meanIou: tally.iouSum / Math.max(1, tally.partsThere),
    costs,
    dollars,
    answers: run.paidItems.attributes + run.paidItems['part-mask'],
    recruited: run.recruited,
    careers,
  };
}

class Tally {
  labels = 0;
  wrong = 0;
  missingParts = 0;
  unfinished = 0;
  wrongBy: Partial<Record<Kind, number>> = {};
  hits = { truePositives: 0, falsePositives: 0, falseNegatives: 0 };
  iouSum = 0;
  partsThere = 0;
  private sources: Sources;

  constructor(private run: Run) {
    this.sources = {
      label: (id) => run.replaced.get(id),
      answer: (id) => {
        const found = run.answers.get(id);
        return found && storedAnswer(found.given).value;
      },
    };
  }

  addImage({ image, label }: Item): void {
    const truth = truthIn(this.run, image);
    this.labels += 1;
    const isThere = (target: number) => isMarked(truth.marks, target);
    let known: LabelError[] | null = null;
    const errorsOf = () => {
      const attributes = new Set(attributeIds.filter((_, i) => isThere(i)));
      known ??= label ? errorsOfForm(label, { attributes, parts: partIds }, this.sources) : [];
      return known;
    };
    if (!label || !('marks' in label.given)) {
      this.unfinished += 1;
      this.wrong += 1;
    } else {
      const { marks } = label.given;
      this.hits.truePositives += countBits(marks & truth.marks);
      this.hits.falsePositives += countBits(marks & ~truth.marks);
      this.hits.falseNegatives += countBits(truth.marks & ~marks);
      if (isWrongForm(marks, truth.marks))
        this.blame(
          errorsOf()
            .filter(({ kind }) => kind !== 'missing-part')
            .flatMap(({ answers }) => answers),
        );
    }
    for (let target = 0; target < PARTS; target++) {
      const item = this.run.parts[image]?.[target];
      const mask = item && item.state !== 'withdrawn' ? item.label : null;
      this.addPart(truth.outlines[target] ?? null, mask, () => {
        const missing = errorsOf().find(
          (error) => error.kind === 'missing-part' && error.target === attributeIds[target],
        );
        return missing?.answers ?? (mask ? causesOfMask(mask, this.sources) : []);
      });
    }
  }

  private addPart(
    truth: { from: number; to: number } | null,
    mask: Label | null,
    missingBecauseOf: () => readonly string[],
  ): void {
    const drawn = mask && 'outline' in mask.given ? mask.given.outline : null;
    if (!truth && !drawn) return;
    this.labels += 1;
    if (truth) {
      this.partsThere += 1;
      this.iouSum += iouOf(drawn, truth);
    }
    if (!drawn || !mask) {
      this.missingParts += 1;
      this.blame(missingBecauseOf());
    } else if (iouOf(drawn, truth) < MIN_IOU) this.blame(causesOfMask(mask, this.sources));
  }

  /** Divides one wrong label among the answers that caused it. */
  private blame(answers: readonly string[]): void {
    this.wrong += 1;
    for (const id of answers) {
      const kind = this.run.answers.get(id)?.worker.person.kind;
      if (kind) this.wrongBy[kind] = (this.wrongBy[kind] ?? 0) + 1 / answers.length;
    }
  }
}

/** Below this IoU a mask fails a hidden check under RIVAL10's bar. The test compares it with `scoreCheck`. */
export const MIN_IOU = rival10Policy.maskExam.minMeanIou - 1.2816 * 0.15;

const verdicts = new Map<number, boolean>();

/** Whether a form would fail a hidden check. */
export function isWrongForm(marks: number, truth: number): boolean {
  // The counts decide, not which attributes they are.
  const [hit, extra, missed] = [marks & truth, marks & ~truth, truth & ~marks].map(countBits) as [
    number,
    number,
    number,
  ];
  const key = (hit * 32 + extra) * 32 + missed;
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const [answer, gold] = [storedAnswer({ marks }), storedAnswer({ marks: truth })];
  const isWrong = !scoreCheck({ stageKind: 'attributes', answer, gold, policy: rival10Policy, ...STRIP })
    .passed;
  verdicts.set(key, isWrong);
  return isWrong;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
