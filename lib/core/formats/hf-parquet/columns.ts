import type { SchemaElement } from 'hyparquet';
import type { DatasetSchema } from '@/lib/core/schema/types';

const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
});
const number = (name: string, type: 'INT32' | 'INT64' | 'DOUBLE'): SchemaElement => ({
  name,
  type,
  repetition_type: 'OPTIONAL',
});
const list = (name: string, element: SchemaElement[]): SchemaElement[] => [
  { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ...element,
];

const maskFields: SchemaElement[] = [
  text('kind'),
  text('label'),
  number('instance', 'INT32'),
  ...list('bbox', [number('element', 'INT32')]),
  number('area', 'INT32'),
  ...list('size', [number('element', 'INT32')]),
  text('counts'),
  text('source'),
  number('confidence', 'DOUBLE'),
];

/** Fields of a mask, without what is nested in them. */
const MASK_FIELDS = 9;

const columns: SchemaElement[][] = [
  [
    { name: 'image', repetition_type: 'OPTIONAL', num_children: 2 },
    { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
    text('path'),
  ],
  [number('label', 'INT64')],
  [number('width', 'INT32')],
  [number('height', 'INT32')],
  list('attributes', [text('element')]),
  list('masks', [{ name: 'element', repetition_type: 'OPTIONAL', num_children: MASK_FIELDS }, ...maskFields]),
  [text('facts')],
];

export const parquetSchema: SchemaElement[] = [
  { name: 'schema', num_children: columns.length },
  ...columns.flat(),
];

export const columnNames = columns.map(([first]) => first?.name as string);

/** What makes the Hub's library decode pictures and name classes. */
export function features(schema: DatasetSchema): string {
  const value = (dtype: string) => ({ dtype, _type: 'Value' });
  const listOf = (feature: object) => ({ feature, _type: 'Sequence' });
  return JSON.stringify({
    info: {
      features: {
        image: { _type: 'Image' },
        label: { names: schema.classes.map(({ id }) => id), _type: 'ClassLabel' },
        width: value('int32'),
        height: value('int32'),
        attributes: listOf(value('string')),
        masks: [
          {
            kind: value('string'),
            label: value('string'),
            instance: value('int32'),
            bbox: listOf(value('int32')),
            area: value('int32'),
            size: listOf(value('int32')),
            counts: value('string'),
            source: value('string'),
            confidence: value('float64'),
          },
        ],
        facts: value('string'),
      },
    },
  });
}
