import { CROISSANT_1_1, CROISSANT_RAI_1_0 } from './context';

export interface CroissantProblem {
  /** An error breaks a rule of a specification. A missing statement only has to be filled in before publication. */
  kind: 'error' | 'missing';
  /** Property or `@id`. */
  where: string;
  message: string;
}

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asList = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
const nodesOf = (value: unknown): Node[] => asList(value).filter(isNode);
const isFilled = (value: unknown): boolean => asList(value).some((each) => each !== '' && each !== undefined);

/** Properties that Croissant 1.1 requires of every dataset. */
const requiredByCroissant = [
  'name',
  'description',
  'license',
  'url',
  'creator',
  'datePublished',
  'distribution',
];

/** The minimal set of Responsible AI properties that NeurIPS requires since 2026. */
export const requiredByNeurips = [
  'rai:dataLimitations',
  'rai:dataBiases',
  'rai:personalSensitiveInformation',
  'rai:dataUseCases',
  'rai:dataSocialImpact',
  'rai:hasSyntheticData',
  'prov:wasDerivedFrom',
  'prov:wasGeneratedBy',
] as const;

/** Properties of the RAI vocabulary that take one value only. */
const singleValued = [
  'rai:dataCollection',
  'rai:dataCollectionMissingData',
  'rai:dataCollectionRawData',
  'rai:dataAnnotationProtocol',
  'rai:dataSocialImpact',
  'rai:annotationsPerItem',
];

const atomicTypes = new Set(
  ['Boolean', 'Date', 'DateTime', 'Float', 'Integer', 'Number', 'Text', 'Time', 'URL', 'ImageObject'].map(
    (name) => `sc:${name}`,
  ),
);

/** Verifies a document against Croissant 1.1, its RAI vocabulary 1.0, and the required set of NeurIPS. */
export function checkCroissant(document: unknown): CroissantProblem[] {
  if (!isNode(document)) return [error('document', 'A Croissant document is a JSON object.')];
  return [
    ...checkDataset(document),
    ...checkIds(document),
    ...checkResources(document),
    ...checkRecords(document),
    ...checkResponsibleAi(document),
  ];
}

const error = (where: string, message: string): CroissantProblem => ({ kind: 'error', where, message });
const missing = (where: string, message: string): CroissantProblem => ({ kind: 'missing', where, message });

