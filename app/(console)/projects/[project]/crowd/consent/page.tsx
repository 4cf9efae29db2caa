import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatCount, formatDateTime, formatNumber } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { consentHeadings, draftText, newestText } from '@/lib/services/crowd/consent';
import { consentCounts, listConsentTexts } from '@/lib/services/crowd/overview/consent-counts';
import { CrowdPage } from '../crowd-page';
import { ConsentForm } from './consent-form';

export const metadata: Metadata = { title: 'Consent' };

type Props = PageProps<'/projects/[project]/crowd/consent'>;

export default async function Consent({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const db = database();
  const isFresh = (await searchParams).from === 'template';
  const newest = await newestText(db, project.id);
  const [counts, texts, document] = await Promise.all([
    consentCounts(db, project.id),
    listConsentTexts(db, project.id),
    isFresh ? draftText(db, project.id) : newest.document,
  ]);
  const path = `/projects/${project.slug}/crowd/consent`;
  const known = counts.agreed + counts.outdated;
  return (
    <CrowdPage
      slug={project.slug}
      at="/consent"
      title="Consent"
      description="The text that workers accept before their first item. Workers can withdraw their consent at any time."
      facts={<span>text {newest.number} is in force</span>}
    >
      <StatStrip>
        <Stat label="Agreed to it" value={formatNumber(counts.agreed)} />
        <Stat label="Agreed to an older text" value={formatNumber(counts.outdated)} />
        <Stat label="Not asked yet" value={formatNumber(counts.missing)} />
        <Stat label="Withdrew" value={formatNumber(counts.withdrawn)} />
      </StatStrip>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Panel
          title={isFresh ? 'From the template, with the policy of today' : `Text ${newest.number}`}
          actions={
            isFresh ? (
              <ButtonLink href={path}>Back to text {newest.number}</ButtonLink>
            ) : (
              <ButtonLink href={`${path}?from=template`}>Fill in from the policy</ButtonLink>
            )
          }
        >
          <ConsentForm
            key={`${newest.id} ${isFresh}`}
            slug={project.slug}
            title={document.projectTitle}
            fields={consentHeadings.map(([name, heading]) => ({ name, heading, text: document[name] }))}
            nextNumber={newest.number + 1}
            asked={
              known
                ? `Everybody is asked again before their next batch: ${formatCount(known, 'person', 'people')}. They cannot continue until they agree.`
                : 'New workers see this text from now on.'
            }
            readOnly={project.state === 'archived'}
          />
        </Panel>
        <Panel title="Texts so far" flush>
          <SmallTable
            caption="Texts so far"
            rows={texts}
            rowKey={(text) => text.id}
            empty={null}
            columns={[
              { key: 'number', title: 'Text', cell: (text) => text.number },
              { key: 'by', title: 'By', cell: (text) => text.by ?? 'the template' },
              { key: 'at', title: 'Since, UTC', numeric: true, cell: (text) => formatDateTime(text.at) },
            ]}
          />
        </Panel>
      </div>
    </CrowdPage>
  );
}
