import { describe, expect, test } from 'vitest';
import {
  buildCroissant,
  checkCroissant,
  type DescribedExport,
  emptyStatements,
  type MeasuredCard,
  missingStatements,
  requiredByNeurips,
  type Statements,
} from '@/lib/core/croissant';
import { partImageNet } from '@/lib/core/schema/presets/part-imagenet';

const card: MeasuredCard = {
  counts: {
    images: 120,
    labelled: 100,
    objects: 110,
    masks: 400,
    bySplit: { train: 100, test: 20 },
    byClass: { Bird: { train: 80, test: 15 }, Fish: { train: 20, test: 5 } },
    bySource: { answer: 300, consensus: 80, import: 20 },
  },
  collection: {
    project: 'Birds',
    description: '',
    stages: [
      {
        name: 'Parts',
        kind: 'part-mask',
        items: 400,
        answers: 600,
        people: 12,
        agreement: { measure: 'mean pairwise IoU', value: 0.81, low: 0.79, high: 0.83, n: 150 },
      },
    ],
  },
  crowd: {
    people: 12,
    answers: 600,
    from: '2026-10-01',
    to: '2026-10-20',
    exams: { taken: 20, passed: 12 },
    checks: { scored: 80, passed: 72 },
    pay: { currency: 'USD', medianHourlyMicro: 15_200_000, workers: 12, interval: [13_000_000, 17_000_000] },
    assists: { livewire: 40 },
  },
  audits: [
    {
      stage: null,
      judged: 50,
      population: 400,
      confidence: 0.95,
      rate: { value: 0.04, low: 0.01, high: 0.13 },
      at: '2026-10-21T09:00:00.000Z',
    },
  ],
  split: { leaks: 0 },
  consent: 2,
  schema: { name: 'Part-ImageNet', number: 1, citation: null },
};

const statements: Statements = {
  ...emptyStatements,
  creators: 'Ada Lovelace\nInstitute of Birds',
  url: 'https://example.org/birds',
  origin: 'Photos of the institute, 2020 to 2025',
  useCases: 'Training of part segmentation models',
  limitations: 'Not for counting animals',
  biases: 'Mostly European birds',
  personalInformation: 'None',
  socialImpact: 'Low risk.',
};

const given: DescribedExport = {
  name: 'Birds',
  description: 'Parts of birds.',
  hash: 'a'.repeat(64),
  versionNumber: 3,
  createdAt: '2026-10-22T10:00:00.000Z',
  licence: 'https://creativecommons.org/licenses/by/4.0/',
  schema: partImageNet,
  splits: ['train', 'val', 'test'],
  card,
  statements,
  losses: ['Confidence is not stored.'],
  paths: [
    'annotations/instances_train.json',
    'annotations/instances_test.json',
    'train/a.jpg',
    'train/b.jpg',
    'README.md',
  ],
  imageTable: { sha256: 'b'.repeat(64), bytes: 1234 },
};

// Through JSON, as a reader sees it.
const built = (change: Partial<DescribedExport> = {}): Record<string, unknown> =>
  JSON.parse(JSON.stringify(buildCroissant({ ...given, ...change })));
const problemsOf = (document: unknown) =>
  checkCroissant(document).map(({ kind, where }) => `${kind} ${where}`);

describe('a Croissant description', () => {
  test('of a documented export has no problems', () => {
    expect(checkCroissant(built())).toEqual([]);
  });

  test('has the properties that NeurIPS requires', () => {
    const document = built();
    for (const property of requiredByNeurips) expect(document[property], property).toBeDefined();
  });

  test('names what its authors have not stated, and nothing else', () => {
    const document = built({ statements: emptyStatements });
    expect(problemsOf(document)).toEqual([
      'missing url',
      'missing creator',
      'missing rai:dataLimitations',
      'missing rai:personalSensitiveInformation',
      'missing rai:dataUseCases',
      'missing prov:wasDerivedFrom',
    ]);
    expect(missingStatements(emptyStatements).map(({ name }) => name)).toEqual([
      'creators',
      'url',
      'origin',
      'useCases',
      'limitations',
      'biases',
      'personalInformation',
      'socialImpact',
    ]);
  });

  test('states what was measured about collection, checks, pay, agreement and audits', () => {
    const document = built();
    expect(document['rai:dataAnnotationProtocol']).toContain('75.0\u202f% answers of single annotators');
    expect(document['rai:dataAnnotationProtocol']).toContain('12 of 20 attempts passed');
    expect(document['rai:dataAnnotationProtocol']).toContain('72 of 80 (90.0\u202f%) were right');
    expect(document['rai:dataAnnotationProtocol']).toContain('consent text 2');
    expect(document['rai:dataSocialImpact']).toBe(
      'Low risk. Annotators were paid: median 15.20 USD per hour of active time (95 % interval 13.00 USD to 17.00 USD), over 12 workers.',
    );
    expect(document['rai:dataAnnotationAnalysis']).toEqual([
      expect.stringContaining('mean pairwise IoU, 0.810 (95 % interval 0.790 to 0.830, n = 150)'),
      expect.stringContaining('of 400 labels, 50 were judged; 4.0\u202f% are wrong'),
    ]);
    expect(document['rai:annotationsPerItem']).toBe('Parts: 1.50');
    expect(document['rai:dataCollectionTimeframe']).toEqual(['2026-10-01', '2026-10-20']);
    expect(document['rai:dataCollectionMissingData']).toBe('20 images have no labels.');
    expect(document['rai:dataBiases']).toEqual([
      'Mostly European birds',
      'Classes are not balanced: Bird has 95 images, Fish has 25.',
    ]);
    expect(document['rai:machineAnnotationTools']).toEqual(['livewire: in 40 answers']);
    expect(document['rai:dataPreprocessingProtocol']).toContain('Confidence is not stored.');
    expect(document['rai:hasSyntheticData']).toBe(false);
  });

  test('of generated data says so, and that nobody audited it', () => {
    const counts = { ...card.counts, bySource: { generator: 400 } };
    const document = built({ card: { ...card, counts, crowd: null, audits: [] } });
    expect(document['rai:hasSyntheticData']).toBe(true);
    expect(document['rai:dataLimitations']).toContain(
      'The error rate of the labels was not measured by an audit.',
    );
    expect(document['rai:dataSocialImpact']).toBe('Low risk.');
    expect(checkCroissant(document)).toEqual([]);
  });

  test('groups files into sets, so that its size does not depend on the number of images', () => {
    const { distribution } = built() as { distribution: { '@id': string }[] };
    expect(distribution.map((each) => each['@id'])).toEqual([
      'croissant-images.csv',
      'annotations/*.json',
      'train/*.jpg',
      'README.md',
    ]);
  });

  test('is the same every time', () => {
    expect(JSON.stringify(built())).toBe(JSON.stringify(built()));
  });
});

