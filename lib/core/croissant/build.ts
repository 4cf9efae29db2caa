import type { DatasetSchema } from '@/lib/core/schema';
import { CROISSANT_1_1, CROISSANT_RAI_1_0, jsonLdContext } from './context';
import type { MeasuredCard } from './measured';
import { describeResponsibly } from './responsible-ai';
import type { Statements } from './statements';

/** The table of images that every export contains; see `imageTableColumns`. */
export const IMAGE_TABLE = 'croissant-images.csv';

/** Columns of the table of images, in order. */
export const imageTableColumns = [
  { name: 'name', type: 'sc:Text', description: 'Name of the image as it was uploaded.' },
  {
    name: 'split',
    type: 'sc:Text',
    description: 'The split that the image belongs to.',
    references: 'splits/name',
  },
  {
    name: 'class',
    type: 'sc:Text',
    description: 'Class of the main object; empty if unknown.',
    references: 'classes/id',
  },
  { name: 'width', type: 'sc:Integer', description: 'Width in pixels.' },
  { name: 'height', type: 'sc:Integer', description: 'Height in pixels.' },
  { name: 'sha256', type: 'sc:Text', description: 'SHA-256 of the stored image file.' },
  {
    name: 'attributes',
    type: 'sc:Text',
    description: 'Ids of the attributes that are present, separated by "|".',
  },
  { name: 'objects', type: 'sc:Integer', description: 'Number of annotated objects.' },
  { name: 'parts', type: 'sc:Integer', description: 'Number of part masks; every instance counts.' },
] as const;

export interface DescribedExport {
  name: string;
  description: string;
  hash: string;
  versionNumber: number;
  /** ISO 8601. */
  createdAt: string;
  licence: string;
  schema: DatasetSchema;
  splits: readonly string[];
  card: MeasuredCard;
  statements: Statements;
  /** Sentences about what the format cannot store. */
  losses: readonly string[];
  /** Of the files that the format writes, without folders. */
  paths: readonly string[];
  imageTable: { sha256: string; bytes: number };
}

/** Describes an export as a Croissant document. The same export always gives the same document. */
export function buildCroissant(given: DescribedExport): Record<string, unknown> {
  const { statements, schema, card } = given;
  const creators = statements.creators.split('\n').filter((line) => line.trim() !== '');
  const citation = statements.citation || schema.citation;
  return {
    '@context': jsonLdContext,
    '@type': 'sc:Dataset',
    conformsTo: [CROISSANT_1_1, CROISSANT_RAI_1_0],
    name: given.name,
    description:
      given.description || `${given.name}: ${card.counts.images} images with ${schema.name} labels.`,
    ...(citation ? { citeAs: citation } : {}),
    creator: creators.map((name) => ({ '@type': 'sc:Organization', name: name.trim() })),
    datePublished: given.createdAt.slice(0, 10),
    inLanguage: 'en',
    isLiveDataset: false,
    keywords: [
      'image segmentation',
      'part segmentation',
      ...schema.classes.slice(0, 20).map(({ name }) => name),
    ],
    license: given.licence,
    url: statements.url,
    // The content is identified by its hash; a new version can change anything, so it is a new major version.
    version: `${given.versionNumber}.0.0`,
    identifier: `urn:sha256:${given.hash}`,
    distribution: distributionOf(given),
    recordSet: [imageRecords(), splitRecords(given.splits), classRecords(schema), ...partRecords(schema)],
    ...describeResponsibly(card, statements, { losses: given.losses, createdAt: given.createdAt }),
  };
}

const mediaTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  json: 'application/json',
  jsonl: 'application/jsonlines',
  xml: 'application/xml',
  csv: 'text/csv',
  txt: 'text/plain',
  yaml: 'application/yaml',
  parquet: 'application/vnd.apache.parquet',
  tar: 'application/x-tar',
  npy: 'application/octet-stream',
  mat: 'application/octet-stream',
};

