import type { RecruiterId } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import { prolific } from './prolific';
import { pool, type Recruiter } from './recruiter';

/** Every source of workers there is. */
export const recruiters: readonly Recruiter[] = [pool, prolific];

export function recruiterOf(id: string): Recruiter {
  const found = recruiters.find((recruiter) => recruiter.id === id);
  if (!found) throw notFound('recruiter');
  return found;
}

/** The name of the marketplace that pays these people for us; null where somebody has to do it by hand. */
export function paysBonuses(id: RecruiterId | null): string | null {
  const found = recruiters.find((recruiter) => recruiter.id === id);
  return found?.paysBonuses ? found.title : null;
}
