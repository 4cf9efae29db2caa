import type { Endpoint } from '../_http/endpoint';
import * as account from './account';
import * as assists from './assists';
import * as audit from './audit';
import * as crowd from './crowd';
import * as evaluationResults from './evaluation-results';
import * as evaluations from './evaluations';
import * as exportsOfVersions from './exports';
import * as goldAndConsensus from './gold-and-consensus';
import * as guideAndActivity from './guide-and-activity';
import * as images from './images';
import * as imports from './imports';
import * as jobs from './jobs';
import * as leases from './leases';
import * as models from './models';
import * as openapi from './openapi';
import * as people from './people';
import * as projects from './projects';
import * as recruit from './recruit';
import * as runs from './runs';
import * as schema from './schema';
import * as slices from './slices';
import * as trainers from './trainers';
import * as translations from './translations';
import * as uploads from './uploads';
import * as versions from './versions';
import * as work from './work';

/** Every endpoint of the API: a new file of endpoints is one line here. The documentation is made from it. */
export const endpoints: readonly Endpoint[] = [
  account,
  people,
  projects,
  schema,
  goldAndConsensus,
  crowd,
  audit,
  guideAndActivity,
  translations,
  recruit,
  uploads,
  imports,
  images,
  slices,
  versions,
  exportsOfVersions,
  runs,
  models,
  evaluations,
  evaluationResults,
  trainers,
  jobs,
  work,
  leases,
  assists,
  openapi,
].flatMap((area): Endpoint[] => Object.values(area));
