import { paySchedules } from '@/lib/core/payee';
import { checkSchedules } from '@/lib/core/quality/policy';

export type FieldKind =
  | 'integer'
  | 'number'
  | 'share'
  | 'money'
  | 'switch'
  | 'choice'
  | 'limit'
  | 'share-limit'
  | 'money-limit'
  | 'currency'
  | 'text';

export interface PolicyField {
  /** Path in the policy: "batchSize.attributes". */
  path: string;
  label: string;
  kind: FieldKind;
  hint?: string;
  options?: readonly string[];
  min?: number;
  max?: number;
}

export interface PolicySection {
  title: string;
  /** What a change applies to. */
  from: string;
  fields: PolicyField[];
}

const exam = (path: string): PolicyField[] => [
  { path: `${path}.isRequired`, label: 'Workers must pass first', kind: 'switch' },
  { path: `${path}.attempts`, label: 'Attempts', kind: 'integer', min: 1, max: 100 },
  { path: `${path}.waitHours`, label: 'Hours between attempts', kind: 'number', min: 0, max: 8760 },
  {
    path: `${path}.practice`,
    label: 'Practice items',
    kind: 'integer',
    min: 0,
    max: 50,
    hint: 'With feedback, before the exam.',
  },
  { path: `${path}.isAdaptive`, label: 'End early when the outcome is certain', kind: 'switch' },
];

