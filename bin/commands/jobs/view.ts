import { looksLikeId } from '@/lib/services/access/authorise';
import { UsageError } from '../../command';

/** What the commands show of a job, wherever it comes from. */
export interface JobRow {
  id: string;
  title: string;
  state: string;
  text: string;
  done: number;
  total: number | null;
  attempt: number;
  error: string | null;
  projectSlug: string | null;
  startedByName: string | null;
  requestId: string | null;
}

export interface LogRow {
  level: string;
  text: string;
  createdAt: Date | string;
}

export const progressOf = ({ done, total }: JobRow): string =>
  total ? `${done}/${total}` : done ? String(done) : '–';

export function readJobId(text: string | undefined): string {
  if (!text || !looksLikeId(text)) throw new UsageError('Which job? `tessera jobs list` shows the ids.');
  return text;
}
