import { DefinitionList } from '@/app/_ui/definition-list';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import {
  formatCount,
  formatDate,
  formatNumber,
  formatPercent,
  formatPercentInterval,
} from '@/lib/core/format';
import type { Card } from '@/lib/services/datasets/freeze/card';
import type { SplitSpec } from '@/lib/services/datasets/freeze/request';
import { orderedSplits, SplitTable, splitWords } from '../split-table';

interface SplitProps {
  card: Card;
  /** In the order of the schema. */
  classes: readonly { id: string; name: string }[];
}

export function SplitPanel({ card, classes }: SplitProps) {
  const names = new Map(classes.map(({ id, name }) => [id, name]));
  const place = new Map(classes.map(({ id }, at) => [id, at]));
  const { bySplit, byClass } = card.counts;
  const rows = Object.entries(byClass).map(([className, counts]) => ({
    className: className || null,
    bySplit: counts,
    total: Object.values(counts).reduce((sum, n) => sum + n, 0),
  }));
  const at = (className: string | null) => place.get(className ?? '') ?? place.size;
  rows.sort((a, b) => at(a.className) - at(b.className));
  const { leaks, spec } = card.split;
  const apart = leaks > 0 ? ` ${formatCount(leaks, 'pair')} of related images are in different splits.` : '';
  return (
    <Panel title="Split" description={`${splitWords(spec as SplitSpec)}${apart}`} flush>
      <SplitTable
        splits={orderedSplits(Object.keys(bySplit))}
        rows={rows}
        nameOf={(id) => names.get(id) ?? id}
      />
    </Panel>
  );
}

type Stage = Card['collection']['stages'][number];

function agreementWords({ agreement }: Stage): string {
  if (agreement.value === null) return `– (${agreement.reason})`;
  const { value, low, high, n, measure } = agreement;
  return `${formatNumber(value, 3)} (${formatNumber(low, 3)} to ${formatNumber(high, 3)}), n = ${formatNumber(n)}: ${measure}`;
}

/** How the labels were collected. Contains no names of workers. */
export function CollectionPanel({ card: { collection, counts } }: { card: Card }) {
  const sources = Object.entries(counts.bySource)
    .map(([source, n]) => `${source} ${formatNumber(n)}`)
    .join(', ');
  return (
    <Panel title="Collection" description={sources ? `Labels by source: ${sources}.` : undefined} flush>
      <SmallTable
        caption="Stages"
        rows={collection.stages}
        rowKey={({ name }) => name}
        empty={
          <EmptyState title="No answers">
            The labels were imported or generated, not collected from workers.
          </EmptyState>
        }
        columns={[
          { key: 'name', title: 'Stage', cell: ({ name }) => name },
          { key: 'items', title: 'Items', numeric: true, cell: ({ items }) => formatNumber(items) },
          { key: 'answers', title: 'Answers', numeric: true, cell: ({ answers }) => formatNumber(answers) },
          { key: 'people', title: 'People', numeric: true, cell: ({ people }) => formatNumber(people) },
          { key: 'agreement', title: 'Agreement, 95 % CI', cell: agreementWords },
        ]}
      />
    </Panel>
  );
}

/** How the crowd worked: exams, hidden checks and pay. Cards of older versions do not have these values. */
export function CrowdPanel({ card: { crowd } }: { card: Card }) {
  if (!crowd) return null;
  const { exams, checks, pay, assists } = crowd;
  const money = (micro: number) => `${formatNumber(micro / 1e6, 2)} ${pay?.currency}`;
  const tools = Object.entries(assists).map(([tool, n]) => `${tool} (${formatCount(n, 'answer')})`);
  return (
    <Panel title="Crowd">
      <DefinitionList
        items={[
          { term: 'People', value: formatNumber(crowd.people) },
          { term: 'Answers', value: `${formatNumber(crowd.answers)}, ${crowd.from} to ${crowd.to}` },
          {
            term: 'Exams passed',
            value:
              exams.taken > 0 ? `${formatNumber(exams.passed)} of ${formatNumber(exams.taken)}` : 'No exams',
          },
          {
            term: 'Hidden checks passed',
            value:
              checks.scored > 0
                ? `${formatNumber(checks.passed)} of ${formatNumber(checks.scored)} (${formatPercent(checks.passed / checks.scored)})`
                : 'No checks',
          },
          {
            term: 'Median hourly pay',
            value: pay
              ? `${money(pay.medianHourlyMicro)} for active time, n = ${formatNumber(pay.workers)}`
              : 'Unknown',
          },
          ...(tools.length > 0 ? [{ term: 'Smart tools', value: tools.join(', ') }] : []),
        ]}
      />
    </Panel>
  );
}

/** The share of wrong labels in audits. */
export function AuditPanel({ card: { audits } }: { card: Card }) {
  return (
    <Panel title="Audited error rate" flush>
      <SmallTable
        caption="Audits"
        rows={audits}
        rowKey={({ at, stage }) => `${at} ${stage}`}
        empty={
          <EmptyState title="No audit before freezing">
            The error rate is unknown. Draw a sample under Audit, then freeze again.
          </EmptyState>
        }
        columns={[
          { key: 'stage', title: 'Stage', cell: ({ stage }) => stage ?? 'All stages' },
          {
            key: 'rate',
            title: 'Wrong labels',
            cell: ({ rate, confidence }) =>
              rate
                ? `${formatPercentInterval(rate.value, [rate.low, rate.high])} at ${formatNumber(confidence * 100)} %`
                : '– (not judged)',
          },
          { key: 'judged', title: 'Judged', numeric: true, cell: ({ judged }) => formatNumber(judged) },
          {
            key: 'population',
            title: 'Of',
            numeric: true,
            cell: ({ population }) => formatNumber(population),
          },
          { key: 'at', title: 'When', className: 'whitespace-nowrap', cell: ({ at }) => formatDate(at) },
        ]}
      />
    </Panel>
  );
}

export function TermsPanel({ card, licence, hash }: { card: Card; licence: string; hash: string }) {
  const { schema, consent } = card;
  return (
    <Panel title="Terms and origin">
      <DefinitionList
        items={[
          { term: 'Licence', value: licence || 'Not specified. Ask before sharing.' },
          {
            term: 'Consent',
            value: consent === null ? 'No consent text' : `Consent text ${consent}`,
          },
          { term: 'Schema', value: `${schema.name}, version ${schema.number}` },
          ...(schema.citation ? [{ term: 'Cite', value: schema.citation }] : []),
          ...(card.collection.description ? [{ term: 'Project', value: card.collection.description }] : []),
          { term: 'Hash', value: <span className="font-mono text-xs break-all select-all">{hash}</span> },
        ]}
      />
    </Panel>
  );
}
