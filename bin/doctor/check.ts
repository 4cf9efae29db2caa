import type { Config } from '@/lib/config';

export interface Finding {
  state: 'ok' | 'missing';
  says: string;
  /** What to do about it. */
  mend?: string;
}

/** One thing that the machine must or may have. */
export interface Check {
  name: string;
  /** Without it Tessera does not run; the others open single features. */
  required: boolean;
  for: string;
  look(config: Config): Promise<Finding> | Finding;
}

export const ok = (says: string): Finding => ({ state: 'ok', says });
export const missing = (says: string, mend: string): Finding => ({ state: 'missing', says, mend });
