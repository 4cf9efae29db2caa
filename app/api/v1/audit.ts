import { z } from 'zod';
import {
  decideLabel as decide,
  decideLabels as decideMany,
} from '@/lib/services/curation/audit/decide-label';
import { getAuditLabel as getLabel } from '@/lib/services/curation/audit/get-audit-label';
import { listQueue, queueOrders } from '@/lib/services/curation/audit/queue';
import {
  closeAudit as close,
  drawAudit as draw,
  getAudit as get,
  judgePick,
  listAudits as list,
  listPicks,
  newSeed,
} from '@/lib/services/curation/audit/samples';
import { undoDecision } from '@/lib/services/curation/audit/undo-decision';
import { rateSoon } from '@/lib/services/jobs';
import { endpoint } from '../_http/endpoint';
import { decodeCursor, encodeCursor, id, pageOf, pageQuery } from '../_http/fields';
import { Audit, AuditLabel, ManyDecisions, NewAudit, NewDecision, QueueRow } from './audit-fields';

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

const Place = z.tuple([z.number(), id]);

/** A drawing may have as many vertices here as in an answer. */
const drawingBytes = 8_000_000;

export const auditQueue = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/audit/queue',
  summary: 'Labels that nobody has reviewed, the likeliest to be wrong first',
  query: pageQuery.extend({
    stage: id.optional(),
    target: z.string().max(80).optional(),
    warning: z.string().max(80).optional(),
    class: z.string().max(80).optional(),
    image: id.optional(),
    slice: id.optional(),
    /** By the risk, or by how far the promoted model is from the label. */
    order: z.enum(queueOrders).optional(),
  }),
  output: pageOf(QueueRow),
  authorise: 'crowd.read',
  handler: async ({ db, access, query }) => {
    const place = decodeCursor(Place, query.cursor);
    const { rows, next } = await listQueue(db, {
      projectId: access.project.id,
      stageId: query.stage,
      target: query.target,
      warning: query.warning,
      className: query.class,
      imageId: query.image,
      sliceId: query.slice,
      order: query.order,
      after: place && { value: place[0], labelId: place[1] },
      limit: query.limit,
    });
    return { items: rows, next: next && encodeCursor([next.value, next.labelId]) };
  },
});

export const auditLabel = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/audit/labels/{label}',
  summary: 'One label with the answers behind it, their scores against it, and what was decided about it',
  output: AuditLabel,
  authorise: 'crowd.read',
  handler: ({ db, access, params }) => getLabel(db, { projectId: access.project.id, labelId: params.label }),
});

export const decideLabel = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/audit/labels/{label}/decision',
  summary: 'Accept, reject, send back or correct a label; the same id again is the same decision',
  body: NewDecision,
  bodyLimit: drawingBytes,
  output: z.object({ decisionId: id, newLabelId: id.nullable() }),
  authorise: 'audit.decide',
  handler: ({ db, actor, access, params, body }) => {
    const { id: decisionId, ...verdict } = body;
    return decide(db, actor, {
      ...verdict,
      projectId: access.project.id,
      labelId: params.label,
      decisionId,
    });
  },
});

export const decideLabels = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/audit/decisions',
  summary: 'Accept or reject many labels, each by itself; says of each what became of it',
  body: ManyDecisions,
  output: z.object({
    items: z.array(z.object({ labelId: id, decisionId: id.nullable(), problem: z.string().nullable() })),
  }),
  authorise: 'audit.decide',
  handler: async ({ db, actor, access, body }) => {
    const labels = body.labels.map(({ labelId, id: decisionId }) => ({ labelId, decisionId }));
    return { items: await decideMany(db, actor, { ...body, labels, projectId: access.project.id }) };
  },
});

export const undoLabelDecision = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/audit/decisions/{decision}/undo',
  summary: 'Take a decision about a label back, unless somebody has gone on from it',
  output: z.object({ labelId: id }),
  authorise: 'audit.decide',
  handler: ({ db, actor, access, params }) =>
    undoDecision(db, actor, { projectId: access.project.id, decisionId: params.decision }),
});

export const rateLabels = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/audit/rating',
  summary: 'Recalculate the risk of all unreviewed labels, as a job; null if one is queued already',
  output: z.object({ jobId: id.nullable() }),
  status: 202,
  authorise: 'audit.decide',
  handler: async ({ db, actor, access }) => ({
    jobId: await db.transaction((tx) =>
      rateSoon(tx, { projectId: access.project.id, all: true, startedBy: actor.userId }),
    ),
  }),
});
