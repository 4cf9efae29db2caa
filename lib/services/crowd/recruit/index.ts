export { type Arrived, arrive, studyOf } from './arrive';
export { endVisit, leave } from './end-visit';
export { type Offer, offerOf } from './offer';
export { ProlificSettings } from './prolific';
export { reclaimVisits, scheduleReclaiming, studiesWithVisits } from './reclaim';
export type { Outcome, Query, Recruiter, Recruitment } from './recruiter';
export {
  arrivalLink,
  closeRecruitment,
  createRecruitment,
  listRecruitments,
  type NewRecruitment,
} from './recruitments';
export { recruiterOf, recruiters } from './registry';
export { openVisit, type Visit, type VisitProgress, visitProgress } from './visit';
