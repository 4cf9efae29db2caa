import { SplitSpec } from '@/lib/services/datasets/freeze/request';
import { UsageError } from '../command';

export const splitSays =
  'stratified (default), group:<class|wnid|group|column>, folds:<k>, column:<name>, file:<table.csv>, none.';

/** What `--split` can say. A table is read by the caller. */
export function readSplit(
  text = 'stratified',
  options: { seed?: string; shares?: string },
): { spec: SplitSpec } | { table: string } {
  const [kind = '', ...rest] = text.split(':');
  const value = rest.join(':');
  if (kind === 'file') return { table: value };
  const given = {
    kind,
    ...(kind === 'group' && { by: value }),
    ...(kind === 'folds' && { folds: Number(value) }),
    ...(kind === 'column' && { column: value }),
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(options.shares !== undefined && { shares: readShares(options.shares) }),
  };
  const parsed = SplitSpec.safeParse(given);
  if (parsed.success) return { spec: parsed.data };
  throw new UsageError(`--split "${text}" is not understood. It is one of: ${splitSays}`);
}

/** `train=0.8,val=0.1,test=0.1`. */
function readShares(text: string): Record<string, number> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name = '', share = ''] = part.split('=');
      return [name.trim(), Number(share)];
    }),
  );
}
