import type { Metadata } from 'next';
import Link from 'next/link';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { CsvLink, SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDateTime, formatNumber, formatPercent } from '@/lib/core/format';
import { isOpenIn } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { listAudits, populations } from '@/lib/services/curation/audit/samples';
import { AuditHead } from '../audit-page';
import { rateText } from './rate-text';
import { SampleForm } from './sample-form';

export const metadata: Metadata = { title: 'Sampled audits' };

type Props = PageProps<'/projects/[project]/audit/samples'>;

export default async function Samples({ params }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const db = database();
  const [stages, audits] = await Promise.all([populations(db, project.id), listAudits(db, project.id)]);
  const path = `/projects/${project.slug}/audit/samples`;
  return (
    <div className="flex flex-col gap-3 pb-20">
      <AuditHead
        slug={project.slug}
        at="/samples"
        title="Sampled audits"
        description="A random sample estimates the share of wrong labels, with an interval. The queue cannot, because it shows the worst labels first."
      />
      <div className="flex flex-col gap-6 px-6 pt-3">
        <Panel title="New sample">
          <SampleForm slug={project.slug} stages={stages} closed={!isOpenIn('audit.decide', project.state)} />
        </Panel>
        <Panel
          title="Samples"
          actions={audits.length > 0 && <CsvLink href={`${path}/csv`} size="small" />}
          flush
        >
          <SmallTable
            caption="Sampled audits, newest first"
            rows={audits}
            rowKey={(audit) => audit.id}
            empty={
              <EmptyState title="No sample was drawn yet">
                Say above how exactly you want to know the error rate, and draw one.
              </EmptyState>
            }
            columns={[
              {
                key: 'at',
                title: 'Drawn, UTC',
                cell: (audit) => (
                  <Link
                    href={`${path}/${audit.id}`}
                    className="underline decoration-line-strong underline-offset-2"
                  >
                    {formatDateTime(audit.at)}
                  </Link>
                ),
              },
              { key: 'stage', title: 'Labels of', cell: (audit) => audit.stage ?? 'all stages' },
              { key: 'state', title: 'State', cell: (audit) => <State state={audit.state} /> },
              {
                key: 'judged',
                title: 'Judged',
                numeric: true,
                cell: (audit) => `${formatNumber(audit.judged)} of ${formatNumber(audit.size)}`,
              },
              { key: 'wrong', title: 'Wrong', numeric: true, cell: (audit) => formatNumber(audit.wrong) },
              {
                key: 'rate',
                title: 'Error rate (interval)',
                numeric: true,
                cell: (audit) => rateText(audit.rate),
              },
              {
                key: 'wanted',
                title: 'Wanted',
                numeric: true,
                cell: (audit) => `± ${formatPercent(audit.margin)} at ${formatPercent(audit.confidence, 0)}`,
              },
              {
                key: 'population',
                title: 'Out of',
                numeric: true,
                cell: (audit) => formatNumber(audit.population),
              },
              {
                key: 'seed',
                title: 'Seed',
                cell: (audit) => <code className="font-mono text-xs">{audit.seed}</code>,
              },
              { key: 'by', title: 'By', cell: (audit) => audit.by ?? '–' },
            ]}
          />
        </Panel>
      </div>
    </div>
  );
}
