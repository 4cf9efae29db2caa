import type { Database } from '@/db';
import { checkFiles } from '@/lib/services/invariants/check-files';
import { checkRules, type Outcome } from '@/lib/services/invariants/check-rules';
import { storage } from '@/lib/services/storage';
import { columns, green, red } from '../terminal/text';

/** Reads the whole database and every file: what has to hold of them at any moment. */
export const lookAtInvariants = async (db: Database): Promise<Outcome[]> => [
  ...(await checkRules(db)),
  ...(await checkFiles(db, storage())),
];

export const invariantsText = (outcomes: readonly Outcome[]): string =>
  columns(
    outcomes.map(({ name, says, violations, examples }) => [
      violations === 0 ? green('✓') : red('✗'),
      name,
      violations === 0 ? says : `${violations} offend: ${examples.join(', ')} (${says})`,
    ]),
  );
