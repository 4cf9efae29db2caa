import { type DatasetSchema, localisedAttributes } from '@/lib/core/schema';

/** Lines that would fit the schema, one for each kind of answer that it asks for. */
export function exampleLines(schema: DatasetSchema | null): string {
  const lines: object[] = [];
  const image = 'bird-0001.png';
  const attributes = schema?.attributeGroups.flatMap((group) => group.attributes.slice(0, 1)) ?? [];
  if (attributes.length > 0) lines.push({ image, attributes });
  const target = schema?.parts[0]?.id ?? (schema ? localisedAttributes(schema)[0]?.id : undefined);
  if (target !== undefined) {
    lines.push({ image, target, segmentation: [[10, 10, 60, 10, 60, 40, 10, 40]] });
    lines.push({ image: 'bird-0002.png', target, nothing: true });
  }
  lines.push({ image, target: 'object', segmentation: { size: [480, 640], counts: 'PWm21e>0000…' } });
  return lines.map((line) => JSON.stringify(line)).join('\n');
}
