import type { Endpoint } from '../_http/endpoint';
import * as images from './images/endpoints';
import * as invitations from './invitations/endpoints';
import * as jobs from './jobs/endpoints';
import * as keys from './keys/endpoints';
import * as me from './me/endpoints';
import * as openapi from './openapi.json/endpoints';
import * as projects from './projects/endpoints';
import * as people from './projects/people-endpoints';
import * as sessions from './sessions/endpoints';
import * as uploads from './uploads/endpoints';
import * as users from './users/endpoints';
import * as work from './work/endpoints';
import * as leases from './work/lease-endpoints';

/** Every endpoint of the API: a new file of endpoints is one line here. The documentation is made from it. */
export const endpoints: readonly Endpoint[] = [
  me,
  sessions,
  keys,
  users,
  invitations,
  projects,
  people,
  uploads,
  images,
  jobs,
  work,
  leases,
  openapi,
].flatMap((area): Endpoint[] => Object.values(area));
