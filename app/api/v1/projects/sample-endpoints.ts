import { z } from 'zod';
import {
  closeAudit as close,
  drawAudit as draw,
  getAudit as get,
  judgePick,
  listAudits as list,
  listPicks,
  newSeed,
} from '@/lib/services/curation/audit/samples';
import { endpoint } from '../../_http/endpoint';
import { id } from '../../_http/fields';
import { Audit, NewAudit } from './audit-fields';

const verdict = z.enum(['right', 'wrong']).nullable();

export const listAudits = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/audits',
  summary: 'The sampled audits of a project with the error rates they found, newest first',
  output: z.object({ items: z.array(Audit) }),
  authorise: 'crowd.read',
  handler: async ({ db, access }) => ({ items: await list(db, access.project.id) }),
});

export const drawAudit = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/audits',
  summary: 'Draw a random sample of labels, large enough for a margin at a confidence',
  body: NewAudit,
  output: z.object({ id, size: z.number().int() }),
  status: 201,
  authorise: 'audit.decide',
  handler: ({ db, actor, access, body: { id: auditId, stage, seed, ...wanted } }) =>
    draw(db, actor, {
      ...wanted,
      auditId,
      stageId: stage,
      seed: seed ?? newSeed(),
      projectId: access.project.id,
    }),
});

export const getAudit = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/audits/{audit}',
  summary: 'One sampled audit with the labels it drew, in the order in which they are judged',
  output: Audit.extend({ picks: z.array(z.object({ position: z.number().int(), labelId: id, verdict })) }),
  authorise: 'crowd.read',
  handler: async ({ db, access, params: { audit } }) => {
    const found = await get(db, { projectId: access.project.id, auditId: audit });
    return { ...found, picks: await listPicks(db, audit) };
  },
});

export const judgeAuditLabel = endpoint({
  method: 'PUT',
  path: '/api/v1/projects/{project}/audits/{audit}/labels/{label}',
  summary: 'Say whether a label of the sample is right; null takes it back. Answers with the rate so far',
  body: z.strictObject({ verdict }),
  output: Audit,
  authorise: 'audit.decide',
  handler: ({ db, actor, access, params, body }) =>
    judgePick(db, actor, {
      projectId: access.project.id,
      auditId: params.audit,
      labelId: params.label,
      verdict: body.verdict,
    }),
});

export const closeAudit = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/audits/{audit}/close',
  summary: 'End a sampled audit: its rate stands',
  output: Audit,
  authorise: 'audit.decide',
  handler: ({ db, actor, access, params }) =>
    close(db, actor, { projectId: access.project.id, auditId: params.audit }),
});
