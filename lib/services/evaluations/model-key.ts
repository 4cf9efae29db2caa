import { sha256Of } from '@/lib/services/storage';

/** Another number whenever pictures are brought to a model in another way: answers from before are not used again. */
const PREPARED = 2;

/** The same file with another contract, or another graph of its gradient, is another model. */
export const modelKey = (
  { blob, contract }: { blob: string; contract: Record<string, unknown> },
  gradient: string | null,
): string => sha256Of(Buffer.from(JSON.stringify([PREPARED, blob, contract, gradient])));
