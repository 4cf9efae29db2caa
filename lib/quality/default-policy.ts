import type { Policy } from './policy';
import { rival10Policy } from './rival10';

/** What a new project starts with: RIVAL10's bars and pay, with checks that go where the doubt is. */
export const defaultPolicy: Policy = {
  ...rival10Policy,
  // A wrong answer of one kind must not end it for a careful person: two tries, a day apart, after practice.
  attributeExam: { ...rival10Policy.attributeExam, attempts: 2, waitHours: 24, practice: 3 },
  maskExam: { ...rival10Policy.maskExam, attempts: 2, waitHours: 24, practice: 2 },
  checkSchedule: 'suspicion',
  maskScore: 'size-aware',
  gold: { maxExposures: 200, promotesUnanimous: true, twoPeople: false },
};
