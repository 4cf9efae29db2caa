import type { Scope, Verb } from '@/lib/services/access';

/**
 * Written by hand, beside the policy and not from it: what each verb is for, and below it every endpoint that it
 * opens. Letters: Admin, Curator, Researcher, Worker, anyone (*); states: draft, collecting, paused, finished,
 * archived (x), or none (-) for what belongs to the instance. The last column is the scope that a key must carry.
 */
const written = `
  project.read      ACR dcpfx read
    GET /evaluations/{evaluation}
    GET /evaluations/{evaluation}/compare
    GET /evaluations/{evaluation}/crowd
    GET /evaluations/{evaluation}/images
    GET /evaluations/{evaluation}/images/{image}/picture
    GET /exports/{export}
    GET /models/{model}
    GET /projects
    GET /projects/{project}
    GET /projects/{project}/consensus-runs
    GET /projects/{project}/evaluations
    GET /projects/{project}/models
    GET /projects/{project}/oracle-stages
    GET /projects/{project}/runs
    GET /projects/{project}/schema
    GET /projects/{project}/schema/versions
    GET /projects/{project}/stages/{stage}/agreement
    GET /projects/{project}/versions
    GET /runs/{run}
    GET /runs/{run}/events
    GET /versions/{version}
    GET /versions/{version}/diff
    GET /versions/{version}/exports
    GET /versions/{version}/statistics
  project.write     AC  dcpf  projects:write
    PATCH /projects/{project}
  project.archive   AC  dcpf  projects:write
    POST /projects/{project}/archive
  project.restore   AC  x     projects:write
    POST /projects/{project}/restore
  members.read      AC  dcpfx read
    GET /projects/{project}/invitations
    GET /projects/{project}/members
  members.manage    AC  dcpf  members:write
    POST /projects/{project}/invitations
    DELETE /projects/{project}/invitations/{invitation}
    POST /projects/{project}/members
    DELETE /projects/{project}/members/{user}
    POST /projects/{project}/recruitments
    POST /projects/{project}/recruitments/{recruitment}/close
  curators.manage   A   dcpf  members:write
  activity.read     ACR dcpfx read
    GET /projects/{project}/activity
  images.read       ACR dcpfx read
    GET /projects/{project}/filters
    GET /projects/{project}/images
    GET /projects/{project}/images/lookalikes
    GET /projects/{project}/images/near-duplicates
    GET /projects/{project}/images/outlines
    GET /projects/{project}/images/pages
    GET /projects/{project}/images/{image}
    GET /projects/{project}/import-mappings
    GET /projects/{project}/slices
    GET /projects/{project}/uploads
    GET /projects/{project}/uploads/{upload}
    GET /projects/{project}/uploads/{upload}/files
    GET /projects/{project}/uploads/{upload}/report
  filters.write     ACR dcpfx projects:write
    POST /projects/{project}/filters
    DELETE /projects/{project}/filters/{filter}
    PATCH /projects/{project}/filters/{filter}
  images.write      AC  dcp   images:write
    POST /projects/{project}/import-mappings
    DELETE /projects/{project}/import-mappings/{mapping}
    POST /projects/{project}/images/changes
    POST /projects/{project}/images/lookalikes
    POST /projects/{project}/images/{image}/keep
    POST /projects/{project}/uploads
    PUT /projects/{project}/uploads/{upload}/files
    POST /projects/{project}/uploads/{upload}/finish
    GET /projects/{project}/uploads/{upload}/formats
    POST /projects/{project}/uploads/{upload}/import
    POST /projects/{project}/uploads/{upload}/plan
  schema.write      AC  dcp   projects:write
    PUT /projects/{project}/schema
    POST /projects/{project}/schema/effects
  gold.read         AC  dcpfx read
    GET /projects/{project}/gold
  gold.write        AC  dcp   labels:write
    POST /projects/{project}/gold
    POST /projects/{project}/gold/import
    GET /projects/{project}/gold/images/{image}/assist
    POST /projects/{project}/gold/images/{image}/assist
    POST /projects/{project}/gold/images/{image}/assist/masks
    POST /projects/{project}/gold/{gold}/decision
  crowd.read        AC  dcpfx read
    GET /projects/{project}/audit/labels/{label}
    GET /projects/{project}/audit/queue
    GET /projects/{project}/audits
    GET /projects/{project}/audits/{audit}
    GET /projects/{project}/crowd/workers
    GET /projects/{project}/crowd/workers/{worker}
    GET /projects/{project}/recruitments
    GET /projects/{project}/translations
    GET /projects/{project}/translations/file
    GET /projects/{project}/translations/texts
  crowd.manage      AC  dcpf  labels:write
    POST /evaluations/{evaluation}/questions
    POST /evaluations/{evaluation}/questions/plan
    POST /projects/{project}/crowd/guide-pictures
    POST /projects/{project}/oracle-stages
  translations.write AC  dcpf  projects:write
    POST /projects/{project}/translations/import
    PUT /projects/{project}/translations/texts
  payees.read       AC  dcpfx never
  work.read         W   dcpfx read
    GET /work
    GET /work/batches/{batch}
    GET /work/batches/{batch}/summary
    GET /work/leases/{lease}/feedback
    GET /work/leases/{lease}/image
    GET /work/projects/{project}/consent
    GET /work/projects/{project}/guide-picture
  work.take         W   c     labels:write
    POST /work/stages/{stage}/batch
    POST /work/stages/{stage}/exam
    POST /work/stages/{stage}/practice
  work.finish       W   dcpf  labels:write
    POST /work/batches/{batch}/heartbeat
    POST /work/batches/{batch}/return
    POST /work/batches/{batch}/submit
    POST /work/leases/{lease}/answer
    POST /work/leases/{lease}/assist
    POST /work/leases/{lease}/assist/masks
    GET /work/leases/{lease}/assist
    PUT /work/leases/{lease}/draft
    POST /work/leases/{lease}/report
  work.consent      W   dcpfx labels:write
    POST /work/projects/{project}/consent
    POST /work/projects/{project}/withdraw
  work.appeal       W   dcpfx labels:write
    POST /work/decisions/{decision}/appeal
  work.payee        W   dcpfx never
  audit.decide      AC  dcpf  labels:write
    POST /projects/{project}/audit/decisions
    POST /projects/{project}/audit/decisions/{decision}/undo
    GET /projects/{project}/audit/labels/{label}/assist
    POST /projects/{project}/audit/labels/{label}/assist
    POST /projects/{project}/audit/labels/{label}/assist/masks
    POST /projects/{project}/audit/labels/{label}/decision
    POST /projects/{project}/audit/rating
    POST /projects/{project}/audits
    POST /projects/{project}/audits/{audit}/close
    PUT /projects/{project}/audits/{audit}/labels/{label}
  consensus.write   AC  dcpf  labels:write
    POST /projects/{project}/consensus-runs
    POST /projects/{project}/consensus-runs/{run}/take-back
  data.freeze       ACR dcpf  datasets:write
    POST /evaluations/{evaluation}/evaluation-sets
    POST /projects/{project}/split-tables
    POST /projects/{project}/versions
    POST /projects/{project}/versions/plan
    PATCH /versions/{version}
    POST /versions/{version}/notes
    POST /versions/{version}/tags
    DELETE /versions/{version}/tags
  data.check        ACR dcpfx datasets:write
    POST /versions/{version}/statistics
    POST /versions/{version}/verification
  data.export       ACR dcpfx datasets:export
    GET /exports/{export}/file
    GET /models/{model}/file
    POST /versions/{version}/export-checks
    POST /versions/{version}/exports
    GET /versions/{version}/manifest
  runs.write        ACR dcpf  runs:write
    POST /projects/{project}/runs
    POST /runs/{run}/resume
  models.write      ACR dcpf  runs:write
    PATCH /models/{model}
    POST /projects/{project}/model-files
    POST /projects/{project}/models
  evaluations.write ACR dcpf  runs:write
    DELETE /evaluations/{evaluation}/crowd
    POST /evaluations/{evaluation}/slices
    POST /projects/{project}/evaluations
    POST /projects/{project}/evaluations/plan
    POST /projects/{project}/slices
    DELETE /projects/{project}/slices/{slice}
  jobs.read         ACR dcpfx read
    GET /jobs
    GET /jobs/stream
    GET /jobs/{job}
  jobs.cancel       ACR dcpfx jobs:write
    POST /jobs/{job}/cancel
    POST /jobs/{job}/retry
  me.read           *   -     read
    GET /formats
    GET /me
  account.manage    *   -     never
    POST /keys
    GET /keys
    DELETE /keys/{key}
    DELETE /sessions
    GET /sessions
    DELETE /sessions/{session}
  project.create    AC  -     projects:write
    POST /projects
  users.manage      A   -     admin
    POST /invitations
    GET /invitations
    DELETE /invitations/{invitation}
    GET /users
    PATCH /users/{user}
  settings.write    A   -     admin
  jobs.manage       A   -     admin
  metrics.read      A   -     admin
  trainers.manage   A   -     admin
    GET /trainers
    DELETE /trainers/{trainer}
  trainers.work     A   -     trainers
    POST /trainers
    POST /trainers/{trainer}/runs
    POST /trainers/{trainer}/runs/{run}/events
    GET /trainers/{trainer}/runs/{run}/files
    PUT /trainers/{trainer}/runs/{run}/files
    POST /trainers/{trainer}/runs/{run}/heartbeat
    POST /trainers/{trainer}/runs/{run}/release
    POST /trainers/{trainer}/runs/{run}/verdict
  public            -   -     -
    POST /invitations/accept
    POST /invitations/look
    GET /openapi.json
`;

