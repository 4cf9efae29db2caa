import { type ExamBar, type ExamScores, reaches } from '@/lib/services/crowd/policy/exam-bar';

export interface Sitting extends ExamScores {
  workerId: string;
  name: string;
  passed: boolean;
}

export interface Passes {
  /** Everybody who sat the exam. */
  sat: number;
  would: number;
  /** Reach the bar and have not passed; passed and do not reach the bar. */
  gained: { workerId: string; name: string }[];
  lost: { workerId: string; name: string }[];
}

/** What a bar would mean for those who sat the exam; the best of a person's attempts counts. */
export function whoPasses(sittings: readonly Sitting[], bar: ExamBar): Passes {
  const people = new Map<string, { name: string; has: boolean; would: boolean }>();
  for (const sitting of sittings) {
    const known = people.get(sitting.workerId);
    people.set(sitting.workerId, {
      name: sitting.name,
      has: sitting.passed || (known?.has ?? false),
      would: reaches(bar, sitting) || (known?.would ?? false),
    });
  }
  const list = [...people].map(([workerId, person]) => ({ workerId, ...person }));
  return {
    sat: list.length,
    would: list.filter((person) => person.would).length,
    gained: list.filter((person) => person.would && !person.has),
    lost: list.filter((person) => !person.would && person.has),
  };
}
