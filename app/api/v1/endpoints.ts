import type { Endpoint } from '../_http/endpoint';
import * as consent from './consent/endpoints';
import * as evaluationCrowd from './evaluations/crowd-endpoints';
import * as evaluations from './evaluations/endpoints';
import * as looks from './evaluations/look-endpoints';
import * as selections from './evaluations/selection-endpoints';
import * as exportsOfVersions from './exports/endpoints';
import * as imageChanges from './images/change-endpoints';
import * as images from './images/endpoints';
import * as savedFilters from './images/filter-endpoints';
import * as invitations from './invitations/endpoints';
import * as jobs from './jobs/endpoints';
import * as keys from './keys/endpoints';
import * as me from './me/endpoints';
import * as models from './models/endpoints';
import * as openapi from './openapi.json/endpoints';
import * as activity from './projects/activity-endpoints';
import * as audit from './projects/audit-endpoints';
import * as consensus from './projects/consensus-endpoints';
import * as crowd from './projects/crowd-endpoints';
import * as projects from './projects/endpoints';
import * as gold from './projects/gold-endpoints';
import * as guide from './projects/guide-endpoints';
import * as people from './projects/people-endpoints';
import * as samples from './projects/sample-endpoints';
import * as schema from './projects/schema-endpoints';
import * as translations from './projects/translation-endpoints';
import * as recruit from './recruit/endpoints';
import * as runs from './runs/endpoints';
import * as sessions from './sessions/endpoints';
import * as slices from './slices/endpoints';
import * as trainers from './trainers/endpoints';
import * as trainerRuns from './trainers/run-endpoints';
import * as datasetUploads from './uploads/dataset-endpoints';
import * as uploads from './uploads/endpoints';
import * as users from './users/endpoints';
import * as versions from './versions/endpoints';
import * as assists from './work/assist-endpoints';
import * as decisions from './work/decision-endpoints';
import * as work from './work/endpoints';
import * as leases from './work/lease-endpoints';
import * as workStages from './work/stage-endpoints';

/** Every endpoint of the API: a new file of endpoints is one line here. The documentation is made from it. */
export const endpoints: readonly Endpoint[] = [
  me,
  sessions,
  keys,
  users,
  invitations,
  projects,
  schema,
  gold,
  people,
  crowd,
  audit,
  samples,
  consensus,
  activity,
  guide,
  translations,
  recruit,
  uploads,
  datasetUploads,
  images,
  imageChanges,
  savedFilters,
  versions,
  exportsOfVersions,
  runs,
  models,
  evaluations,
  looks,
  selections,
  evaluationCrowd,
  slices,
  trainers,
  trainerRuns,
  jobs,
  workStages,
  work,
  leases,
  decisions,
  consent,
  assists,
  openapi,
].flatMap((area): Endpoint[] => Object.values(area));
