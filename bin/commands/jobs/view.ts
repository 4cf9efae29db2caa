import { looksLikeId } from '@/lib/auth';
import type { JobView } from '@/lib/jobs';
import { UsageError } from '../../command';

export const progressOf = ({ done, total }: JobView): string =>
  total ? `${done}/${total}` : done ? String(done) : '–';

export function readJobId(text: string | undefined): string {
  if (!text || !looksLikeId(text)) throw new UsageError('Which job? `tessera jobs list` shows the ids.');
  return text;
}
