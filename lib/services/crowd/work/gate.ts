import { conflict } from '@/lib/core/errors';
import { formatCount } from '@/lib/core/format';
import type { Policy } from '@/lib/core/quality/policy';
import { isOpenIn } from '@/lib/services/access';
import { examSettings } from '../exams/exam-settings';
import type { WorkerFacts } from './worker-facts';

/** What a worker asks for. A refresher is practice that leads back to work. */
export type Wanted = 'work' | 'exam' | 'practice' | 'refresher';

export const gateNames = [
  'consent',
  'closed',
  'exam',
  'exam-wait',
  'exam-failed',
  'refresher',
  'paused',
  'ended',
  'limit',
  'not-needed',
] as const;

/** The reasons for a gate, finer than its name: one text of the catalogue (`gates` in messages/en.json) for each. */
export const gateCodes = [
  'consent',
  'noConsentText',
  'projectClosed',
  'stageClosed',
  'changing',
  'refresher',
  'noRefresher',
  'paused',
  'ended',
  'noExam',
  'examPassed',
  'noPractice',
  'practised',
  'examFailed',
  'examWait',
  'exam',
  'returns',
  'emptyBatches',
  'personLimit',
  'earningLimit',
  'groupBudget',
  'itemsInAll',
  'itemsPerDay',
  'brokenPolicy',
] as const;

export type GateCode = (typeof gateCodes)[number];

/** Why a worker gets nothing now. */
export interface Gate {
  gate: (typeof gateNames)[number];
  code: GateCode;
  /** What the text of the code counts. */
  count?: number;
  /** In English, for callers of the API. Pages use the code. */
  says: string;
  /** When asking again makes sense. */
  until?: Date;
}

const HOUR_MS = 3_600_000;

/** The first gate that is closed, in the order in which a worker passes them; null when the way is free. */
export function gateTo(wanted: Wanted, facts: WorkerFacts, policy: Policy, now: Date): Gate | null {
  return (
    consentGate(facts) ??
    stateGate(facts) ??
    changeGate(facts) ??
    standingGate(wanted, facts) ??
    kindGate(wanted, facts, policy, now)
  );
}

export function requireOpen(gate: Gate | null): void {
  if (!gate) return;
  const { gate: name, code, count, until } = gate;
  throw conflict(gate.says, {
    gate: name,
    code,
    ...(count !== undefined && { count }),
    ...(until && { until }),
  });
}

function consentGate({ textId, hasAgreed }: WorkerFacts): Gate | null {
  if (hasAgreed) return null;
  const says = textId
    ? 'Read and agree to the consent text of this project first.'
    : 'The project has no consent text yet: its curator has to write one before anybody can work.';
  return { gate: 'consent', code: textId ? 'consent' : 'noConsentText', says };
}

export function stateGate({
  projectState,
  stageState,
  stageName,
}: Pick<WorkerFacts, 'projectState' | 'stageState' | 'stageName'>): Gate | null {
  if (!isOpenIn('work.take', projectState)) {
    return {
      gate: 'closed',
      code: 'projectClosed',
      says: `The project is ${projectState}: no work is handed out now.`,
    };
  }
  if (stageState === 'open') return null;
  return {
    gate: 'closed',
    code: 'stageClosed',
    says: `"${stageName}" is ${stageState}: no work is handed out now.`,
  };
}

function changeGate({ isChanging }: WorkerFacts): Gate | null {
  if (!isChanging) return null;
  const says = 'The questions of this project are being changed. Come back in a few minutes.';
  return { gate: 'closed', code: 'changing', says };
}

function standingGate(wanted: Wanted, { standing, reason }: WorkerFacts): Gate | null {
  const why = reason ? ` ${reason}` : '';
  switch (standing) {
    case 'active':
      return wanted === 'refresher'
        ? { gate: 'not-needed', code: 'noRefresher', says: 'You need no refresher: go on with the work.' }
        : null;
    case 'refresher':
      if (wanted === 'refresher') return null;
      return {
        gate: 'refresher',
        code: 'refresher',
        says: `Do the short refresher first; then the work goes on.${why}`,
      };
    case 'paused':
      return {
        gate: 'paused',
        code: 'paused',
        says: `You are paused in this stage until a curator has looked at it.${why}`,
      };
    case 'ended':
      return { gate: 'ended', code: 'ended', says: `Your work in this stage has ended.${why}` };
  }
}

function kindGate(wanted: Wanted, facts: WorkerFacts, policy: Policy, now: Date): Gate | null {
  // Without the limit, returning refreshers would show all practice gold, and end the refresher once none is left.
  if (wanted === 'refresher') return conductGate(facts, policy) ?? payLimitGate(facts, policy);
  if (wanted === 'work') return examGate(facts, policy, now) ?? limitGate(facts, policy);
  const exam = examSettings(policy, facts.stageKind);
  if (!exam?.isRequired)
    return { gate: 'not-needed', code: 'noExam', says: 'This stage has no exam: go on with the work.' };
  const isAfterHint = wanted === 'practice' && canPractiseHint(facts, policy);
  if (isAfterHint) return conductGate(facts, policy) ?? payLimitGate(facts, policy);
  if (facts.examPassed)
    return {
      gate: 'not-needed',
      code: 'examPassed',
      says: 'You have passed this exam: go on with the work.',
    };
  if (wanted === 'practice' && exam.practice === 0)
    return {
      gate: 'not-needed',
      code: 'noPractice',
      says: 'This stage has no practice round: take the exam.',
    };
  if (wanted === 'practice' && facts.practised)
    return {
      gate: 'not-needed',
      code: 'practised',
      says: 'You have done the practice round: take the exam.',
    };
  const limit = conductGate(facts, policy) ?? payLimitGate(facts, policy);
  if (limit) return limit;
  const gate = examGate(facts, policy, now);
  return gate?.gate === 'exam' || (wanted === 'practice' && gate?.gate === 'exam-wait') ? null : gate;
}

