import type { Format } from '../format';
import { checkDataset, losses, toCheck } from '../shared/check';
import { detect, open, read } from './read';
import { FACTS_LABEL, write } from './write';

export const format: Format = {
  id: 'cvat',
  name: 'CVAT for images 1.1',
  summary: 'One XML with masks as runs, objects as groups and classes as tags, and the pictures.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'occluded', 'truncated'],
  options: [],
  async check(dataset) {
    const problems = await checkDataset(dataset);
    const { classes, parts, attributes } = dataset.schema;
    if ([...classes, ...parts, ...attributes].some(({ id }) => id === FACTS_LABEL))
      problems.add(
        `The label "${FACTS_LABEL}" is taken: it carries what CVAT has no place for.`,
        FACTS_LABEL,
      );
    return toCheck(problems, [losses.provenance]);
  },
  write,
  reader: { detect, read, open },
};