export interface Row {
  verb: Verb;
  who: string;
  states: string;
  scope: Scope | 'never';
  /** `GET /path`, without the beginning that all have. */
  resources: string[];
}

export const isOnProject = ({ states }: Row) => states !== '-';

function read(text: string): (Row | { verb: 'public'; resources: string[] })[] {
  const rows: Row[] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const words = line.trim().split(/\s+/);
    if (line.startsWith('    ')) rows.at(-1)?.resources.push(words.join(' '));
    else {
      const [verb, who, states, scope] = words;
      rows.push({ verb, who, states, scope, resources: [] } as unknown as Row);
    }
  }
  return rows;
}

const all = read(written);
export const policyRows = all.filter((row): row is Row => row.verb !== 'public');
/** What strangers may ask. */
export const openResources = all.find(({ verb }) => verb === 'public')?.resources ?? [];

export const roleLetters = { curator: 'C', researcher: 'R', worker: 'W', admin: 'A', stranger: '-' } as const;
export type Caller = keyof typeof roleLetters;
export const callers = Object.keys(roleLetters) as Caller[];

const stateLetters = { draft: 'd', collecting: 'c', paused: 'p', finished: 'f', archived: 'x' } as const;
export type State = keyof typeof stateLetters;

export const hasRight = ({ who }: Row, caller: Caller) => who === '*' || who.includes(roleLetters[caller]);
export const isOpen = (row: Row, state: State) =>
  !isOnProject(row) || row.states.includes(stateLetters[state]);
