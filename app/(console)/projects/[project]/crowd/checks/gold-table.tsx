import Link from 'next/link';
import { Badge } from '@/app/_ui/badge';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import { wilson } from '@/lib/core/quality/interval';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import type { GoldUse } from '@/lib/services/crowd/overview/gold-use';
import { Score } from '../score';
import { GoldButtons } from './gold-buttons';

interface Props {
  slug: string;
  uses: GoldUse[];
  stages: CrowdStage[];
  mayDecide: boolean;
}

/** Every gold item, with what a curator can make of it. */
export function GoldTable({ slug, uses, stages, mayDecide }: Props) {
  return (
    <SmallTable
      caption="Gold"
      rows={uses}
      rowKey={(use) => use.id}
      empty={
        <EmptyState
          title="No gold yet"
          action={<ButtonLink href={`/projects/${slug}/gold`}>Open gold</ButtonLink>}
        >
          Without gold there are no exams and no checks. Items on which everybody agrees become candidates, if
          the policy says so, and a curator confirms them.
        </EmptyState>
      }
      columns={[
        {
          key: 'image',
          title: 'Image',
          className: 'max-w-64 truncate',
          cell: (use) => (
            <Link
              href={`/projects/${slug}/images/${use.imageId}`}
              className="underline-offset-2 hover:underline"
            >
              {use.image}
            </Link>
          ),
        },
        { key: 'target', title: 'Asks for', cell: (use) => use.target || 'the whole image' },
        {
          key: 'stage',
          title: 'Stage',
          cell: (use) => stages.find((stage) => stage.id === use.stageId)?.name ?? '–',
        },
        { key: 'state', title: 'State', cell: (use) => <State state={use.state} /> },
        { key: 'exposures', title: 'People', numeric: true, cell: (use) => formatNumber(use.exposures) },
        { key: 'checks', title: 'Scored', numeric: true, cell: (use) => formatNumber(use.checks) },
        {
          key: 'passed',
          title: 'Passed',
          numeric: true,
          cell: (use) => <Score estimate={wilson(use.passed, use.checks)} />,
        },
        {
          key: 'drift',
          title: 'Drift',
          cell: (use) => (use.hasDrifted ? <Badge tone="warn">recently passed more often</Badge> : '–'),
        },
        {
          key: 'act',
          title: 'Actions',
          untitled: true,
          className: 'w-0 text-right whitespace-nowrap',
          cell: (use) => mayDecide && <GoldButtons slug={slug} id={use.id} state={use.state} />,
        },
      ]}
    />
  );
}
