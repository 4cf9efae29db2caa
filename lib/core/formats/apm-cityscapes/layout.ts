import { cityscapesParts } from '@/lib/core/schema/presets';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { isWithin } from '../shared/id-table';
import { schemaCodes, type UidCodes } from '../shared/panoptic-parts';
import { streetCodes } from '../shared/street';

/** Class folders and numbers of the layout for one schema. */
export interface StreetLayout {
  isOriginal: boolean;
  schema: DatasetSchema;
  codes: UidCodes;
  /** The class folders: superclasses, or the class where there is none. */
  groups: readonly string[];
  groupOf(className: string): string;
  /** The class numbers with their folder and the numbers of their parts. */
  objects: ReadonlyMap<number, { group: string; pids: readonly number[] }>;
}

function layoutFrom(schema: DatasetSchema, codes: UidCodes, isOriginal: boolean): StreetLayout {
  const classes = schema.classes.filter(({ kind }) => kind !== 'stuff');
  const groupOf = (className: string) => {
    const entry = classes.find(({ id }) => id === className);
    return entry ? (entry.superclass ?? entry.id) : '';
  };
  const objects = new Map(
    classes.map(({ id }) => {
      const pids = schema.parts
        .filter((part) => part.classes.includes(id))
        .map((part) => codes.pid(part.id, 0, id) as number);
      return [codes.sid(id) as number, { group: groupOf(id), pids }];
    }),
  );
  return {
    isOriginal,
    schema,
    codes,
    objects,
    groupOf,
    groups: [...new Set(classes.map(({ id }) => groupOf(id)))].sort(),
  };
}

export const originalLayout = layoutFrom(cityscapesParts, streetCodes, true);

/** The layout of the part-model code; for other schemas, classes and parts are numbered by the schema. */
export function layoutOf(schema: DatasetSchema): StreetLayout {
  if (isWithin(schema, cityscapesParts)) return originalLayout;
  const codes = schemaCodes(schema);
  // A part has one number: the code does not tell instances of a part apart.
  return layoutFrom(schema, { ...codes, pid: (id, _, className) => codes.pid(id, 0, className) }, false);
}
