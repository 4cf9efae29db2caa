import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { type Consent, consentHeadings, consentOf } from '@/lib/crowd/consent';
import { formatDate, formatDateTime } from '@/lib/format';
import { AgreeForm } from './agree-form';
import { PrintButton } from './print-button';

type Props = PageProps<'/annotate/[project]/consent'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await pageProject((await params).project, 'work.read');
  return { title: `Taking part in ${project.name}` };
}

export default async function ConsentPage({ params }: Props) {
  const { project, actor } = await pageProject((await params).project, 'work.read');
  const consent = await consentOf(database(), { projectId: project.id, workerId: actor.userId });
  const { document, number, createdAt, id } = consent.text;
  return (
    <>
      <header className="flex flex-col gap-1">
        <p className="text-sm text-ink-2">Consent and information about the study</p>
        <h1 className="text-2xl font-semibold tracking-tight">{document.projectTitle}</h1>
        <p className="text-sm text-ink-3">
          Version {number} of {formatDate(createdAt)}
        </p>
      </header>
      <StateLine consent={consent} />
      <article className="flex flex-col gap-5">
        {consentHeadings.map(([field, heading]) => (
          <section key={field} className="break-inside-avoid">
            <h2 className="font-semibold">{heading}</h2>
            <p className="max-w-prose whitespace-pre-line text-ink-2 print:text-ink">{document[field]}</p>
          </section>
        ))}
      </article>
      {consent.state === 'agreed' ? (
        <div className="flex flex-wrap gap-3 print:hidden">
          <ButtonLink href="/annotate" variant="primary" size="large">
            To my work
          </ButtonLink>
          <PrintButton />
        </div>
      ) : (
        <AgreeForm project={project.slug} textId={id} />
      )}
    </>
  );
}

function StateLine({ consent: { state, since } }: { consent: Consent }) {
  const words = {
    agreed: `You agreed on ${formatDateTime(since)} UTC`,
    missing: 'Read this before you begin. Without your agreement there is no work, and nothing else follows.',
    outdated: 'The text has changed since you agreed. Please read it again.',
    withdrawn: `You withdrew on ${formatDateTime(since)} UTC. You can take part again if you want to.`,
  };
  if (state === 'missing') return <p className="text-base text-ink-2 print:hidden">{words.missing}</p>;
  return (
    <p className="text-base">
      <State state={state} tone={state === 'agreed' ? 'good' : 'warn'} className="whitespace-normal">
        {words[state]}
      </State>
    </p>
  );
}
