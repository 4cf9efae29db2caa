import { Document, parseDocument, Scalar } from 'yaml';

/** Characters: some 30,000 class names. Parsing more would block the process for seconds. */
const MAX_TEXT = 1024 * 1024;
const MAX_LINE = 200_000;

/**
 * Reads the top-level map of a YAML file with all scalars as strings, so that a class called "no" or "1" keeps its name.
 * Lines that are not valid YAML are ignored, because many tools write their files by hand.
 */
export function readYaml(source: string): Record<string, unknown> {
  if (source.length > MAX_TEXT) throw new Error('A YAML file is larger than 1 MB.');
  if (source.split('\n').some((line) => line.length > MAX_LINE))
    throw new Error(`A YAML file has a line of more than ${MAX_LINE} characters.`);
  const document = parseDocument(source, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
  const value: unknown = document.toJS();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

/** A string that is written without quotes: a key, or a word that YAML cannot misread. */
export function plain(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = 'PLAIN';
  return scalar;
}

/** Writes YAML with double-quoted strings. Maps keep their order, so the same value always gives the same bytes. */
export function writeYaml(value: unknown): string {
  return new Document(value, { aliasDuplicateObjects: false }).toString({
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'QUOTE_DOUBLE',
    doubleQuotedAsJSON: true,
    flowCollectionPadding: false,
    indentSeq: false,
    lineWidth: 0,
  });
}

/** A list on one line: `["a", "b"]`. */
export const flowList = (values: readonly unknown[]) => new Document().createNode(values, { flow: true });