function checkDataset(document: Node): CroissantProblem[] {
  const problems: CroissantProblem[] = [];
  if (!isNode(document['@context'])) problems.push(error('@context', 'The JSON-LD context is missing.'));
  if (!/^(sc:|https?:\/\/schema\.org\/)Dataset$/.test(String(document['@type'])))
    problems.push(error('@type', 'The type must be sc:Dataset.'));
  const versions = asList(document.conformsTo ?? document['dct:conformsTo']);
  for (const version of [CROISSANT_1_1, CROISSANT_RAI_1_0])
    if (!versions.includes(version))
      problems.push(error('conformsTo', `The document must declare ${version}.`));
  for (const property of requiredByCroissant)
    if (!isFilled(document[property])) problems.push(missing(property, 'Croissant requires this property.'));
  if (isFilled(document.url) && !/^https?:\/\//.test(String(document.url)))
    problems.push(error('url', 'The address must begin with http:// or https://.'));
  if (isFilled(document.datePublished) && Number.isNaN(Date.parse(String(document.datePublished))))
    problems.push(error('datePublished', 'The date is not an ISO 8601 date.'));
  if (document.version !== undefined && !/^\d+\.\d+\.\d+$/.test(String(document.version)))
    problems.push(error('version', 'Versions have the form MAJOR.MINOR.PATCH.'));
  return problems;
}

const fieldsOf = (records: Node): Node[] =>
  nodesOf(records.field).flatMap((field) => [field, ...nodesOf(field.subField)]);

function checkIds(document: Node): CroissantProblem[] {
  const seen = new Set<string>();
  const named = [
    ...nodesOf(document.distribution),
    ...nodesOf(document.recordSet).flatMap((records) => [records, ...fieldsOf(records)]),
  ];
  return named.flatMap((node) => {
    const id = node['@id'];
    if (typeof id !== 'string' || id === '')
      return [error(String(node.name ?? node['@type']), 'The @id is missing.')];
    if (seen.has(id)) return [error(id, 'The @id is used twice.')];
    seen.add(id);
    return [];
  });
}

function checkResources(document: Node): CroissantProblem[] {
  return nodesOf(document.distribution).flatMap((node) => {
    const where = String(node['@id']);
    const problems: CroissantProblem[] = [];
    if (!isFilled(node.encodingFormat)) problems.push(error(where, 'The encodingFormat is missing.'));
    if (node['@type'] === 'cr:FileObject') {
      if (!isFilled(node.contentUrl)) problems.push(error(where, 'A FileObject needs a contentUrl.'));
      if (!/^[0-9a-f]{64}$/.test(String(node.sha256)))
        problems.push(error(where, 'A FileObject needs a SHA-256.'));
    } else if (node['@type'] === 'cr:FileSet') {
      if (!isFilled(node.includes)) problems.push(error(where, 'A FileSet needs a pattern in includes.'));
    } else problems.push(error(where, 'Resources are of type cr:FileObject or cr:FileSet.'));
    return problems;
  });
}

function checkRecords(document: Node): CroissantProblem[] {
  const sets = nodesOf(document.recordSet);
  const resources = new Set(nodesOf(document.distribution).map((node) => node['@id']));
  const fields = new Set(sets.flatMap((records) => fieldsOf(records).map((field) => field['@id'])));
  return sets.flatMap((records) => {
    const id = String(records['@id']);
    const problems: CroissantProblem[] = [];
    if (fieldsOf(records).length === 0) problems.push(error(id, 'A record set has at least one field.'));
    for (const { '@id': key } of nodesOf(records.key))
      if (!fields.has(key)) problems.push(error(id, `The key "${String(key)}" is not a field.`));
    for (const field of fieldsOf(records))
      problems.push(...checkField(field, records, { resources, fields }));
    return [...problems, ...checkData(records)];
  });
}

function checkField(
  field: Node,
  records: Node,
  known: { resources: ReadonlySet<unknown>; fields: ReadonlySet<unknown> },
): CroissantProblem[] {
  const where = String(field['@id']);
  const problems: CroissantProblem[] = [];
  if (!where.startsWith(`${String(records['@id'])}/`))
    problems.push(error(where, 'The id of a field begins with the id of its record set.'));
  if (!asList(field.dataType).some((type) => atomicTypes.has(String(type))))
    problems.push(error(where, `Unknown data type "${String(field.dataType)}".`));
  const { source, references } = field;
  if (isNode(source)) {
    const [of] = [...nodesOf(source.fileObject), ...nodesOf(source.fileSet)];
    if (!of || !known.resources.has(of['@id']))
      problems.push(error(where, 'The source is not in the distribution.'));
    if (!isNode(source.extract)) problems.push(error(where, 'The source does not say what is extracted.'));
  } else if (records.data === undefined)
    problems.push(error(where, 'The field has no source, and its record set no data.'));
  for (const reference of nodesOf(references)) {
    const [target = reference] = nodesOf(reference.field);
    if (!known.fields.has(target['@id']))
      problems.push(error(where, `It references "${String(target['@id'])}", which is not a field.`));
  }
  return problems;
}

function checkData(records: Node): CroissantProblem[] {
  if (records.data === undefined) return [];
  const id = String(records['@id']);
  const names = fieldsOf(records).map((field) => String(field['@id']));
  const keys = nodesOf(records.key).map((key) => String(key['@id']));
  const seen = new Set<string>();
  return nodesOf(records.data).flatMap((row) => {
    const unknown = Object.keys(row).filter((name) => !names.includes(name));
    const problems = unknown.map((name) =>
      error(id, `A record has the value "${name}", which is not a field.`),
    );
    const key = JSON.stringify(keys.map((name) => row[name]));
    if (keys.length > 0 && seen.has(key)) problems.push(error(id, `Two records have the key ${key}.`));
    seen.add(key);
    return problems;
  });
}

function checkResponsibleAi(document: Node): CroissantProblem[] {
  const problems: CroissantProblem[] = requiredByNeurips
    .filter((property) => !isFilled(document[property]))
    .map((property) => missing(property, 'NeurIPS requires this property.'));
  for (const property of singleValued)
    if (Array.isArray(document[property])) problems.push(error(property, 'The property takes one text.'));
  const synthetic = document['rai:hasSyntheticData'];
  if (synthetic !== undefined && typeof synthetic !== 'boolean')
    problems.push(error('rai:hasSyntheticData', 'The property is true or false.'));
  return problems;
}
