export { type Arrived, arrive, studyOf } from './arrive';
export {
  endVisit,
  leave,
  openVisit,
  reclaimVisits,
  scheduleReclaiming,
  studiesWithVisits,
  type Visit,
  type VisitProgress,
  visitProgress,
} from './end-visit';
export { type Offer, offerOf } from './offer';
export { ProlificSettings } from './prolific';
export type { Outcome, Query, Recruiter, Recruitment } from './recruiter';
export {
  arrivalLink,
  closeRecruitment,
  createRecruitment,
  listRecruitments,
  type NewRecruitment,
} from './recruitments';
export { recruiterOf, recruiters } from './registry';