/** Files of one kind in one folder are a file set, so the description does not grow with the number of images. */
function distributionOf({ paths, imageTable }: DescribedExport): object[] {
  const patterns = new Map<string, { folder: string; extension: string; count: number; only: string }>();
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1] ?? '';
    const key = `${folder}*.${extension}`;
    const known = patterns.get(key);
    if (known) known.count += 1;
    else patterns.set(key, { folder, extension, count: 1, only: path });
  }
  const sets = [...patterns].map(([pattern, { extension, count, only }]) => ({
    '@type': 'cr:FileSet',
    '@id': count === 1 ? only : pattern,
    name: count === 1 ? only : pattern,
    description: count === 1 ? 'One file.' : `${count} files.`,
    encodingFormat: mediaTypes[extension.toLowerCase()] ?? 'application/octet-stream',
    includes: count === 1 ? only : pattern,
  }));
  const table = {
    '@type': 'cr:FileObject',
    '@id': IMAGE_TABLE,
    name: IMAGE_TABLE,
    description: 'One row for each image.',
    contentUrl: IMAGE_TABLE,
    contentSize: `${imageTable.bytes} B`,
    encodingFormat: 'text/csv',
    sha256: imageTable.sha256,
  };
  return [table, ...sets];
}

const imageRecords = () => ({
  '@type': 'cr:RecordSet',
  '@id': 'images',
  name: 'images',
  description: 'One record for each image.',
  key: { '@id': 'images/sha256' },
  field: imageTableColumns.map((column) => ({
    '@type': 'cr:Field',
    '@id': `images/${column.name}`,
    name: column.name,
    description: column.description,
    dataType: column.type,
    source: { fileObject: { '@id': IMAGE_TABLE }, extract: { column: column.name } },
    ...('references' in column ? { references: { field: { '@id': column.references } } } : {}),
  })),
});

interface Enumerated {
  id: string;
  description: string;
  fields: readonly { name: string; description: string }[];
  rows: readonly Record<string, string>[];
}

/** A small record set whose records are part of the document. */
const enumeration = ({ id, description, fields, rows }: Enumerated) => ({
  '@type': 'cr:RecordSet',
  '@id': id,
  name: id,
  description,
  key: { '@id': `${id}/${fields[0]?.name}` },
  field: fields.map((field) => ({
    '@type': 'cr:Field',
    '@id': `${id}/${field.name}`,
    name: field.name,
    description: field.description,
    dataType: 'sc:Text',
  })),
  data: rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [`${id}/${name}`, value])),
  ),
});

const splitKinds: Record<string, string> = {
  train: 'cr:TrainingSplit',
  val: 'cr:ValidationSplit',
  test: 'cr:TestSplit',
};

const splitRecords = (splits: readonly string[]) => ({
  ...enumeration({
    id: 'splits',
    description: 'The splits of the dataset.',
    fields: [
      { name: 'name', description: 'Name of the split.' },
      { name: 'kind', description: 'Kind of the split in the Croissant vocabulary; empty for other kinds.' },
    ],
    rows: splits.map((name) => ({ name, kind: splitKinds[name] ?? '' })),
  }),
  dataType: 'cr:Split',
});

const classRecords = ({ classes }: DatasetSchema) =>
  enumeration({
    id: 'classes',
    description: 'The classes of objects and stuff.',
    fields: [
      { name: 'id', description: 'Id of the class.' },
      { name: 'name', description: 'Name for people.' },
      { name: 'kind', description: '"thing" or "stuff".' },
      { name: 'definition', description: 'Definition that annotators were given.' },
    ],
    rows: classes.map(({ id, name, kind = 'thing', definition = '' }) => ({ id, name, kind, definition })),
  });

const partRecords = ({ parts }: DatasetSchema) =>
  parts.length === 0
    ? []
    : [
        enumeration({
          id: 'parts',
          description: 'The parts of objects.',
          fields: [
            { name: 'id', description: 'Id of the part.' },
            { name: 'name', description: 'Name for people.' },
            { name: 'classes', description: 'Ids of the classes that have the part, separated by "|".' },
            {
              name: 'parent',
              description: 'Id of the part that this one is a part of; empty if there is none.',
            },
            { name: 'definition', description: 'Definition that annotators were given.' },
          ],
          rows: parts.map(({ id, name, classes, parent = '', definition = '' }) => ({
            id,
            name,
            classes: classes.join('|'),
            parent,
            definition,
          })),
        }),
      ];
