import { createHash } from 'node:crypto';
import { buildCroissant, IMAGE_TABLE, imageTableColumns, Statements } from '@/lib/core/croissant';
import { csvLine } from '@/lib/core/formats/codecs/csv';
import { type Dataset, type DatasetImage, instanceMasks } from '@/lib/core/formats/dataset';
import type { FormatFile } from '@/lib/core/formats/format';
import { Card } from '../freeze/card';
import type { OpenExport } from './open-export';

const CROISSANT = 'croissant.json';
const encoder = new TextEncoder();

/**
 * The Croissant description of an export and the table of images to which it refers. The description contains the hash
 * of the table, so the table is created twice: once to hash it and once to write it.
 */
export function croissantFiles(
  { version, original, dataset }: OpenExport,
  losses: readonly string[],
  paths: readonly string[],
): FormatFile[] {
  const description = async () => {
    const document = buildCroissant({
      name: original.name,
      description: version.description,
      hash: version.hash,
      versionNumber: version.number,
      createdAt: version.createdAt.toISOString(),
      licence: original.licence,
      schema: dataset.schema,
      splits: dataset.splits,
      card: Card.parse(version.card),
      statements: Statements.parse(version.statements),
      losses,
      paths: paths.filter((path) => !path.endsWith('/')),
      imageTable: await measureTable(dataset),
    });
    return encoder.encode(`${JSON.stringify(document, null, 2)}\n`);
  };
  return [
    { path: IMAGE_TABLE, chunks: () => tableRows(dataset) },
    { path: CROISSANT, bytes: description },
  ];
}

async function measureTable(dataset: Dataset): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const row of tableRows(dataset)) {
    hash.update(row);
    bytes += Buffer.byteLength(row);
  }
  return { sha256: hash.digest('hex'), bytes };
}

async function* tableRows(dataset: Dataset): AsyncGenerator<string> {
  yield csvLine(imageTableColumns.map(({ name }) => name));
  for await (const image of dataset.images()) {
    const row = rowOf(image);
    yield csvLine(imageTableColumns.map(({ name }) => row[name]));
  }
}

type Column = (typeof imageTableColumns)[number]['name'];

const rowOf = (image: DatasetImage): Record<Column, string | number> => ({
  name: image.name,
  split: image.split,
  class: image.className ?? '',
  width: image.width,
  height: image.height,
  sha256: image.picture.sha256,
  attributes: image.attributes?.present.join('|') ?? '',
  objects: image.objects.length,
  parts: image.objects.reduce(
    (sum, { parts }) => sum + parts.reduce((all, part) => all + instanceMasks(part).length, 0),
    0,
  ),
});
