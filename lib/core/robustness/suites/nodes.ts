import { nodeReport } from '../report/node-report';
import { nodeMaps } from '../variants/node-maps';
import type { Suite } from './suite';

/** Every node of every image is held against every mask. */
const QUICK_IMAGES = 300;
const PAPER_IMAGES = 1000;

export const nodes: Suite = {
  id: 'nodes',
  name: 'Nodes that stand for attributes',
  says: 'Single channels of the last map against the attributes that people drew.',
  refusal({ offers, attributes }) {
    if (!offers.features)
      return 'The model exposes no map of features. Name the tensor of its last map in its contract, or train a model here.';
    return attributes.length > 0
      ? null
      : 'No attribute of the schema is drawn. Have some localised, and freeze a version.';
  },
  variants: ({ preset, attributes }) => [
    { ...nodeMaps(attributes), most: preset === 'paper' ? PAPER_IMAGES : QUICK_IMAGES },
  ],
  report: (table, { attributes, seed }) => nodeReport(table, attributes, seed),
};
