import type { Warning } from './warning';

export const attributeWithoutMask: Warning = {
  id: 'attribute-without-mask',
  title: 'Attribute without mask',
  says: 'An attribute that is to be drawn is marked, but it has no mask and nobody is asked for one.',
  odds: 2.5,
  holds: ({ stageKind, undrawn }) => stageKind === 'attributes' && undrawn.length > 0,
};
