import { NOTHING_TO_LABEL } from '@/lib/core/quality/attribution';
import { answerLimits } from '@/lib/core/quality/confirmation';
import {
  frequenciesOf,
  needsAnotherAnswer,
  type Reliability,
  type ScoredCheck,
  type StagePrior,
  settle,
  sharedErrorOf,
  stageReliability,
} from '@/lib/core/quality/posterior';
import type { Run } from './run';
import { type Answer, enqueue, type Item, isWanted, type Label, newItem, type Stage } from './stage';
import { attributeIds, FORM, formRules, isMarked, marksIn, PARTS, STRIP, storedAnswer } from './world';

/** Lets the answers of a batch count: items that have all they want become labels, unsure ones want one more. */
export function settleItems(run: Run, stage: Stage, items: readonly Item[]): void {
  for (const item of items) {
    if (item.state !== 'open' || isWanted(item) || item.answers.length === 0) continue;
    const label = joinAnswers(run, stage, item);
    if (label) makeLabel(run, item, label);
    else {
      item.overlap = item.answers.length + 1;
      enqueue(stage, item);
    }
  }
}

/** The label of an item, or null while its answers leave it unsure and more may be asked for. */
function joinAnswers(run: Run, stage: Stage, item: Item): Label | null {
  const { policy } = run.arm;
  const [first] = item.answers as [Answer];
  const ids = item.answers.map(({ id }) => id);
  // One answer becomes the label as it is; its confidence matters only where more can be asked for.
  if (item.answers.length === 1 && first.worker.careers[stage.kind].needsConfirmation) return null;
  if (item.answers.length === 1 && policy.maxOverlap === 1)
    return newLabel(run, first, { method: 'single-answer', answers: ids });
  const trust = trustIn(run, stage);
  const weighed = item.answers.map((answer) => ({
    ...storedAnswer(answer.given),
    workerId: String(answer.worker.person.id),
    ...trust.of(answer.worker.careers[stage.kind].scored),
  }));
  const { maxOverlap, confidence } = answerLimits(policy, item.answers.length);
  const joined = settle(weighed, { ...policy, confidence }, STRIP, trust.prior);
  if (!joined) return null;
  if (needsAnotherAnswer(item.answers.length, joined.isSure, { overlap: item.overlap, maxOverlap }))
    return null;
  if (item.answers.length === 1) return newLabel(run, first, { method: 'single-answer', answers: ids });
  const agreed = item.answers
    .filter(({ worker }) => joined.supporters.includes(String(worker.person.id)))
    .map(({ id }) => id);
  const given =
    item.target === FORM
      ? { marks: marksIn(joined.value) }
      : (item.answers.find((answer) => storedAnswer(answer.given).mask === joined.mask)?.given ?? {
          outline: null,
        });
  return newLabel(run, { given }, { method: 'posterior', answers: ids, agreed });
}

const newLabel = (run: Run, { given }: Pick<Answer, 'given'>, provenance: Label['provenance']): Label => ({
  id: `label-${run.labels++}`,
  value: storedAnswer(given).value,
  given,
  provenance,
});

function makeLabel(run: Run, item: Item, label: Label): void {
  item.label = label;
  item.state = 'settled';
  if (item.target === FORM) {
    followForm(run, item.image);
    return;
  }
  const isNothing = 'outline' in label.given && label.given.outline === null;
  if (isNothing) item.isDenied = removeFalsePositive(run, item, label.provenance.answers ?? []);
}

/** As `lib/services/crowd/work/remove-false-positive.ts`: the form loses an attribute of which there is nothing to draw. */
function removeFalsePositive(run: Run, { image, target }: Item, removedBy: readonly string[]): boolean {
  const form = run.forms[image] as Item;
  const before = form.label;
  if (!before || !('marks' in before.given) || !isMarked(before.given.marks, target)) return false;
  const given = { marks: before.given.marks & ~(1 << target) };
  form.label = newLabel(
    run,
    { given },
    {
      method: NOTHING_TO_LABEL,
      labels: [before.id],
      answers: before.provenance.answers,
      removed: [attributeIds[target] as string],
      removedBy,
    },
  );
  run.replaced.set(before.id, before);
  return true;
}

