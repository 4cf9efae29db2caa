import Link from 'next/link';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { formatDateTime, formatDuration, formatNumber, formatPercent } from '@/lib/core/format';
import { explanationSentence } from '@/lib/core/quality/posterior';
import { describeTarget } from '@/lib/core/schema';
import type { ImageAnswer, ImageDetail } from '@/lib/services/images/get-image';
import { type NameOf, valueWords } from './layers';

/** What is asked about the image and what came of it. */
export const ItemTable = ({ items, nameOf }: { items: ImageDetail['items']; nameOf: NameOf }) => (
  <Panel title="Items and labels" flush>
    <SmallTable
      caption="Items and labels"
      rows={items}
      rowKey={(item) => item.id}
      empty={
        <EmptyState title="Nothing is asked about this image yet">
          Items appear when the project starts to collect.
        </EmptyState>
      }
      columns={[
        { key: 'stage', title: 'Stage', cell: (item) => item.stage },
        {
          key: 'target',
          title: 'Target',
          cell: ({ target, stageKind }) =>
            describeTarget(target, nameOf, stageKind === 'object-mask' ? 'whole object' : 'whole image'),
        },
        { key: 'state', title: 'State', cell: (item) => <State state={item.state} /> },
        {
          key: 'answers',
          title: 'Answers',
          numeric: true,
          cell: (item) => `${item.answered} of ${item.overlap}`,
        },
        { key: 'label', title: 'Label', cell: (item) => valueWords(item.label?.value, nameOf) },
        {
          key: 'area',
          title: 'Area, pixels',
          numeric: true,
          cell: (item) => formatNumber(item.label?.area),
        },
        { key: 'source', title: 'Source', cell: (item) => item.label?.source ?? '–' },
        {
          key: 'confidence',
          title: 'Confidence',
          numeric: true,
          cell: (item) => formatPercent(item.label?.confidence, 0),
        },
        {
          key: 'explanation',
          title: 'How it was decided',
          cell: (item) => explanationSentence(item.label, nameOf) ?? '–',
        },
      ]}
    />
  </Panel>
);

type AnswersProps = { slug: string; answers: ImageAnswer[]; nameOf: NameOf };

/** Who said what about the image. */
export function AnswerTable({ slug, answers, nameOf }: AnswersProps) {
  if (answers.length === 0) return null;
  return (
    <Panel title="Answers" flush>
      <SmallTable
        caption="Answers"
        rows={answers}
        rowKey={(answer) => answer.id}
        empty={null}
        columns={[
          { key: 'stage', title: 'Stage', cell: (answer) => answer.stage },
          {
            key: 'target',
            title: 'Target',
            cell: ({ target, stageKind }) =>
              describeTarget(target, nameOf, stageKind === 'object-mask' ? 'whole object' : 'whole image'),
          },
          {
            key: 'worker',
            title: 'Worker',
            cell: ({ worker }) =>
              worker ? (
                <Link href={`/projects/${slug}/crowd/${worker.id}`} className="hover:text-accent">
                  {worker.name}
                </Link>
              ) : (
                'a worker'
              ),
          },
          { key: 'answer', title: 'Answer', cell: (answer) => valueWords(answer.value, nameOf) },
          { key: 'area', title: 'Area, pixels', numeric: true, cell: ({ area }) => formatNumber(area) },
          {
            key: 'time',
            title: 'Active time',
            numeric: true,
            cell: ({ activeMs }) => formatDuration(activeMs / 1000),
          },
          { key: 'at', title: 'Given, UTC', numeric: true, cell: ({ at }) => formatDateTime(at) },
        ]}
      />
    </Panel>
  );
}
