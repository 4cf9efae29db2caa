import { formatDuration, formatNumber } from '@/lib/core/format';
import type { EvaluationPlan } from './evaluation-plan';

/** Where the speed comes from, in words. */
export function speedText(speed: EvaluationPlan['speed']): string {
  if (!speed) return 'No speed of this model is known yet.';
  const rate = `${formatNumber(speed.runsPerSecond)} runs a second`;
  return speed.from === 'evaluations'
    ? `As fast as ${speed.n === 1 ? 'the earlier evaluation' : `${speed.n} earlier evaluations`} of this model: ${rate}.`
    : `Measured just now on ${speed.n} pictures: at most ${rate}; changing pictures was measured beside it.`;
}

export const timeText = (seconds: number | null): string =>
  seconds === null ? 'unknown' : seconds < 1 ? 'no time' : `about ${formatDuration(seconds)}`;

/** What people would be asked, in a sentence. */
export const crowdText = ({
  stage,
  images,
  questions,
  people,
  cost,
}: NonNullable<EvaluationPlan['crowd']>): string =>
  `In "${stage}" people are asked at most ${formatNumber(questions)} questions about ${formatNumber(images)} images, ${formatNumber(people)} of them each: at most ${cost}.`;

/** A plan for a terminal. */
export function planText(plan: EvaluationPlan): string {
  const lines = plan.suites.map(
    ({ name, images, runs, known, seconds }) =>
      `${name.padEnd(30)} ${formatNumber(images).padStart(7)} images ${formatNumber(runs).padStart(12)} runs ${formatNumber(known).padStart(12)} known  ${timeText(seconds)}`,
  );
  return [
    `${formatNumber(plan.images)} images of ${plan.split === 'all' ? 'all splits' : `split ${plan.split}`}${plan.unknown > 0 ? `; ${formatNumber(plan.unknown)} of classes the model does not know are left out` : ''}`,
    ...lines,
    `In all ${formatNumber(plan.runs)} runs, ${plan.isKnownAtMost ? 'at most ' : ''}${formatNumber(plan.known)} of them known: ${timeText(plan.seconds)}. ${speedText(plan.speed)}`,
    ...plan.offers.filter(({ isThere }) => isThere !== true).map(({ says }) => says),
    ...(plan.crowd ? [crowdText(plan.crowd)] : []),
    ...plan.left.map(({ suite, why }) => `${suite}: left out. ${why}`),
    ...plan.skipped.map(
      ({ images, says, suites }) =>
        `${formatNumber(images)} images are skipped in ${suites.join(', ')}: ${says}`,
    ),
  ].join('\n');
}
