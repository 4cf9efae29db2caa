import { z } from 'zod';
import { arrivalStates, recruiterIds } from '@/db/schema';
import {
  arrivalLink,
  closeRecruitment as close,
  createRecruitment as create,
  listRecruitments as list,
  recruiters,
} from '@/lib/services/crowd/recruit';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';

const Recruitment = z.object({
  id,
  recruiter: z.enum(recruiterIds),
  /** The study at the marketplace. */
  externalId: z.string(),
  cohort: z.string().nullable(),
  settings: z.record(z.string(), z.unknown()),
  state: z.enum(['open', 'closed']),
  /** The address to give to the marketplace as that of the study. */
  link: z.string(),
  createdAt: moment,
});

export const listRecruitments = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/recruitments',
  summary: 'The studies that send workers to a project, and how their visits ended',
  output: z.object({
    items: z.array(Recruitment.extend({ visits: z.partialRecord(z.enum(arrivalStates), z.number().int()) })),
  }),
  authorise: 'crowd.read',
  handler: async ({ db, access }) => ({ items: await list(db, access.project.id) }),
});

export const createRecruitment = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/recruitments',
  summary: 'Open a project to the people of a study',
  body: z.strictObject({
    recruiter: z.enum(recruiters.map(({ id: name }) => name)),
    externalId: z.string().trim().min(1).max(100),
    cohort: z.string().trim().min(1).max(80).nullable().default(null),
    /** Prolific: `codes` (`finished`, `screenedOut`, `returned`) and `batches` that make a finished visit. */
    settings: z.record(z.string(), z.unknown()),
  }),
  output: Recruitment,
  status: 201,
  authorise: 'members.manage',
  handler: async ({ db, actor, access, body }) => {
    const made = await create(db, actor, { projectId: access.project.id, ...body });
    return { ...made, link: arrivalLink(made) };
  },
});

export const closeRecruitment = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/recruitments/{recruitment}/close',
  summary: 'Let nobody new in from a study; those who are in may finish',
  output: Recruitment,
  authorise: 'members.manage',
  handler: async ({ db, actor, access, params }) => {
    const closed = await close(db, actor, {
      projectId: access.project.id,
      recruitmentId: params.recruitment,
    });
    return { ...closed, link: arrivalLink(closed) };
  },
});
