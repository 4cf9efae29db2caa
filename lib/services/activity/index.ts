/** The event log (actor, action, time and request of every event), and sentences that describe events. */

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
