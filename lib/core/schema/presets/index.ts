import type { DatasetSchema } from '../types';
import { cityscapesParts } from './cityscapes-parts';
import { partImageNet } from './part-imagenet';
import { pascalPart, pascalPartGrouped } from './pascal-part';
import { rival10 } from './rival10';

export { cityscapesParts, partImageNet, pascalPart, pascalPartGrouped, rival10 };

/** A new preset is one file and one line here. */
export const schemaPresets: readonly DatasetSchema[] = [
  rival10,
  partImageNet,
  cityscapesParts,
  pascalPart,
  pascalPartGrouped,
];

export function schemaPreset(id: string): DatasetSchema | undefined {
  return schemaPresets.find((preset) => preset.id === id);
}
