import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ClientMessages } from '@/app/_i18n/translated';
import { Audit as AuditFields, AuditLabel } from '@/app/api/v1/audit-fields';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { isOpenIn, looksLikeId } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { getAuditLabel } from '@/lib/services/curation/audit/get-audit-label';
import { getAudit, listPicks } from '@/lib/services/curation/audit/samples';
import { SampleViewer } from '../../_viewer/sample-viewer';

export const metadata: Metadata = { title: 'Sampled audit' };

type Props = PageProps<'/projects/[project]/audit/samples/[audit]'>;

export default async function Sample({ params }: Props) {
  const { project: slug, audit: auditId } = await params;
  const { project } = await pageProject(slug, 'crowd.read');
  if (!looksLikeId(auditId)) notFound();
  const db = database();
  const audit = await getAudit(db, { projectId: project.id, auditId }).catch((error) => {
    if (error instanceof TesseraError && error.kind === 'not-found') notFound();
    throw error;
  });
  const picks = await listPicks(db, auditId);
  const at = Math.max(
    0,
    picks.findIndex((pick) => pick.verdict === null),
  );
  const pick = picks[at];
  const first =
    pick && AuditLabel.parse(await getAuditLabel(db, { projectId: project.id, labelId: pick.labelId }));
  return (
    <ClientMessages namespaces={['canvas', 'form']}>
      <SampleViewer
        key={audit.id}
        slug={project.slug}
        audit={AuditFields.parse(audit)}
        picks={picks}
        startAt={at}
        firstLabel={first}
        mayDecide={isOpenIn('audit.decide', project.state)}
      />
    </ClientMessages>
  );
}
