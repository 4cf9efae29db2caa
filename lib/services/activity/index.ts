export { type AuditWords, auditWords } from './audit-words';
export { type AuditFilter, type AuditRow, allAudit, listAudit } from './list-audit';
export { type AuditEntry, record } from './record';