/** As `planFollowing`: the parts that the form claims are asked, and no others. */
export function followForm(run: Run, image: number): void {
  const label = run.forms[image]?.label;
  if (!label || !('marks' in label.given)) return;
  const stage = run.stages['part-mask'];
  const asked = run.parts[image] as (Item | undefined)[];
  for (let target = 0; target < PARTS; target++) {
    const item = asked[target];
    const follows = isMarked(label.given.marks, target);
    if (!item) {
      if (!follows) continue;
      const created = newItem(image, target, run.arm.policy.overlap);
      asked[target] = created;
      stage.fresh.push(created);
    } else if (!follows) item.state = 'withdrawn';
    else if (item.isDenied) {
      // Denied before the attribute was claimed again.
      Object.assign(item, { state: 'open', label: null, isDenied: false, answers: [], overlap: 1 });
      enqueue(stage, item);
    } else if (item.state === 'withdrawn') {
      item.state = item.label ? 'settled' : 'open';
      if (isWanted(item)) enqueue(stage, item);
    }
  }
}

/** Opens the items of answers that are in doubt again, before ordinary work. As `askAgainIn`. */
export function askAgain(run: Run, stage: Stage, answers: readonly Answer[]): void {
  for (const answer of answers) {
    const { item } = answer;
    answer.isSetAside = true;
    item.answers = item.answers.filter((each) => each !== answer);
    item.label = null;
    item.isDenied = false;
    if (item.state === 'withdrawn') continue;
    reopen(run, stage, item);
  }
}

/** Wants a second answer to items that have one. As `confirmWork`. */
export function confirmWork(run: Run, stage: Stage, answers: readonly Answer[]): void {
  for (const { item, isSetAside } of answers) {
    if (isSetAside || item.state !== 'settled' || item.answers.length !== 1) continue;
    item.overlap = 2;
    item.label = null;
    item.isDenied = false;
    reopen(run, stage, item);
  }
}

function reopen(run: Run, stage: Stage, item: Item): void {
  item.state = 'open';
  enqueue(stage, item);
  if (item.target !== FORM) return;
  for (const part of run.parts[item.image] ?? [])
    if (part?.state === 'open' && part.answers.length === 0) part.state = 'withdrawn';
}

export type Trust = { prior: StagePrior; of: (checks: readonly ScoredCheck[]) => Reliability };

/** As in `readReliability`. */
const BATCHES_OF_STAGE = 200;
const CHECKS_PER_WORKER = 100;
/** Production re-estimates at the end of every batch. Re-estimating every tenth batch is close to that and ten times as fast. */
const REFRESH_EVERY = 10;

const kept = new WeakMap<Stage, { batches: number; trust: Trust }>();

export function trustIn({ arm: { policy } }: Run, stage: Stage): Trust {
  const known = kept.get(stage);
  if (known && stage.batches - known.batches < REFRESH_EVERY) return known.trust;
  const facts = {
    attributes: stage.kind === 'attributes' ? attributeIds : [],
    bar: policy.maskExam.minMeanIou,
  };
  const checks = stage.recentChecks.slice(-BATCHES_OF_STAGE).flat();
  const reliability = stageReliability(checks, facts, policy.trustPrior);
  const trust: Trust = {
    prior: {
      frequencies: frequenciesOf(checks, facts),
      groups: formRules,
      sharedError: sharedErrorOf(checks, facts),
    },
    of: (own) => reliability.of(own.slice(-CHECKS_PER_WORKER)),
  };
  kept.set(stage, { batches: stage.batches, trust });
  return trust;
}