/** A hint opens one round of practice about what it names, so that the worker can do something about it. */
export const canPractiseHint = (facts: WorkerFacts, policy: Policy): boolean =>
  facts.hint !== null &&
  facts.standing === 'active' &&
  !facts.practisedSinceHint &&
  facts.examPassed &&
  (examSettings(policy, facts.stageKind)?.practice ?? 0) > 0;

function examGate(
  { examPassed, attempts, lastExam, stageKind }: WorkerFacts,
  policy: Policy,
  now: Date,
): Gate | null {
  const exam = examSettings(policy, stageKind);
  if (!exam?.isRequired || examPassed) return null;
  if (attempts >= exam.attempts) {
    const tries = exam.attempts === 1 ? 'can be taken once' : `can be taken ${exam.attempts} times`;
    return {
      gate: 'exam-failed',
      code: 'examFailed',
      count: exam.attempts,
      says: `You did not pass the exam of this stage, which ${tries}. It was paid all the same.`,
    };
  }
  const until = lastExam && new Date(lastExam.getTime() + exam.waitHours * HOUR_MS);
  if (until && until > now) {
    return {
      gate: 'exam-wait',
      code: 'examWait',
      says: `You can take the exam again from ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
      until,
    };
  }
  return { gate: 'exam', code: 'exam', says: 'Take the exam of this stage first.' };
}

function limitGate(facts: WorkerFacts, policy: Policy): Gate | null {
  return itemLimitGate(facts, policy) ?? conductGate(facts, policy) ?? payLimitGate(facts, policy);
}

/** Limits returned and empty batches, which show images to somebody who does not work on them. */
function conductGate({ returnedToday, emptyToday }: WorkerFacts, { limits }: Policy): Gate | null {
  if (limits.returnsPerDay !== null && returnedToday >= limits.returnsPerDay) {
    return {
      gate: 'limit',
      code: 'returns',
      count: returnedToday,
      says: `You returned ${formatCount(returnedToday, 'batch', 'batches')} in the last 24 hours. That is the limit. You can take a new batch later.`,
    };
  }
  if (limits.emptyBatchesPerDay !== null && emptyToday >= limits.emptyBatchesPerDay) {
    return {
      gate: 'limit',
      code: 'emptyBatches',
      count: emptyToday,
      says: `You submitted ${formatCount(emptyToday, 'batch', 'batches')} without an answer in the last 24 hours. That is the limit. You can take a new batch later.`,
    };
  }
  return null;
}

function payLimitGate(facts: WorkerFacts, { pay, gold }: Policy): Gate | null {
  if (gold.maxWorkerChecks !== null && facts.checksMet >= gold.maxWorkerChecks)
    return {
      gate: 'limit',
      code: 'personLimit',
      says: 'You have reached the limit for one person in this stage. Thank you for your work.',
    };
  if (pay.maxPerWorker !== null && facts.earnedMicro >= BigInt(pay.maxPerWorker))
    return {
      gate: 'limit',
      code: 'earningLimit',
      says: 'You have reached the earning limit for one person in this project. Thank you for your work.',
    };
  if (pay.maxPerCohort !== null && facts.cohortEarnedMicro >= BigInt(pay.maxPerCohort))
    return {
      gate: 'limit',
      code: 'groupBudget',
      says: 'The budget for your group is used up. Thank you for your work.',
    };
  return null;
}

function itemLimitGate(facts: WorkerFacts, policy: Policy): Gate | null {
  const { itemsPerDay, itemsInAll } = policy.limits;
  if (itemsInAll !== null && facts.doneInAll >= itemsInAll) {
    return {
      gate: 'limit',
      code: 'itemsInAll',
      count: itemsInAll,
      says: `You have done the ${itemsInAll} items that one person may do in this stage. Thank you.`,
    };
  }
  if (itemsPerDay !== null && facts.doneToday >= itemsPerDay) {
    return {
      gate: 'limit',
      code: 'itemsPerDay',
      count: itemsPerDay,
      says: `You have done the ${itemsPerDay} items that one person may do in a day. Come back tomorrow.`,
    };
  }
  return null;
}

/** Items that the limits leave to the worker; null for no limit. */
export function itemsLeft({ doneInAll, doneToday }: WorkerFacts, { limits }: Policy): number | null {
  const left = [
    limits.itemsInAll === null ? null : limits.itemsInAll - doneInAll,
    limits.itemsPerDay === null ? null : limits.itemsPerDay - doneToday,
  ].filter((count) => count !== null);
  return left.length === 0 ? null : Math.min(...left);
}