/** The sections of the policy form, with what a change of each applies to. */
export const policySections: PolicySection[] = [
  {
    title: 'Batches',
    from: 'new batches',
    fields: [
      {
        path: 'batchSize.attributes',
        label: 'Images in a batch of forms',
        kind: 'integer',
        min: 1,
        max: 200,
      },
      { path: 'batchSize.masks', label: 'Masks in a batch', kind: 'integer', min: 1, max: 200 },
      {
        path: 'leaseMinutes',
        label: 'Batch time limit (minutes)',
        kind: 'integer',
        min: 5,
        max: 1440,
      },
      {
        path: 'limits.itemsPerDay',
        label: 'Items per person and day',
        kind: 'limit',
        min: 1,
        max: 10_000,
        hint: 'Empty: no limit.',
      },
      {
        path: 'limits.itemsInAll',
        label: 'Items per person in a stage',
        kind: 'limit',
        min: 1,
        max: 10_000,
        hint: 'Empty: no limit.',
      },
      {
        path: 'limits.returnsPerDay',
        label: 'Returned batches per person and day',
        kind: 'limit',
        min: 1,
        max: 10_000,
        hint: 'Empty: no limit.',
      },
      {
        path: 'limits.emptyBatchesPerDay',
        label: 'Batches submitted without an answer per person and day',
        kind: 'limit',
        min: 1,
        max: 10_000,
        hint: 'Empty: no limit.',
      },
      {
        path: 'limits.lateAnswersPerDay',
        label: 'Answers after the batch ended per person and day',
        kind: 'limit',
        min: 1,
        max: 10_000,
        hint: 'Empty: no limit.',
      },
      {
        path: 'subtractOtherParts',
        label: 'Subtract parts that are already drawn from new parts',
        kind: 'switch',
      },
      {
        path: 'minScreenWidth',
        label: 'Minimum screen width (pixels)',
        kind: 'integer',
        min: 0,
        max: 4000,
        hint: '0: any screen. 900 excludes phones. Workers see this before they agree to take part.',
      },
    ],
  },
  {
    title: 'Answers per item',
    from: 'new items',
    fields: [
      { path: 'overlap', label: 'At least', kind: 'integer', min: 1, max: 25 },
      {
        path: 'maxOverlap',
        label: 'At most',
        kind: 'integer',
        min: 1,
        max: 25,
        hint: 'Further answers are requested until the confidence is reached.',
      },
      {
        path: 'confidence',
        label: 'Stop at confidence',
        kind: 'share',
        min: 0.5,
        max: 1,
        hint: 'Probability of the least certain decision in the label.',
      },
      {
        path: 'trustPrior.accuracy',
        label: 'Expected accuracy of a new worker',
        kind: 'share',
        min: 0.51,
        max: 0.99,
        hint: 'Used until checks give a better estimate. Above 50%, so that every vote counts.',
      },
      {
        path: 'trustPrior.strength',
        label: 'Weight of the expected accuracy (in checks)',
        kind: 'number',
        min: 1,
        max: 100,
      },
    ],
  },
  {
    title: 'Second answers',
    from: 'batches that end after the change',
    fields: [
      {
        path: 'confirmation.minFormAccuracy',
        label: 'Minimum accuracy for forms',
        kind: 'share-limit',
        hint: 'Forms of workers with a lower estimated accuracy get a second answer. Leave empty to ignore accuracy.',
      },
      {
        path: 'confirmation.minMaskAccuracy',
        label: 'Minimum accuracy for masks',
        kind: 'share-limit',
        hint: 'The same for masks. If both fields are empty, no second answers are requested.',
      },
      {
        path: 'confirmation.maxAnswers',
        label: 'Maximum answers per item',
        kind: 'integer',
        min: 1,
        max: 25,
      },
      {
        path: 'confirmation.confidence',
        label: 'Stop at confidence',
        kind: 'share',
        hint: 'Requests further answers until the label reaches this confidence.',
      },
    ],
  },
  {
    title: 'Exam with forms',
    from: 'exams that end after the change; workers who have passed keep their access',
    fields: [
      { path: 'attributeExam.images', label: 'Images', kind: 'integer', min: 1, max: 10_000 },
      { path: 'attributeExam.minPrecision', label: 'Minimum precision', kind: 'share' },
      { path: 'attributeExam.minRecall', label: 'Minimum recall', kind: 'share' },
      ...exam('attributeExam'),
    ],
  },
  {
    title: 'Exam with masks',
    from: 'exams that end after the change; workers who have passed keep their access',
    fields: [
      { path: 'maskExam.masks', label: 'Masks', kind: 'integer', min: 1, max: 10_000 },
      { path: 'maskExam.minMeanIou', label: 'Minimum mean IoU', kind: 'share' },
      ...exam('maskExam'),
    ],
  },
  {
    title: 'Hidden checks',
    from: 'new batches',
    fields: [
      { path: 'checkRate', label: 'Share of items that are checks', kind: 'share' },
      {
        path: 'checkSchedule',
        label: 'Check schedule',
        kind: 'choice',
        options: checkSchedules,
        hint: 'Constant rate, more checks at the beginning, or more checks for suspicious workers.',
      },
      {
        path: 'maskScore',
        label: 'Score for masks',
        kind: 'choice',
        options: ['iou', 'size-aware'],
        hint: 'Size-aware is fair to small parts, where two pixels can be half of the IoU.',
      },
      {
        path: 'gold.maxExposures',
        label: 'Maximum workers per gold item',
        kind: 'integer',
        min: 1,
        max: 10_000,
      },
      {
        path: 'gold.maxCohortExposures',
        label: 'Maximum workers per gold item and cohort',
        kind: 'limit',
        min: 1,
        max: 10_000,
        hint: 'Limits the damage if members of a cohort share answers. Empty: no separate limit.',
      },
      {
        path: 'gold.maxWorkerChecks',
        label: 'Maximum gold images per worker as hidden checks',
        kind: 'limit',
        min: 1,
        max: 10_000,
        hint: 'At the limit the worker gets no more batches until you raise it. Empty: no limit.',
      },
      {
        path: 'gold.promotesUnanimous',
        label: 'Unanimous items become gold candidates',
        kind: 'switch',
        hint: 'A curator confirms each.',
      },
      {
        path: 'gold.twoPeople',
        label: 'Gold requires a second reviewer',
        kind: 'switch',
        hint: 'The author of a gold item cannot confirm it.',
      },
    ],
  },
  {
    title: 'Suggestions',
    from: 'new batches',
    fields: [
      {
        path: 'suggestions.isOn',
        label: 'Suggest outlines from the promoted model',
        kind: 'switch',
        hint: 'Shown on request, never accepted automatically. The page of the model shows its effect.',
      },
      {
        path: 'suggestions.withheld',
        label: 'Share of items without a suggestion',
        kind: 'share',
        hint: 'Chosen at random, so that the effect can be measured.',
      },
    ],
  },
  {
    title: 'Image selection',
    from: 'the next selection, within a minute',
    fields: [
      {
        path: 'askNext.isOn',
        label: 'Let the promoted model select uncertain and diverse images',
        kind: 'switch',
        hint: 'Repeated when all selected images have been handed out. A stage can have its own selection on the page of the model.',
      },
      { path: 'askNext.images', label: 'Images per selection', kind: 'integer', min: 1, max: 1000 },
    ],
  },
  {
    title: 'Pay',
    from: 'batches and exams that start after the change',
    fields: [
      { path: 'pay.currency', label: 'Currency', kind: 'currency', hint: 'Three letters, as in ISO 4217.' },
      { path: 'pay.attributeBatch', label: 'For a batch of forms', kind: 'money' },
      { path: 'pay.mask', label: 'For a mask', kind: 'money' },
      { path: 'pay.attributeExam', label: 'For the exam with forms', kind: 'money' },
      { path: 'pay.maskExam', label: 'For the exam with masks', kind: 'money' },
      {
        path: 'pay.hourlyTarget',
        label: 'Promised hourly pay',
        kind: 'money',
        hint: 'The Pay page compares actual pay with it.',
      },
      {
        path: 'pay.maxPerWorker',
        label: 'Maximum earned per worker',
        kind: 'money-limit',
        hint: 'Workers at the limit get no more batches. Empty: no limit.',
      },
      {
        path: 'pay.maxPerCohort',
        label: 'Maximum earned per cohort',
        kind: 'money-limit',
        hint: 'Empty: no limit.',
      },
      {
        path: 'pay.terms',
        label: 'How and when you pay',
        kind: 'text',
        max: 1000,
        hint: 'Workers read it: method, schedule, fees.',
      },
    ],
  },
  {
    title: 'Payee details',
    from: 'what workers of your own pool can enter from now on',
    fields: [
      {
        path: 'payees.isOn',
        label: 'Ask workers where to send their money',
        kind: 'switch',
        hint: 'Only workers of your own pool. Details are stored encrypted. Curators of this project and admins see them under Pay.',
      },
      { path: 'payees.bank', label: 'Bank transfer', kind: 'switch' },
      { path: 'payees.paypal', label: 'PayPal', kind: 'switch' },
      {
        path: 'payees.other',
        label: 'Other',
        kind: 'switch',
        hint: 'Workers describe it in their own words. List the possible methods under “How and when you pay”.',
      },
      {
        path: 'payees.schedule',
        label: 'When you pay',
        kind: 'choice',
        options: paySchedules,
        hint: '“As-described”: as written under “How and when you pay”.',
      },
    ],
  },
  {
    title: 'Review before payment',
    from: 'batches and exams that end after the change',
    fields: [
      {
        path: 'payReview.minFormSeconds',
        label: 'Review forms faster than (seconds per image)',
        kind: 'number',
        min: 0,
        max: 600,
        hint: 'Measured on the server, from taking the batch to submitting it. 0: never.',
      },
      {
        path: 'payReview.minMaskSeconds',
        label: 'Review masks faster than (seconds per mask)',
        kind: 'number',
        min: 0,
        max: 600,
        hint: '0: never.',
      },
      {
        path: 'payReview.constantAnswers',
        label: 'Review batches with at least this many identical answers and no others',
        kind: 'limit',
        min: 1,
        max: 10_000,
        hint: 'Empty: never.',
      },
    ],
  },
];

export const policyFields: PolicyField[] = policySections.flatMap((section) => section.fields);
