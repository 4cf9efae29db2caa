import { z } from 'zod';

const Text = z.string().trim().max(4000).default('');

/** What cannot be measured: the authors of a dataset state it. Empty texts count as not stated. */
export const Statements = z.strictObject({
  /** One name per line. */
  creators: Text,
  /** Where the dataset is published. */
  url: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2000)]).default(''),
  citation: Text,
  /** Where the images come from. */
  origin: Text,
  useCases: Text,
  limitations: Text,
  biases: Text,
  personalInformation: Text,
  socialImpact: Text,
  annotators: Text,
  maintenance: Text,
});

export type Statements = z.infer<typeof Statements>;

export const emptyStatements: Statements = Statements.parse({});

interface StatementField {
  name: keyof Statements;
  label: string;
  hint: string;
  /** Required by the Croissant specification or by NeurIPS. */
  isRequired: boolean;
}

/** In the order of the form. */
export const statementFields: readonly StatementField[] = [
  { name: 'creators', label: 'Creators', hint: 'People or organizations, one per line.', isRequired: true },
  { name: 'url', label: 'Address', hint: 'The web page of the dataset.', isRequired: true },
  { name: 'citation', label: 'Citation', hint: 'BibTeX, or as it should be printed.', isRequired: false },
  {
    name: 'origin',
    label: 'Origin of the images',
    hint: 'Source datasets with their addresses, or how the pictures were taken.',
    isRequired: true,
  },
  {
    name: 'useCases',
    label: 'Intended uses',
    hint: 'What the dataset was made and validated for.',
    isRequired: true,
  },
  {
    name: 'limitations',
    label: 'Limitations',
    hint: 'Uses that are not recommended, and conditions under which the data do not generalize.',
    isRequired: true,
  },
  {
    name: 'biases',
    label: 'Biases',
    hint: 'Groups, places or conditions that are over- or underrepresented.',
    isRequired: true,
  },
  {
    name: 'personalInformation',
    label: 'Personal and sensitive information',
    hint: 'Identifiable people, licence plates, places, or "none".',
    isRequired: true,
  },
  {
    name: 'socialImpact',
    label: 'Social impact',
    hint: 'Benefits, risks, and what was done about the risks.',
    isRequired: true,
  },
  {
    name: 'annotators',
    label: 'Annotators',
    hint: 'Demographics, as far as they were collected.',
    isRequired: false,
  },
  {
    name: 'maintenance',
    label: 'Maintenance',
    hint: 'Who corrects errors, and until when.',
    isRequired: false,
  },
];

/** Required statements that are empty. */
export const missingStatements = (statements: Statements): StatementField[] =>
  statementFields.filter(({ name, isRequired }) => isRequired && statements[name] === '');
