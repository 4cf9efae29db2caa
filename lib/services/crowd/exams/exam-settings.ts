import type { StageKind } from '@/db/schema';
import type { Policy } from '@/lib/core/quality/policy';

export interface ExamSettings {
  isRequired: boolean;
  attempts: number;
  waitHours: number;
  /** Items with feedback before the exam. */
  practice: number;
  isAdaptive: boolean;
  /** Gold items in the exam. */
  size: number;
}

/** The exam of a stage; null where a stage has none. */
export function examSettings(policy: Policy, kind: StageKind): ExamSettings | null {
  switch (kind) {
    case 'attributes':
      return { ...policy.attributeExam, size: policy.attributeExam.images };
    case 'object-mask':
    case 'part-mask':
      return { ...policy.maskExam, size: policy.maskExam.masks };
    case 'oracle':
      return null;
  }
}
