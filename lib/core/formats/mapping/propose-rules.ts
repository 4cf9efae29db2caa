import { parseSplit } from '../shared/read-tree';
import type { CategoryMapping, ClassRule, SplitRule } from './mapping';
import type { ProposalInput } from './propose';

/** The class of all images is constant if all objects are of one class. */
export function proposeClassRule(
  { className, known }: ProposalInput,
  categories: readonly CategoryMapping[],
): ClassRule {
  const classes = new Set(
    categories.flatMap((entry) =>
      entry.to === 'class' ? [entry.name] : entry.to === 'part' ? entry.of : [],
    ),
  );
  const [only] = classes;
  if (known || className === undefined || classes.size !== 1 || only === undefined) return { from: 'labels' };
  return { from: 'constant', name: only };
}

/** Folders such as "trainingset" are splits if images lie in at least two of them. */
export function proposeSplitRule({ statistics, known }: ProposalInput, remarks: string[]): SplitRule {
  if (known) return { from: 'labels' };
  const names: Record<string, string> = {};
  for (const path of Object.keys(statistics.folders))
    for (const folder of path.split('/')) {
      const split = folder === '' ? null : parseSplit(folder);
      if (split !== null) names[folder] = split;
    }
  if (new Set(Object.values(names)).size >= 2) return { from: 'folder', names };
  const values = statistics.fields.split;
  if (values !== undefined && values >= 2 && values < 10) return { from: 'field', field: 'split' };
  if (Object.keys(names).length === 0) remarks.push('The dataset does not state splits.');
  return { from: 'labels' };
}
