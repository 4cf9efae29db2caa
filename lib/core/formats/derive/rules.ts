import { boxesRule } from './boxes';
import { foregroundRule, objectsRule } from './objects';
import { pascalGroupsRule } from './pascal-groups';
import { streetCropsRule } from './street-crops';

/** Labels that are made from labels, how they are chosen, and their rule in words. */
export const derivedRules: readonly { name: string; chosenBy: string; rule: string }[] = [
  { name: 'Boxes', chosenBy: 'labels=boxes', rule: boxesRule },
  { name: 'Objects', chosenBy: 'labels=objects', rule: objectsRule },
  { name: 'Foreground', chosenBy: 'labels=foreground', rule: foregroundRule },
  { name: 'Cuts of road users', chosenBy: 'apm-cityscapes', rule: streetCropsRule },
  { name: 'Merged PASCAL parts', chosenBy: 'apm-pascal-part', rule: pascalGroupsRule },
];
