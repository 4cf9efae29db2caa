import { formatCount as count, formatNumber, formatPercent } from '@/lib/core/format';
import type { CollectionStage, CrowdFacts, MeasuredCard } from './measured';
import type { Statements } from './statements';

const sourceWords: Record<string, string> = {
  answer: 'answers of single annotators',
  consensus: 'consensus of several annotators',
  correction: 'corrections by curators',
  import: 'imported from another dataset',
  generator: 'generated together with the images',
};

/** Properties of the Responsible AI vocabulary. Measured sentences follow what the authors state. */
export function describeResponsibly(
  card: MeasuredCard,
  statements: Statements,
  context: { losses: readonly string[]; createdAt: string },
): Record<string, unknown> {
  const { crowd } = card;
  return withoutEmpty({
    'rai:dataCollection': join(statements.origin, collectionSentence(card)),
    'rai:dataCollectionType': collectionTypes(card),
    'rai:dataCollectionRawData': statements.origin,
    'rai:dataCollectionTimeframe': crowd ? [crowd.from, crowd.to] : [],
    'rai:dataCollectionMissingData': missingSentence(card),
    'rai:dataAnnotationProtocol': protocolSentences(card),
    'rai:dataAnnotationPlatform': ['Tessera'],
    'rai:dataAnnotationAnalysis': [
      ...card.collection.stages.flatMap(agreementSentence),
      ...auditSentences(card),
    ],
    'rai:annotationsPerItem': perItem(card),
    'rai:annotatorDemographics': lines(statements.annotators),
    'rai:machineAnnotationTools': Object.entries(crowd?.assists ?? {}).map(
      ([tool, count]) => `${tool}: in ${formatNumber(count)} answers`,
    ),
    'rai:dataPreprocessingProtocol': [
      'Images are turned upright and stored without metadata. Masks have the size of the stored image.',
      ...context.losses,
    ],
    'rai:dataUseCases': lines(statements.useCases),
    'rai:dataLimitations': [...lines(statements.limitations), ...measuredLimitations(card)],
    'rai:dataBiases': [...lines(statements.biases), ...imbalance(card)],
    'rai:personalSensitiveInformation': lines(statements.personalInformation),
    'rai:dataSocialImpact': join(statements.socialImpact, paySentence(crowd)),
    'rai:dataReleaseMaintenancePlan': lines(statements.maintenance),
    'rai:hasSyntheticData': (card.counts.bySource.generator ?? 0) > 0,
    'prov:wasDerivedFrom': lines(statements.origin),
    'prov:wasGeneratedBy': activities(card, context.createdAt),
  });
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

const withoutEmpty = (properties: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );

function collectionSentence({ counts, collection }: MeasuredCard): string {
  const stages = collection.stages.map(({ name, answers }) => `${name} (${count(answers, 'answer')})`);
  const asked = stages.length > 0 ? ` Questions were asked in these stages: ${stages.join(', ')}.` : '';
  return `${count(counts.images, 'image')}, of which ${formatNumber(counts.labelled)} are labelled.${asked}`;
}

function collectionTypes({ crowd, counts }: MeasuredCard): string[] {
  const { import: imported = 0, generator = 0 } = counts.bySource;
  return [
    ...(crowd ? ['Manual Human Curator'] : []),
    ...(imported > 0 ? ['Secondary Data analysis'] : []),
    ...(generator > 0 ? ['Software Collection'] : []),
  ];
}

function missingSentence({ counts }: MeasuredCard): string {
  const missing = counts.images - counts.labelled;
  return missing === 0 ? '' : `${count(missing, 'image has', 'images have')} no labels.`;
}

function protocolSentences({ counts, crowd, consent }: MeasuredCard): string {
  const total = Object.values(counts.bySource).reduce((sum, n) => sum + n, 0);
  const sources = Object.entries(counts.bySource).map(
    ([source, n]) => `${formatPercent(n / total, 1)} ${sourceWords[source] ?? source}`,
  );
  return join(
    total > 0 ? `${count(total, 'label')}: ${sources.join(', ')}.` : 'There are no labels.',
    crowd ? crowdSentences(crowd) : '',
    consent === null ? '' : `Annotators agreed to consent text ${consent}.`,
  );
}

function crowdSentences({ people, exams, checks }: CrowdFacts): string {
  return join(
    `${count(people, 'person', 'people')} annotated.`,
    exams.taken > 0
      ? `Before working they took a qualification exam: ${formatNumber(exams.passed)} of ${count(exams.taken, 'attempt')} passed.`
      : '',
    checks.scored > 0
      ? `Answers were verified by hidden items with known answers: ${formatNumber(checks.passed)} of ${formatNumber(checks.scored)} (${formatPercent(checks.passed / checks.scored, 1)}) were right.`
      : 'There were no hidden checks.',
  );
}

function agreementSentence({ name, agreement }: CollectionStage): string[] {
  if (agreement.value === null)
    return [`${name}: inter-annotator agreement is not known, because ${agreement.reason}.`];
  const { measure, value, low, high, n } = agreement;
  return [
    `${name}: inter-annotator agreement, ${measure}, ${formatNumber(value, 3)} (95 % interval ${formatNumber(low, 3)} to ${formatNumber(high, 3)}, n = ${formatNumber(n)}).`,
  ];
}

function auditSentences({ audits }: MeasuredCard): string[] {
  return audits.flatMap(({ stage, judged, population, confidence, rate, at }) =>
    rate
      ? [
          `Audit of ${at.slice(0, 10)} (${stage ?? 'all stages'}): of ${formatNumber(population)} labels, ${formatNumber(judged)} were judged; ${formatPercent(rate.value, 1)} are wrong (${formatPercent(confidence, 0)} interval ${formatPercent(rate.low, 1)} to ${formatPercent(rate.high, 1)}).`,
        ]
      : [],
  );
}

function perItem({ collection }: MeasuredCard): string {
  return collection.stages
    .filter(({ items }) => items > 0)
    .map(({ name, answers, items }) => `${name}: ${formatNumber(answers / items, 2)}`)
    .join('; ');
}

function measuredLimitations(card: MeasuredCard): string[] {
  const isAudited = card.audits.some(({ rate }) => rate !== null);
  const { leaks } = card.split;
  return [
    ...(isAudited ? [] : ['The error rate of the labels was not measured by an audit.']),
    ...(leaks > 0 ? [`${count(leaks, 'pair')} of related images are in different splits.`] : []),
  ];
}

/** Names the largest and the smallest class if one has at least twice as many images as the other. */
function imbalance({ counts }: MeasuredCard): string[] {
  const sizes = Object.entries(counts.byClass)
    .filter(([name]) => name !== '')
    .map(([name, bySplit]) => ({ name, n: Object.values(bySplit).reduce((sum, n) => sum + n, 0) }))
    .sort((a, b) => b.n - a.n);
  const [largest, smallest] = [sizes[0], sizes.at(-1)];
  if (!largest || !smallest || largest.n < 2 * smallest.n) return [];
  return [
    `Classes are not balanced: ${largest.name} has ${count(largest.n, 'image')}, ${smallest.name} has ${formatNumber(smallest.n)}.`,
  ];
}

function paySentence(crowd: CrowdFacts | null | undefined): string {
  if (!crowd?.pay) return '';
  const { currency, medianHourlyMicro, workers, interval } = crowd.pay;
  const money = (micro: number) => `${formatNumber(micro / 1e6, 2)} ${currency}`;
  const range = interval ? ` (95 % interval ${money(interval[0])} to ${money(interval[1])})` : '';
  return `Annotators were paid: median ${money(medianHourlyMicro)} per hour of active time${range}, over ${count(workers, 'worker')}.`;
}

function activities({ crowd, counts }: MeasuredCard, createdAt: string): object[] {
  const { import: imported = 0, generator = 0, consensus = 0 } = counts.bySource;
  const activity = (label: string, description: string, extra: object = {}) => ({
    '@type': 'prov:Activity',
    'prov:label': label,
    'sc:description': description,
    ...extra,
  });
  return [
    ...(imported > 0 ? [activity('Import', `${count(imported, 'label')} came from another dataset.`)] : []),
    ...(generator > 0
      ? [activity('Generation', `${count(generator, 'label')} were generated with their images.`)]
      : []),
    ...(crowd
      ? [
          activity(
            'Annotation',
            `${count(crowd.people, 'person', 'people')} gave ${count(crowd.answers, 'answer')}.`,
            {
              'prov:startedAtTime': crowd.from,
              'prov:endedAtTime': crowd.to,
            },
          ),
        ]
      : []),
    ...(consensus > 0
      ? [activity('Aggregation', `${count(consensus, 'label')} merge several answers.`)]
      : []),
    activity('Freeze', 'The dataset was frozen under a hash of its content.', {
      'prov:endedAtTime': createdAt,
    }),
  ];
}
