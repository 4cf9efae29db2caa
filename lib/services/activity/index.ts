/** The event log: who did what, when, and in which request; sentences that describe events. */

export { describeActivity, describeVerb, findSubjects, type SentencePart } from './describe-activity';
export {
  type AuditFilter,
  type AuditRow,
  type AuditWords,
  allAudit,
  auditWords,
  listAudit,
} from './list-audit';
export { type AuditEntry, record } from './record';
