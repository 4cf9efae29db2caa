export { listAudit } from './list-audit';
export { type AuditEntry, record } from './record';