type Json = Record<string, unknown>;
const nodes = (document: Json, property: string) => document[property] as Json[];

describe('the checker finds', () => {
  const damages: [string, (document: Json) => void, string][] = [
    ['a missing context', (d) => delete d['@context'], 'error @context'],
    ['another type', (d) => Object.assign(d, { '@type': 'sc:Thing' }), 'error @type'],
    ['an undeclared specification', (d) => Object.assign(d, { conformsTo: [] }), 'error conformsTo'],
    ['a missing licence', (d) => Object.assign(d, { license: '' }), 'missing license'],
    ['a date that is none', (d) => Object.assign(d, { datePublished: 'soon' }), 'error datePublished'],
    ['a version of another form', (d) => Object.assign(d, { version: '3' }), 'error version'],
    ['an address of another kind', (d) => Object.assign(d, { url: 'urn:x' }), 'error url'],
    [
      'two resources with one id',
      (d) => nodes(d, 'distribution').push({ ...nodes(d, 'distribution')[0] }),
      'error croissant-images.csv',
    ],
    [
      'a file without a hash',
      (d) => delete nodes(d, 'distribution')[0]?.sha256,
      'error croissant-images.csv',
    ],
    [
      'a set without a pattern',
      (d) => delete nodes(d, 'distribution')[1]?.includes,
      'error annotations/*.json',
    ],
    [
      'a field from an unknown file',
      (d) => {
        const [field] = nodes(nodes(d, 'recordSet')[0] as Json, 'field');
        Object.assign(field as Json, {
          source: { fileObject: { '@id': 'nowhere' }, extract: { column: 'name' } },
        });
      },
      'error images/name',
    ],
    [
      'a field of an unknown type',
      (d) =>
        Object.assign(nodes(nodes(d, 'recordSet')[0] as Json, 'field')[0] as Json, { dataType: 'sc:Cat' }),
      'error images/name',
    ],
    [
      'a reference to nothing',
      (d) => {
        const fields = nodes(nodes(d, 'recordSet')[0] as Json, 'field');
        Object.assign(fields[1] as Json, { references: { field: { '@id': 'splits/nothing' } } });
      },
      'error images/split',
    ],
    [
      'a key that is no field',
      (d) => Object.assign(nodes(d, 'recordSet')[0] as Json, { key: { '@id': 'images/none' } }),
      'error images',
    ],
    [
      'two records with one key',
      (d) => {
        const splits = nodes(d, 'recordSet')[1] as Json;
        nodes(splits, 'data').push({ ...nodes(splits, 'data')[0] });
      },
      'error splits',
    ],
    [
      'several texts for one',
      (d) => Object.assign(d, { 'rai:dataSocialImpact': ['a', 'b'] }),
      'error rai:dataSocialImpact',
    ],
    [
      'a text instead of a yes or no',
      (d) => Object.assign(d, { 'rai:hasSyntheticData': 'no' }),
      'error rai:hasSyntheticData',
    ],
  ];
  test.each(damages)('%s', (_, damage, problem) => {
    const document = built();
    damage(document);
    expect(problemsOf(document)).toContain(problem);
  });

  test.each(requiredByNeurips)('that %s is missing', (property) => {
    const document = built();
    delete document[property];
    expect(problemsOf(document)).toContain(`missing ${property}`);
  });

  test('that a text is no description at all', () => {
    expect(problemsOf('croissant')).toEqual(['error document']);
  });
});
