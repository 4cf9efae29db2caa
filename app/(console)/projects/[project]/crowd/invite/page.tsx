import type { Metadata } from 'next';
import { CopyField } from '@/app/_ui/copy-field';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { invitationState } from '@/app/(console)/admin/labels';
import { database } from '@/db';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { listInvitations } from '@/lib/services/accounts';
import { listRecruitments } from '@/lib/services/crowd/recruit';
import { CrowdPage } from '../crowd-page';
import { PoolForm } from './pool-form';
import { CloseStudy, WithdrawLink } from './row-buttons';
import { StudyForm } from './study-form';

export const metadata: Metadata = { title: 'Invite' };

type Props = PageProps<'/projects/[project]/crowd/invite'>;

export default async function Invite({ params }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const db = database();
  const [invitations, studies] = await Promise.all([
    listInvitations(db, { projectId: project.id, limit: 50 }),
    listRecruitments(db, project.id),
  ]);
  const now = new Date();
  const links = invitations.filter((invitation) => invitation.roles.includes('worker'));
  const readOnly = project.state === 'archived';
  return (
    <CrowdPage
      slug={project.slug}
      at="/invite"
      title="Invite workers"
      description="New workers see the task and the pay first, accept the consent text, and take the exam of a stage before their first batch."
    >
      {!readOnly && (
        <div className="grid items-start gap-6 xl:grid-cols-2">
          <Panel
            title="Your own people"
            description="They join with an e-mail address or a pseudonym. No third party is involved."
          >
            <PoolForm slug={project.slug} />
          </Panel>
          <Panel
            title="Prolific"
            description="Make the study there first, with three completion codes; then connect it."
          >
            <StudyForm slug={project.slug} />
          </Panel>
        </div>
      )}
      <Panel title="Links" description="Newest first. A link itself is shown only once." flush>
        <SmallTable
          caption="Links"
          rows={links}
          rowKey={(link) => link.id}
          empty={<EmptyState title="No link yet">Make one above and send it to your people.</EmptyState>}
          columns={[
            { key: 'cohort', title: 'Cohort', cell: (link) => link.cohort ?? '–' },
            { key: 'for', title: 'For', cell: (link) => link.email ?? 'anyone with the link' },
            { key: 'state', title: 'State', cell: (link) => <State state={invitationState(link, now)} /> },
            {
              key: 'seats',
              title: 'Seats taken',
              numeric: true,
              cell: (link) => `${formatNumber(link.used)} / ${formatNumber(link.seats)}`,
            },
            {
              key: 'until',
              title: 'Open until, UTC',
              numeric: true,
              cell: (link) => formatDateTime(link.expiresAt),
            },
            {
              key: 'act',
              title: 'Actions',
              untitled: true,
              className: 'w-0 text-right',
              cell: (link) =>
                !readOnly &&
                invitationState(link, now) === 'open' && <WithdrawLink slug={project.slug} id={link.id} />,
            },
          ]}
        />
      </Panel>
      <Panel title="Studies" flush>
        {studies.length === 0 ? (
          <EmptyState title="No study is connected">
            People from a marketplace come by the address of a study. Connect one above.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {studies.map((study) => (
              <li key={study.id} className="flex flex-col gap-2 px-4 py-3">
                <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
                  <span className="font-medium">{study.recruiter}</span>
                  <code className="font-mono text-xs">{study.externalId}</code>
                  <State state={study.state} />
                  {study.cohort && <span className="text-ink-2">{study.cohort}</span>}
                  <span className="text-xs text-ink-3">
                    {Object.entries(study.visits)
                      .map(([state, n]) => `${formatNumber(n)} ${state}`)
                      .join(', ') || 'nobody has come yet'}
                  </span>
                  {!readOnly && study.state === 'open' && (
                    <span className="ml-auto">
                      <CloseStudy slug={project.slug} id={study.id} />
                    </span>
                  )}
                </div>
                {study.state === 'open' && (
                  <CopyField label="Address of the study, to be given to Prolific" value={study.link} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </CrowdPage>
  );
}
